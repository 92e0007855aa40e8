import { beforeAll, describe, expect, test } from "vitest";
import { signedIn as signedInTo } from "../support/answering.ts";
import { binary, requestsIn, type Session, sandboxSession, session } from "../support/session.ts";

// The registry's own API as the sandbox implements it; test/e2e/real-registry.test.ts tests a real one.

let log: string[];
let admin: Awaited<ReturnType<typeof sandboxSession>>;
let signedIn: Session;
beforeAll(async () => {
  log = [];
  admin = await sandboxSession({ log: (line) => log.push(line) });
  signedIn = as("administrator");
});

/** No access token: the registry requires its own. */
function as(role: keyof typeof admin.sandbox.tokens): Session {
  const { url, registryUrl, registryUser, tokens } = admin.sandbox;
  return session({
    FORGECTL_BASE_URL: url,
    FORGECTL_REGISTRY_URL: registryUrl,
    FORGECTL_REGISTRY_USER: registryUser,
    FORGECTL_REGISTRY_PASSWORD: tokens[role],
  });
}

function requests(): string[] {
  return requestsIn(log);
}

const forgectl = (line: string) => signedIn.run(...line.split(" "));
const claims = (token: string) => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

describe("registry token", () => {
  test("prints only the token, for one scope or several", async () => {
    const one = await forgectl("registry token --scope repository:acme/storefront:pull");
    expect([one.code, one.stderr]).toEqual([0, ""]);
    expect(one.stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const both = await forgectl(
      "registry token --scope repository:acme/docs:pull,push --scope registry:catalog:* -o json",
    );
    expect(claims(JSON.parse(both.stdout)).access).toEqual([
      { type: "repository", name: "acme/docs", actions: ["pull", "push"] },
      { type: "registry", name: "catalog", actions: ["*"] },
    ]);
  });

  test.each(["", "pull", "repository:acme/docs", "repository:acme docs:pull", "Repository:a:pull", "repository::pull"])(
    "an invalid scope: %j",
    async (scope) => {
      const { code, stderr } = await signedIn.run("registry", "token", "--scope", scope);
      expect(code).toBe(2);
      expect(stderr).toContain("error: --scope: must be a scope such as repository:acme/website:pull");
    },
  );

  test("a CI job's credentials, for the job's own instance only", async () => {
    const { url, tokens } = admin.sandbox;
    const job = session({
      ...{ CI: "true", CI_SERVER_URL: url, CI_JOB_TOKEN: tokens.jobToken },
      ...{ CI_REGISTRY_USER: "ci-registry-user", CI_REGISTRY_PASSWORD: tokens.jobToken },
    });
    const words = ["registry", "token", "--scope", "repository:acme/storefront:pull,push"];
    const own = await job.run(...words);
    expect(claims(own.stdout).access).toEqual([
      { type: "repository", name: "acme/storefront", actions: ["pull", "push"] },
    ]);
    requests();
    const led = await job.run(...words, "--base-url", url.replace("127.0.0.1", "localhost"));
    expect(led.code).toBe(4);
    expect(led.stderr).toContain("cause: CI_REGISTRY_PASSWORD is for CI_SERVER_URL, not for http://localhost:");
    expect(requests()).toEqual([]);
  });

  test("without credentials, with incomplete ones, with wrong ones", async () => {
    const words = ["registry", "token", "--scope", "registry:catalog:*"];
    requests();
    const none = await admin.run(...words);
    expect([none.code, none.stdout]).toEqual([4, ""]);
    expect(none.stderr).toBe(
      "error: no credentials for the container registry\n" +
        "try:   set FORGECTL_REGISTRY_USER and FORGECTL_REGISTRY_PASSWORD; a CI job has CI_REGISTRY_USER and CI_REGISTRY_PASSWORD\n",
    );
    const half = await admin.run(...words, { env: { FORGECTL_REGISTRY_USER: "sandbox" } });
    expect([half.code, half.stderr]).toEqual([
      2,
      expect.stringContaining("error: FORGECTL_REGISTRY_USER is set, and FORGECTL_REGISTRY_PASSWORD is not\n"),
    ]);
    expect(requests()).toEqual([]);
    const wrong = await signedIn.run(...words, { env: { FORGECTL_REGISTRY_PASSWORD: "hunter2-hunter2" } });
    expect(wrong.code).toBe(4);
    expect(wrong.stderr).toContain("cause: UNAUTHORIZED: HTTP Basic: Access denied\n");
    expect(wrong.stderr).toContain("try:   check FORGECTL_REGISTRY_USER and FORGECTL_REGISTRY_PASSWORD\n");
    expect(wrong.stderr).not.toContain("hunter2");
  });
});

test("the password does not follow a redirect out of an instance that is below a path", async () => {
  const sent: (string | undefined)[] = [];
  const user = await signedInTo(({ url = "", headers }, response) => {
    sent.push(headers.authorization);
    if (url.startsWith("/forge/jwt/")) return void response.writeHead(302, { location: "/other/jwt" }).end();
    response.writeHead(401, { "content-type": "application/json" }).end("{}");
  });
  const env = { FORGECTL_REGISTRY_USER: "root", FORGECTL_REGISTRY_PASSWORD: "s3cret" };
  const words = ["registry", "token", "--scope", "repository:acme/docs:pull"];
  const { code, stderr } = await user.run(...words, { env });
  expect([code, stderr]).toEqual([1, expect.stringContaining("redirects this request to another address")]);
  expect(sent).toEqual([`Basic ${Buffer.from("root:s3cret").toString("base64")}`]);
});

test("a token that is none is not printed, and not sent", async () => {
  const user = await signedInTo((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ token: "a\r\nX-Evil: 1" }));
  });
  const registry = { FORGECTL_REGISTRY_URL: new URL(user.env.FORGECTL_BASE_URL ?? "").origin };
  const env = { ...registry, FORGECTL_REGISTRY_USER: "root", FORGECTL_REGISTRY_PASSWORD: "s3cret" };
  for (const line of ["registry token --scope repository:acme/docs:pull", "registry catalog"]) {
    const { code, stdout, stderr } = await user.run(...line.split(" "), { env });
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining("answered without a token")]);
  }
  expect(user.seen).toHaveLength(2);
});

describe("registry catalog", () => {
  test("every repository, by name", async () => {
    requests();
    const { code, stdout } = await forgectl("registry catalog --limit all --per-page 5 -o json");
    const names = JSON.parse(stdout).map((row: { name: string }) => row.name);
    expect([code, names.length]).toEqual([0, 16]);
    expect(names).toEqual(names.toSorted());
    const asked = requests();
    expect(asked.filter((line) => line.startsWith("GET /jwt/auth"))).toHaveLength(1);
    expect(asked.filter((line) => line.startsWith("GET /v2/_catalog"))).toHaveLength(4);
  });

  test("a token that expires meanwhile is renewed", async () => {
    let ahead = 0;
    let pages = 0;
    const advancing = await sandboxSession({
      now: () => new Date(Date.now() + ahead),
      log: (line) => {
        if (line.startsWith("GET /v2/_catalog") && ++pages === 2) ahead = 600_000;
      },
    });
    const { url, registryUser, tokens } = advancing.sandbox;
    const env = {
      FORGECTL_REGISTRY_URL: url,
      FORGECTL_REGISTRY_USER: registryUser,
      FORGECTL_REGISTRY_PASSWORD: tokens.administrator,
    };
    const { code, stdout } = await advancing.run("registry", "catalog", "--per-page", "5", "--no-header", { env });
    expect([code, stdout.trimEnd().split("\n").length, pages]).toEqual([0, 16, 5]);
  });

  test("ends at pages that form a cycle", async () => {
    const user = await signedInTo(({ url = "" }, response) => {
      const next = url.includes("last=a") ? "b" : "a";
      const headers = { "content-type": "application/json", link: `</v2/_catalog?last=${next}&n=100>; rel="next"` };
      const body = url.includes("/jwt/") ? { token: "t0ken" } : { repositories: [`acme/${next}`] };
      response.writeHead(200, headers).end(JSON.stringify(body));
    });
    const registry = { FORGECTL_REGISTRY_URL: new URL(user.env.FORGECTL_BASE_URL ?? "").origin };
    const env = { ...registry, FORGECTL_REGISTRY_USER: "root", FORGECTL_REGISTRY_PASSWORD: "s3cret" };
    const { code, stderr } = await user.run("registry", "catalog", "--limit", "all", { env });
    expect([code, user.seen.length]).toEqual([1, 4]);
    expect(stderr).toContain("the list does not end: its pages form a cycle");
  });

  test("a link that is no address is an error of the registry's, not a bug of the program", async () => {
    const user = await signedInTo(({ url = "" }, response) => {
      const headers = { "content-type": "application/json", link: '<http://[/v2/_catalog?last=a>; rel="next"' };
      const body = url.includes("/jwt/") ? { token: "t0ken" } : { repositories: ["acme/a"] };
      response.writeHead(200, headers).end(JSON.stringify(body));
    });
    const registry = { FORGECTL_REGISTRY_URL: new URL(user.env.FORGECTL_BASE_URL ?? "").origin };
    const env = { ...registry, FORGECTL_REGISTRY_USER: "root", FORGECTL_REGISTRY_PASSWORD: "s3cret" };
    const { code, stderr } = await user.run("registry", "catalog", "--limit", "all", { env });
    expect([code, stderr]).toEqual([1, expect.stringContaining("cause: the link to its next page is not valid\n")]);
  });

  test("requires an administrator", async () => {
    const { code, stderr } = await as("owner").run("registry", "catalog");
    expect(code).toBe(4);
    expect(stderr).toContain("try:   the catalog is for administrators: check FORGECTL_REGISTRY_USER");
  });

  test("needs the address of a registry that answers like one", async () => {
    const nowhere = await signedIn.run("registry", "catalog", { env: { FORGECTL_REGISTRY_URL: undefined } });
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining("error: missing --registry-url <url>")]);
    const page = await sandboxSession({ faults: "GET /v2/_catalog=html:status=200" });
    const { url, registryUser, tokens } = page.sandbox;
    const env = { FORGECTL_REGISTRY_URL: url, FORGECTL_REGISTRY_USER: registryUser };
    const strange = await page.run("registry", "catalog", {
      env: { ...env, FORGECTL_REGISTRY_PASSWORD: tokens.administrator },
    });
    expect(strange.code).toBe(1);
    expect(strange.stderr).toContain("cause: the answer contains no list of repositories\n");
  });
});

describe("registry manifests delete", () => {
  test("a tag, also on the older path", async () => {
    requests();
    expect(await forgectl("registry manifests delete acme/storefront v1.2.0 --yes")).toEqual({
      code: 0,
      stdout: "image\treference\tstatus\nacme/storefront\tv1.2.0\tdeleted\n",
      stderr: "",
    });
    const legacy = await forgectl("registry manifests delete acme/storefront/worker v1.2.0 --yes --legacy -o json");
    expect(JSON.parse(legacy.stdout)).toEqual({
      image: "acme/storefront/worker",
      reference: "v1.2.0",
      status: "deleted",
    });
    expect(requests()).toEqual([
      "GET /jwt/auth 200",
      "DELETE /v2/acme/storefront/manifests/v1.2.0 202",
      "GET /jwt/auth 200",
      "DELETE /v2/acme/storefront/worker/tags/reference/v1.2.0 202",
    ]);
  });

  test("asks first; a dry run requests no token", async () => {
    requests();
    const asked = await forgectl("registry manifests delete acme/storefront v1.3.0");
    expect([asked.code, asked.stderr]).toEqual([
      2,
      expect.stringContaining(
        "error: this would delete tag acme/storefront:v1.3.0 in the registry, and needs confirmation",
      ),
    ]);
    const dry = await admin.run("registry", "manifests", "delete", "acme/storefront", "v1.3.0", "-n", "-o", "json", {
      env: { FORGECTL_REGISTRY_URL: admin.sandbox.url },
    });
    expect(JSON.parse(dry.stdout)).toEqual([
      { method: "DELETE", url: `${admin.sandbox.url}/v2/acme/storefront/manifests/v1.3.0`, body: null },
    ]);
    expect(requests()).toEqual([]);
  });

  test("a missing manifest, and a user without permission", async () => {
    const gone = await forgectl("registry manifests delete acme/storefront v99 --yes");
    expect([gone.code, gone.stderr]).toEqual([3, expect.stringContaining("(MANIFEST_UNKNOWN: manifest unknown)")]);
    const denied = await as("developer").run(..."registry manifests delete acme/storefront v1.3.0 --yes".split(" "));
    expect(denied.code).toBe(4);
    expect(denied.stderr).toContain("try:   the registry user may not delete in acme/storefront: check FORGECTL");
  });

  test.each([
    [["registry.example.com:5050/acme/docs", "v1"], "error: <image>: must be an image's path"],
    [["acme/docs:v1", "v1"], "error: <image>: must be an image's path"],
    [["../docs", "v1"], "error: <image>: must be an image's path"],
    [["acme/docs/", "v1"], "error: <image>: must be an image's path"],
    [["acme/docs", "a/b"], "error: <tag>: must be a tag, or a digest"],
    [["acme/docs", "sha256:12"], "error: <tag>: must be a tag, or a digest"],
    [["acme/docs", `sha256:${"0".repeat(64)}`, "--legacy"], "error: --legacy takes a tag, not a digest\n"],
    [["acme/docs"], "error: missing <"],
  ])("refuses %j", async (words, message) => {
    requests();
    const { code, stderr } = await signedIn.run("registry", "manifests", "delete", ...words, "--yes");
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(requests()).toEqual([]);
  });
});

test("a command in sandbox exec is signed in to its registry", async () => {
  const words = [process.execPath, binary, "registry", "catalog", "-L", "1", "--no-header", "-q"];
  const { code, stdout } = await session().run("sandbox", "exec", "--", ...words);
  expect([code, stdout]).toEqual([0, "acme/docs\n"]);
});

test("no secret is in a trace, in an error, or sent to another registry", async () => {
  const words = ["registry", "catalog", "--debug", "--retries", "0"];
  const { stderr } = await signedIn.run(...words);
  expect(stderr).toContain("--> GET ");
  for (const secret of [admin.sandbox.tokens.administrator, "eyJ", "Basic c2"]) expect(stderr).not.toContain(secret);
  const plain = await signedIn.run(...words, "--registry-url", "http://registry.invalid");
  expect(plain.code).toBe(11);
  expect(plain.stderr.match(/warning: http:\/\/registry\.invalid is plain http/g)).toHaveLength(1);
});
