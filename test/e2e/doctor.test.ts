import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { signedIn } from "../support/answering.ts";
import { examined } from "../support/examined.ts";
import { requestsIn, type Session, sandboxSession, session } from "../support/session.ts";

let admin: Awaited<ReturnType<typeof sandboxSession>>;
const log: string[] = [];
beforeAll(async () => {
  admin = await sandboxSession({ log: (line) => log.push(line) });
});

/** Scripts rely on the names, which must not change, nor their order. */
const names = [
  ...["config", "profile", "base_url", "values", "keyring", "credential", "proxy", "dns", "connection", "tls", "api"],
  ...["token", "clock", "latency", "rate_limit", "registry", "registry_token", "program", "completions"],
];

/** Writes the profiles file. */
function store(place: Session, text: string | object): string {
  const folder = join(place.home, ".config", "forgectl");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "profiles.json");
  writeFileSync(path, typeof text === "string" ? text : JSON.stringify({ version: 1, ...text }), { mode: 0o600 });
  return path;
}

/** Resolves once a file is not empty. */
async function appears(path: string): Promise<void> {
  while (!existsSync(path) || readFileSync(path, "utf8") === "") await new Promise((done) => setTimeout(done, 20));
}

describe("without problems", () => {
  test("each check has its row, in a fixed order, and nothing is changed", async () => {
    log.length = 0;
    const { code, rows, wrong, of, stderr } = await examined(admin);
    expect([code, wrong, stderr]).toEqual([0, [], "nothing failed\n"]);
    expect(rows.map(({ check }) => check)).toEqual(names);
    expect(of("token").detail).toBe("an access token of root (administrator), scopes api, without an expiry date");
    expect(of("api").detail).toMatch(/^GET \/api\/v4\/user answered 200, release 17\./);
    expect(requestsIn(log).every((line) => line.startsWith("GET "))).toBe(true);
    expect(readdirSync(admin.home)).toEqual([]);
  });

  test("in a pipe it is TSV, with the same four columns; on a terminal the hint is below", async () => {
    const tsv = await admin.run("doctor");
    expect(tsv.stdout.split("\n")[0]).toBe("check\tresult\tdetail\thint");
    expect(tsv.stdout.trimEnd().split("\n")).toHaveLength(names.length + 1);
    const table = await admin.run("doctor", "-o", "table", { env: { SHELL: "/bin/bash" } });
    expect(table.stdout).toContain("ok       program         forgectl ");
    expect(table.stdout).toContain("\n                         try: forgectl completion install\n");
  });

  test("color only repeats the words", async () => {
    const { stdout } = await admin.run("doctor", "-o", "table", "--color", "always", {
      env: { FORGECTL_RETRIES: "x" },
    });
    expect(stdout).toContain("\u001b[32mok     \u001b[39m  config");
    expect(stdout).toContain("\u001b[31mfail   \u001b[39m  values");
    expect(stdout).toContain("\u001b[2mskipped\u001b[22m  registry_token");
  });

  test("the kind of token is shown, but not the token", async () => {
    const { of } = await examined(admin.as("readApi"));
    expect(of("token").detail).toContain("scopes read_api");
    for (const role of ["administrator", "expired", "revoked"] as const) {
      const { stdout, stderr } = await examined(admin.as(role));
      expect(stdout + stderr).not.toContain(admin.sandbox.tokens[role]);
    }
  });

  test("the registry and its token, if they are configured", async () => {
    const { code, of } = await examined(admin, {
      env: {
        FORGECTL_REGISTRY_URL: admin.sandbox.registryUrl,
        FORGECTL_REGISTRY_USER: "sandbox",
        FORGECTL_REGISTRY_PASSWORD: admin.sandbox.tokens.administrator,
      },
    });
    expect([code, of("registry").detail]).toEqual([0, `${admin.sandbox.registryUrl} (FORGECTL_REGISTRY_URL) answers`]);
    expect(of("registry_token")).toMatchObject({ result: "ok" });
    const wrong = await examined(admin, {
      env: { FORGECTL_REGISTRY_USER: "sandbox", FORGECTL_REGISTRY_PASSWORD: "not-the-password" },
    });
    expect([wrong.code, wrong.wrong]).toEqual([4, ["registry_token: fail"]]);
    expect(wrong.of("registry_token").hint).toContain("FORGECTL_REGISTRY_PASSWORD");
    expect(wrong.stdout + wrong.stderr).not.toContain("not-the-password");
  });
});

describe("--offline", () => {
  test("sends nothing at all", async () => {
    log.length = 0;
    const { code, of, rows } = await examined(admin, "--offline");
    expect([code, log]).toEqual([0, []]);
    expect(of("dns")).toMatchObject({ result: "skipped", detail: "--offline: nothing is sent" });
    expect(rows.map(({ check }) => check)).toEqual(names);
    expect(of("credential").detail).toBe("an access token (FORGECTL_TOKEN)");
  });

  test("does not run a token-command either", async () => {
    const place = session();
    const asked = join(place.home, "asked");
    store(place, {
      current: "work",
      profiles: { work: { "base-url": admin.sandbox.url, "token-command": `echo x > ${asked}; echo token` } },
    });
    const { code, of } = await examined(place, "--offline");
    expect([code, of("credential").result, readdirSync(place.home)]).toEqual([0, "skipped", [".config"]]);
  });
});

describe("the configuration", () => {
  test("empty: the sign-in command is named", async () => {
    const { code, wrong, of } = await examined(session());
    // The machine that runs the tests may have no keyring.
    const failed = wrong.filter((line) => line !== "keyring: warn");
    expect([code, failed]).toEqual([2, ["base_url: fail", "credential: fail"]]);
    expect([of("base_url").hint, of("credential").hint].every((hint) => hint?.startsWith("forgectl auth login"))).toBe(
      true,
    );
    expect(of("api")).toMatchObject({ result: "skipped", detail: "base_url failed" });
  });

  test("a damaged file is one failure, and the environment is still checked", async () => {
    const place = admin.as("developer");
    const path = store(place, '{"version": 1, "profiles": {"work": {"base-url": "https://x", ');
    const before = readFileSync(path, "utf8");
    const { code, wrong, of } = await examined(place);
    expect([code, wrong]).toEqual([2, ["config: fail"]]);
    expect(of("config").detail).toContain(`${path} is not valid`);
    expect(of("profile")).toMatchObject({ result: "skipped", detail: "config failed" });
    expect([of("token").result, readFileSync(path, "utf8")]).toEqual(["ok", before]);
  });

  test("a key of the profile that has no effect", async () => {
    const place = session();
    store(place, { current: "work", profiles: { work: { "base-url": admin.sandbox.url, colour: true } } });
    expect((await examined(place)).of("profile")).toMatchObject({
      result: "warn",
      detail: "work (current profile): this version does not know colour, which has no effect",
    });
  });

  test("a profile that does not exist, with those that do", async () => {
    const place = session();
    store(place, { current: "work", profiles: { work: { "base-url": admin.sandbox.url } } });
    const { code, wrong, of } = await examined(place, "--profile", "wrok");
    expect([code, wrong[0]]).toEqual([2, "profile: fail"]);
    expect(of("profile").hint).toContain("did you mean work?");
    const gone = session();
    store(gone, { current: "work", profiles: {} });
    expect((await examined(gone)).of("profile")).toMatchObject({
      result: "warn",
      hint: expect.stringContaining("use"),
    });
  });

  test.each(["forge", "ftp://forge.example.com", "https://", "https://jo:hunter2@forge.example.com"])(
    "a base URL that is not one: %s",
    async (url) => {
      const place = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "s3cret-token" });
      const { code, wrong, of, stdout, stderr } = await examined(place);
      expect([code, wrong]).toEqual([2, ["base_url: fail"]]);
      expect(of("base_url").hint).toBeTruthy();
      expect(stdout + stderr).not.toMatch(/hunter2|s3cret/);
    },
  );

  test("all invalid values are listed; the other checks use the defaults", async () => {
    const env = { FORGECTL_TIMEOUT: "soon", FORGECTL_RETRIES: "-1", FORGECTL_REGISTRY_URL: "registry" };
    const { code, wrong, of } = await examined(admin, { env });
    expect([code, wrong]).toEqual([2, ["values: fail"]]);
    for (const name of Object.keys(env)) expect(of("values").detail).toContain(name);
    expect(of("token").result).toBe("ok");
  });

  test("each active value has its source", async () => {
    const place = session({ FORGECTL_TOKEN: admin.sandbox.tokens.developer, FORGECTL_GROUP: "acme" });
    store(place, {
      current: "work",
      profiles: { work: { "base-url": admin.sandbox.url, project: "acme/docs", retries: 2, proxy: "http://a:pw@b" } },
    });
    const { of, stdout } = await examined(place, "--offline", "--timeout", "7");
    expect(of("base_url").detail).toBe(`${admin.sandbox.url} (profile work)`);
    expect(of("profile").detail).toBe("work (current profile)");
    expect(of("values").detail).toBe(
      "project acme/docs (profile work), group acme (FORGECTL_GROUP), output json (--output), " +
        "timeout 7 (--timeout), retries 2 (profile work)",
    );
    expect(of("proxy").detail).toBe("http://b, with credentials (the profile key `proxy`)");
    expect(stdout).not.toContain("a:pw");
  });

  test("files that others can read are a warning, with the command to fix it", async () => {
    const place = session({ FORGECTL_BASE_URL: admin.sandbox.url, FORGECTL_TOKEN: admin.sandbox.tokens.guest });
    const path = store(place, { profiles: {} });
    chmodSync(path, 0o644);
    const { code, wrong, of } = await examined(place);
    expect([code, wrong]).toEqual([0, ["config: warn"]]);
    expect(of("config").detail).toContain(`${path} (0644)`);
    expect(of("config").hint).toBe(`chmod 600 '${path}'`);
  });
});

test("a page of a load balancer for 502, 503, and 504 is an instance that is not available", async () => {
  const place = await signedIn((_request, response) => {
    response.writeHead(503, { "content-type": "text/html" }).end("<html>Deploy in progress</html>");
  });
  const { code, wrong, of } = await examined(place, "--retries", "0");
  const hint = "the instance, or a proxy in front of it, is not available: try again later";
  expect([code, wrong, of("api").hint]).toEqual([1, ["api: fail"], hint]);
});

describe("what cannot be stored or sent", () => {
  test("quotes around the token are noticed before anything is sent, in doctor and elsewhere", async () => {
    log.length = 0;
    const place = session({ FORGECTL_BASE_URL: admin.sandbox.url, FORGECTL_TOKEN: `"s3cret-token"` });
    const { code, wrong, of, stdout } = await examined(place);
    expect([code, wrong]).toEqual([2, ["credential: fail"]]);
    expect(of("credential")).toMatchObject({
      detail: "FORGECTL_TOKEN: the token is in quotes",
      hint: "give the token alone, without quotes or a line break",
    });
    expect(stdout).not.toContain("s3cret");
    const other = await place.run("users", "me");
    expect([other.code, other.stderr.includes("the token is in quotes")]).toEqual([2, true]);
    expect(log.join("\n")).not.toContain("GET /users");
  });

  test("a folder for the configuration that cannot be made or written is a warning", async () => {
    const place = admin.as("developer");
    const file = join(place.home, "file");
    writeFileSync(file, "");
    const below = await examined(place, { env: { XDG_CONFIG_HOME: join(file, "config") } });
    expect([below.code, below.wrong]).toEqual([0, ["config: warn"]]);
    const closed = join(place.home, "closed");
    mkdirSync(closed, { mode: 0o555 });
    const { code, wrong, of } = await examined(place, { env: { XDG_CONFIG_HOME: join(closed, "a", "b") } });
    expect([code, wrong]).toEqual([0, ["config: warn"]]);
    expect(of("config").detail).toContain(`${closed} cannot be written to`);
    expect(of("config").hint).toContain("FORGECTL_CONFIG_DIR");
    expect(readdirSync(closed)).toEqual([]);
  });

  test("no keyring: a warning only where a token would be stored, in plain words", async () => {
    const bare = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent" };
    const { wrong, of } = await examined(session({ FORGECTL_BASE_URL: admin.sandbox.url, ...bare }));
    // The machine that runs the tests may have a keyring that needs no bus.
    if (of("keyring").detail === "available") return;
    expect(wrong[0]).toBe("keyring: warn");
    expect(of("keyring").detail).toBe(
      "none on this machine: auth login can store a token only in a file that only you can read",
    );
    expect(of("keyring").hint).toContain("--insecure-storage");
    const given = await examined(admin, { env: bare });
    expect([given.wrong, given.of("keyring").detail]).toEqual([
      [],
      "none on this machine; not needed: FORGECTL_TOKEN has the token",
    ]);
  });
});

test("a start-up file of the shell that is not UTF-8 is a finding, after those of the other checks", async () => {
  const place = admin.as("administrator");
  const path = join(place.home, ".bashrc");
  writeFileSync(path, Buffer.from("# café\n", "latin1"));
  const { code, rows, wrong, of } = await examined(place, { env: { SHELL: "/bin/bash" } });
  expect([code, wrong]).toEqual([2, ["completions: fail"]]);
  expect(rows.map(({ check }) => check)).toEqual(names);
  expect(of("completions")).toMatchObject({
    detail: `${path} is not UTF-8 text`,
    hint: "convert it to UTF-8, then run forgectl completion install",
  });
});

test("Ctrl-C ends it at once, even during a wait", async () => {
  const place = session();
  const [begun, ended] = [join(place.home, "begun"), join(place.home, "ended")];
  const command = `trap 'echo yes > ${ended}; exit' TERM; echo yes > ${begun}; while :; do sleep 0.1; done`;
  store(place, { current: "work", profiles: { work: { "base-url": admin.sandbox.url, "token-command": command } } });
  const { code } = await place.run("doctor", { kill: { signal: "SIGINT", when: appears(begun) } });
  expect(code).toBe(130);
  await appears(ended);
});

describe("tokens", () => {
  test("a refused one is exit 4, even if everything else is fine", async () => {
    for (const role of ["expired", "revoked"] as const) {
      const { code, wrong } = await examined(admin.as(role));
      expect([code, wrong]).toEqual([4, ["token: fail"]]);
    }
  });

  test("one without sufficient scopes works, and is a warning; one of a blocked user is exit 5", async () => {
    const { code, of } = await examined(admin.as("readRepository"));
    expect([code, of("token")]).toMatchObject([0, { result: "warn", hint: expect.stringContaining("read_api") }]);
    const blocked = await examined(admin.as("blocked"));
    expect([blocked.code, blocked.wrong]).toEqual([5, ["token: fail"]]);
    expect(blocked.of("token").hint).toContain("an administrator can unblock");
    expect(blocked.of("token").hint).not.toContain("auth login");
  });

  test("a CI job's shows its job", async () => {
    const place = session({ CI_SERVER_URL: admin.sandbox.url, CI_JOB_TOKEN: admin.sandbox.tokens.jobToken });
    const { code, wrong, of } = await examined(place);
    expect([code, wrong]).toEqual([0, []]);
    expect(of("credential").detail).toBe("a job token (CI_JOB_TOKEN)");
    expect(of("token").detail).toMatch(/^a job token: job 1001 \(.+\) of project 7, running, as dana\.dixon;/);
  });

  test("a hanging token command times out, and delays nothing else", async () => {
    const place = session();
    store(place, {
      current: "work",
      profiles: { work: { "base-url": admin.sandbox.url, "token-command": "exec sleep 60" } },
    });
    const { code, wrong, of } = await examined(place, "--timeout", "0.3");
    expect([code, wrong]).toEqual([11, ["credential: fail"]]);
    expect(of("api").detail).toBe("GET /api/v4/user answered 401");
    expect(of("token")).toMatchObject({ result: "skipped", detail: "credential failed" });
  });
});
