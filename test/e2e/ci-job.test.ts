import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { json, signedIn } from "../support/answering.ts";
import { atEnd } from "../support/ending.ts";
import { startSandbox } from "../support/sandbox.ts";
import { requestsIn, type Session, session } from "../support/session.ts";

const log: string[] = [];
const sandbox = await startSandbox({ log: (line) => log.push(line), asDeployed: true });
atEnd(() => sandbox.close());

/** A job of project 7 on a runner where an administrator once signed in. */
function job(env: Record<string, string | undefined> = {}): Session {
  const place = session({
    CI: "true",
    CI_SERVER_URL: sandbox.url,
    CI_PROJECT_ID: "7",
    CI_JOB_TOKEN: sandbox.tokens.jobToken,
    ...env,
  });
  const folder = join(place.home, ".config", "forgectl");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const write = (name: string, content: object) =>
    writeFileSync(join(folder, name), JSON.stringify({ version: 1, ...content }), { mode: 0o600 });
  const profile = {
    "base-url": sandbox.url,
    project: "acme/website",
    output: "json",
    token: { storage: "file", "base-url": sandbox.url },
  };
  write("profiles.json", { current: "default", profiles: { default: profile } });
  write("credentials.json", { tokens: { [`default@${sandbox.url}`]: sandbox.tokens.administrator } });
  return place;
}

const words = (line: string) => line.split(" ");

describe("a profile that is stored on the runner", () => {
  test("is not used: neither its token, nor its project, nor its format", async () => {
    const place = job();
    expect((await place.run("auth", "token")).stdout).toBe(`${sandbox.tokens.jobToken}\n`);
    const { stdout } = await place.run(...words("registry list --fields id"));
    expect(stdout).toBe("id\n12\n13\n14\n");
    const status = await place.run(...words("auth status --offline --fields profile,current,token -o csv"));
    expect(status.stdout).toBe("profile,current,token\n,true,CI_JOB_TOKEN\ndefault,false,file\n");
  });

  test.each<[string, Record<string, string>, string[]]>([
    ["--profile", {}, ["--profile", "default"]],
    ["FORGECTL_PROFILE", { FORGECTL_PROFILE: "default" }, []],
  ])("is used if %s names it", async (_, env, flags) => {
    expect((await job(env).run("auth", "token", ...flags)).stdout).toBe(`${sandbox.tokens.administrator}\n`);
    expect((await job(env).run("users", "me", "--jq", ".username", ...flags)).stdout).toBe("root\n");
  });

  test("doctor warns of it", async () => {
    const { stdout } = await job().run(...words("doctor --offline -o json"));
    const found = JSON.parse(stdout).find(({ check }: { check: string }) => check === "profile");
    expect(found).toMatchObject({ result: "warn", detail: expect.stringContaining("default stored on this runner") });
    expect(found.hint).toContain("profiles remove");
  });

  test("a named one of another instance brings its own address, and nothing of the job counts there", async () => {
    const { stdout } = await job({ CI_SERVER_URL: "http://127.0.0.1:9", CI_REGISTRY: "r.example.com" }).run(
      ...words("doctor --offline --profile default -o json"),
    );
    const of = (name: string) => JSON.parse(stdout).find(({ check }: { check: string }) => check === name).detail;
    expect(of("base_url")).toBe(`${sandbox.url} (profile default)`);
    expect(of("values")).not.toMatch(/r\.example\.com|CI_PROJECT_ID/);
  });
});

describe("a job token where the endpoint takes none", () => {
  test.each([
    "errors disable",
    "files put a.txt -b main -m x --from a.txt",
    "hooks delete 1 -g acme --yes",
    "notes upsert --issue 28 --key k --body x",
    "settings set signup_enabled=false",
    "each --projects-file p.txt --yes -- errors disable",
  ])("%s: refused before anything is sent", async (line) => {
    const place = job();
    writeFileSync(join(place.home, "p.txt"), "acme/storefront\n");
    writeFileSync(join(place.home, "a.txt"), "text\n");
    log.length = 0;
    const { code, stdout, stderr } = await place.run(...words(line));
    expect([code, stdout, log], stderr).toEqual([4, "", []]);
    expect(stderr).toContain(
      "cause: this takes no job token, and the current token is one (CI_JOB_TOKEN)\noutcome: nothing was sent\n",
    );
    expect(stderr).toContain("FORGECTL_TOKEN");
  });

  test("with FORGECTL_TOKEN the same is done", async () => {
    const { code } = await job({ FORGECTL_TOKEN: sandbox.tokens.administrator }).run(...words("errors disable"));
    expect(code).toBe(0);
  });

  test("a dry run shows the request", async () => {
    expect((await job().run(...words("errors disable -n"))).code).toBe(0);
  });

  test.each(["files cat README.md -p 4", "projects get 4", "notes list --issue 1 -p 4", "events list -p 4"])(
    "%s, of a private project: exit 4, and the kind of token is the cause",
    async (line) => {
      const { code, stdout, stderr } = await job().run(...words(line));
      expect([code, stdout], stderr).toEqual([4, ""]);
      expect(stderr).toMatch(/job token/);
      expect(stderr).toMatch(/^try: {3}job tokens are not accepted here; set an access token in FORGECTL_TOKEN/m);
    },
  );

  test("an answer is marked as what anybody may see, also with -q", async () => {
    const { code, stderr } = await job().run(...words("groups get acme -q"));
    expect(code).toBe(0);
    expect(stderr.match(/answered as without one/g)).toHaveLength(1);
    expect(stderr).toMatch(/^warning: job tokens are not accepted here/);
  });

  test("where one is taken, nothing is marked", async () => {
    const { code, stderr } = await job().run(...words("registry list -q"));
    expect([code, stderr]).toEqual([0, ""]);
  });

  test("a token-command is not run for the check", async () => {
    log.length = 0;
    const place = session({ FORGECTL_BASE_URL: sandbox.url });
    await place.run("profiles", "set", "work", `base-url=${sandbox.url}`, "token-command=touch ran; echo t");
    const { code } = await place.run(...words("hooks delete 1 -g acme"), { env: { FORGECTL_PROFILE: "work" } });
    expect([code, requestsIn(log)]).toEqual([2, []]);
  });
});

describe("a refusal to a job token", () => {
  const asJob = async (status: number, body: object) => {
    const { env } = await signedIn(json(status, JSON.stringify(body)));
    return session({ FORGECTL_BASE_URL: env.FORGECTL_BASE_URL, FORGECTL_JOB_TOKEN: "job-t0ken" });
  };

  test.each([
    [401, "401 No"],
    [403, "403 No"],
    [404, "404 Project Not Found"],
  ])("%i names it", async (status, message) => {
    const place = await asJob(status, { message });
    for (const line of ["registry list -p 8", "artifacts list -p 8 --ref main --job x", "api projects/8"]) {
      const { stderr } = await place.run(...words(line));
      expect(stderr).toContain("the token is a job token (FORGECTL_JOB_TOKEN)");
    }
  });

  test("a permission that the allowlist's entry lacks", async () => {
    const message =
      "Insufficient permissions to access this resource in project X. The following token permission is required: read_jobs.";
    const { stderr } = await (await asJob(403, { message })).run(...words("artifacts cat a.txt -p 8 --job-id 1"));
    expect(stderr).toContain('lacks that permission: in the settings of the project that was asked, "Job token perm');
    expect(stderr).not.toContain("forgectl job-token projects add");
  });

  test("of another project's registry: an allowlist does not help", async () => {
    const { stderr } = await (await asJob(403, { message: "403 Forbidden" })).run(...words("registry list -p 8"));
    expect(stderr).toContain("only for the registry of the job's own project");
    expect(stderr).not.toContain("job-token projects add");
  });
});

describe("a token that lacks a permission is valid", () => {
  const granular = {
    error: "insufficient_granular_scope",
    error_description:
      "Access denied: Your fine-grained personal access token requires the following user permissions: [read_user].",
  };
  const answers = (body: object) => json(403, JSON.stringify(body));

  test("auth login stores it, without a user", async () => {
    const place = await signedIn(answers(granular));
    const { FORGECTL_BASE_URL: url = "" } = place.env;
    const { code, stdout, stderr } = await place.run(
      ...words(`auth login --base-url ${url} --token-stdin --insecure-storage -o json`),
      { input: "gr4nular-token\n", env: { FORGECTL_TOKEN: undefined } },
    );
    expect([code, JSON.parse(stdout)], stderr).toMatchObject([0, { user: null, role: null, token: "file" }]);
    expect(stderr).toContain("the token is valid, but may not read its user");
    expect(stderr).toContain("[read_user]");
    const stored = await place.run("auth", "token", "--profile", "default");
    expect(stored.stdout).toBe("gr4nular-token\n");
  });

  test("auth status and doctor say that it works, and what is missing", async () => {
    const place = await signedIn(answers(granular));
    const { code, stdout } = await place.run(...words("auth status -o json"));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      { works: true, user: null, problem: expect.stringContaining("read_user") },
    ]);
    const found = JSON.parse((await place.run(...words("doctor -o json"))).stdout);
    const token = found.find(({ check }: { check: string }) => check === "token");
    expect(token).toMatchObject({ result: "warn", detail: expect.stringContaining("[read_user]") });
    expect(token.hint).toContain("the permission read_user");
  });

  test.each<[object, string]>([
    [granular, "give the fine-grained token the permission read_user;"],
    [
      {
        error: "insufficient_granular_scope",
        error_description: "This operation doesn't support fine-grained tokens.",
      },
      "use a classic token for this",
    ],
    [{ error: "insufficient_scope", scope: "api read_api" }, "use a token with the scope api or read_api"],
  ])("%j: the hint names what is missing", async (body, hint) => {
    const { code, stderr } = await (await signedIn(answers(body))).run(...words("registry list -p 7"));
    expect([code, stderr]).toEqual([5, expect.stringContaining(`try:   ${hint}`)]);
  });
});

test.each<[string, string]>([
  [
    "registry tags delete 12 v1 -p 7 --yes",
    "usually this needs the Developer role; or the tag is protected or immutable",
  ],
  [
    "artifacts cat a.txt -p 7 --job-id 1",
    "or the job limits its artifacts to developers or maintainers (artifacts:access)",
  ],
  ["artifacts delete 1 -p 7 --yes", "usually this needs the Maintainer role; or the job's branch or tag is protected"],
])("a 403 without a reason, %s: its possible causes", async (line, cause) => {
  const place = await signedIn(json(403, '{"message":"403 Forbidden"}'));
  const { code, stderr } = await place.run(...words(line));
  expect([code, stderr]).toEqual([5, expect.stringContaining(cause)]);
});
