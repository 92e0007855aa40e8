import { chmod, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { startSandbox } from "../support/sandbox.ts";
import { requestsIn, type Session, sandboxSession, session } from "../support/session.ts";

let first: Sandbox;
let second: Sandbox;
const logs: string[] = [];
beforeAll(async () => {
  first = (await sandboxSession({ log: (line) => logs.push(line) })).sandbox;
  second = await startSandbox({});
  return () => second.close();
});

const requests = () => requestsIn(logs);

const configOf = (from: Session) => join(from.home, ".config", "forgectl");
const stored = async (from: Session) => JSON.parse(await readFile(join(configOf(from), "profiles.json"), "utf8"));
const words = (line: string) => line.split(" ");

/** A session with one profile, signed in by file. */
async function signedIn(): Promise<Session> {
  const shell = session();
  const login = ["auth", "login", "--base-url", `${first.url}/api/v4/`, "--token-stdin", "--insecure-storage"];
  const { code } = await shell.run(...login, { input: `${first.tokens.administrator}\n` });
  expect(code).toBe(0);
  requests();
  return shell;
}

describe("a list that shows only what is public has to say so", () => {
  test("a token that is no longer there: nothing is sent, neither without it nor with another one", async () => {
    const shell = await signedIn();
    await rm(join(configOf(shell), "credentials.json"));
    for (const line of ["projects list", "registry list -g acme", "--profile default projects list"]) {
      const env = line.startsWith("--profile") ? { FORGECTL_TOKEN: first.tokens.guest } : {};
      const { code, stdout, stderr } = await shell.run(...words(line), { env });
      expect([line, code, stdout]).toEqual([line, 4, ""]);
      expect(stderr).toMatch(
        /^error: the token of profile default is no longer where it was stored\ntry: .* forgectl --profile default auth login$/m,
      );
    }
    expect(requests()).toEqual([]);
  });

  test("a token for another address: a warning, once", async () => {
    const shell = await signedIn();
    const { code, stderr } = await shell.run(...words("projects list --limit all"), {
      env: { FORGECTL_BASE_URL: second.url },
    });
    expect(code).toBe(0);
    expect(stderr).toContain(`warning: no token is sent: the token of profile default is for ${first.url}, not for`);
    expect(stderr.match(/no token is sent/g)).toHaveLength(1);
    const job = { CI_JOB_TOKEN: "job-token", CI_SERVER_URL: first.url, FORGECTL_BASE_URL: second.url };
    const inJob = await session(job).run(...words("projects list"));
    expect(inJob.stderr).toContain("warning: no token is sent: CI_JOB_TOKEN is for CI_SERVER_URL, not for");
  });
});

describe("auth login", () => {
  test("checks the token and stores the profile, which the next command uses", async () => {
    const shell = session();
    const login = ["auth", "login", "--base-url", `${first.url}/api/v4/`, "--token-stdin", "--insecure-storage"];
    requests();
    const result = await shell.run(...login, "-o", "json", { input: `${first.tokens.administrator}\n` });
    expect(JSON.parse(result.stdout)).toEqual({
      profile: "default",
      base_url: first.url,
      user: "root",
      role: "administrator",
      token: "file",
    });
    expect({ code: result.code, stderr: result.stderr }).toEqual({
      code: 0,
      stderr: `signed in to ${first.url} as root\n`,
    });
    expect(requests()).toEqual(["GET /api/v4/user 200"]);
    expect(await stored(shell)).toEqual({
      version: 1,
      current: "default",
      profiles: { default: { "base-url": first.url, token: { storage: "file", "base-url": first.url } } },
    });
    expect((await stat(join(configOf(shell), "credentials.json"))).mode & 0o777).toBe(0o600);
    expect((await stat(configOf(shell))).mode & 0o777).toBe(0o700);
    expect((await shell.run(...words("users me --fields username --no-header"))).stdout).toBe("root\n");
  });

  test("reads the token from a file, or from a command that is stored instead of it", async () => {
    const shell = session();
    await writeFile(join(shell.home, "token"), `${first.tokens.guest}\n`);
    const common = ["auth", "login", "--base-url", first.url, "-o", "json"];
    const byFile = await shell.run(...common, "--token-file", "token", "--insecure-storage");
    expect(JSON.parse(byFile.stdout)).toMatchObject({ role: "regular", token: "file" });
    const byCommand = await shell.run(...common, "--token-command", `cat ${shell.home}/token`);
    expect(JSON.parse(byCommand.stdout)).toMatchObject({ role: "regular", token: "command" });
    expect(await readFile(join(configOf(shell), "credentials.json"), "utf8")).not.toContain(first.tokens.guest);
    expect((await shell.run("auth", "token")).stdout).toBe(`${first.tokens.guest}\n`);
  });

  test("another address for a profile: what it keeps of the old instance is named", async () => {
    const shell = await signedIn();
    await shell.run("profiles", "set", "default", "project=7", "token-command=echo x");
    const login = ["auth", "login", "--profile", "default", "--base-url", second.url];
    const result = await shell.run(...login, "--token-stdin", "--insecure-storage", {
      input: second.tokens.administrator,
    });
    expect([result.code, result.stderr]).toEqual([
      0,
      `warning: profile default keeps the project of ${first.url}; unless that holds for ${second.url}: ` +
        `forgectl --profile default --base-url ${second.url} profiles unset default project\n` +
        `signed in to ${second.url} as root\n`,
    ]);
  });

  test("a refused token is not stored", async () => {
    const shell = session();
    const login = ["auth", "login", "--base-url", first.url, "--token-stdin", "--insecure-storage"];
    const result = await shell.run(...login, { input: "hunter2" });
    expect(result.code).toBe(4);
    expect(result.stderr).toContain(`error: ${first.url} does not accept this token`);
    expect(result.stderr + result.stdout).not.toContain("hunter2");
    await expect(readdir(configOf(shell))).rejects.toThrow("ENOENT");
  });

  test("without a keyring: names the alternatives, unless the file is requested", async () => {
    const shell = session();
    const input = { input: first.tokens.administrator };
    requests();
    const result = await shell.run("auth", "login", "--base-url", first.url, "--token-stdin", input);
    // The machine that runs the tests may have a keyring.
    if (result.code === 0) {
      expect((await shell.run("auth", "logout")).code).toBe(0);
      return;
    }
    expect([result.code, requests()]).toEqual([2, []]);
    for (const way of ["--insecure-storage", "--token-command", "FORGECTL_TOKEN"]) expect(result.stderr).toContain(way);
    expect(result.stderr).not.toContain(first.tokens.administrator);
  });

  test.each<[string, string[], string, RegExp]>([
    ["no base URL", ["--token-stdin"], "x", /^error: missing --base-url <url>$/m],
    [
      "no token",
      ["--base-url", "https://forge.example.com"],
      "",
      /^error: missing --token-stdin, --token-file <file>, or --token-command <cmd>$/m,
    ],
    ["two tokens", ["--base-url", "https://x", "--token-stdin", "--token-command", "x"], "x", /give only one of/],
    ["credentials in the URL", ["--base-url", "https://u:hunter2@x"], "", /has credentials in it/],
    ["no scheme", ["--base-url", "forge.example.com"], "", /write https:\/\/forge.example.com/],
    [
      "an empty token",
      ["--base-url", "https://x", "--token-stdin", "--insecure-storage"],
      "\n",
      /--token-stdin: the token is empty/,
    ],
    [
      "two lines",
      ["--base-url", "https://x", "--token-stdin", "--insecure-storage"],
      "hunter2\nhunter2\n",
      /contains a line break/,
    ],
    [
      "no such file",
      ["--base-url", "https://x", "--token-file", "nope", "--insecure-storage"],
      "",
      /the file nope does not exist/,
    ],
    ["an unknown field", ["--base-url", "https://x", "--token-stdin", "--fields", "nope"], "t", /no field "nope"/],
  ])("%s: exit 2, nothing sent, and the value not repeated", async (_, args, input, message) => {
    const { code, stdout, stderr } = await session().run("auth", "login", ...args, { input });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain("hunter2");
  });

  test("without a terminal and a token: all ways are named", async () => {
    const { stderr } = await session().run("auth", "login", "--base-url", first.url);
    for (const way of ["--token-stdin", "--token-file", "--token-command", "FORGECTL_TOKEN"])
      expect(stderr).toContain(way);
  });

  test("another instance does not replace a profile without its name", async () => {
    const shell = await signedIn();
    const login = ["auth", "login", "--base-url", second.url, "--token-stdin", "--insecure-storage"];
    const refused = await shell.run(...login, { input: second.tokens.guest });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      `profile default is for ${first.url}; name a profile for this instance with --profile`,
    );
    const named = await shell.run(...login, "--profile", "other", { input: second.tokens.guest });
    expect(named.code).toBe(0);
    expect(await stored(shell)).toMatchObject({ current: "default", profiles: { other: { "base-url": second.url } } });
  });

  test("a dry run checks and stores nothing", async () => {
    const shell = session();
    const login = ["auth", "login", "--base-url", first.url, "--token-stdin", "--insecure-storage", "-n"];
    const { code } = await shell.run(...login, { input: first.tokens.guest });
    expect(code).toBe(0);
    await expect(readdir(configOf(shell))).rejects.toThrow("ENOENT");
  });
});

describe("a token is not used elsewhere", () => {
  test("another base URL does not get it", async () => {
    const shell = await signedIn();
    const seen: string[] = [];
    const { createServer } = await import("node:http");
    const server = createServer((request, response) => {
      seen.push(JSON.stringify(request.headers));
      response.writeHead(401).end("{}");
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as { port: number };
    const result = await shell.run("users", "me", "--base-url", `http://127.0.0.1:${port}`);
    server.close();
    expect(result.code).toBe(4);
    expect(seen).toHaveLength(1);
    expect(seen.join()).not.toContain(first.tokens.administrator);
  });
});

describe("auth status", () => {
  test("each profile, and whether it works", async () => {
    const shell = await signedIn();
    await shell.run("profiles", "set", "empty", `base-url=${first.url}`);
    const { code, stdout } = await shell.run("auth", "status");
    expect(stdout.split("\n")).toEqual([
      "profile\tcurrent\tbase_url\tuser\trole\ttoken\tscopes\texpires_at\trelease\tguard\tworks\tproblem",
      `default\ttrue\t${first.url}\troot\tadministrator\tfile\t["api"]\t\t17.4.0-sandbox\t\ttrue\t`,
      `empty\tfalse\t${first.url}\t\t\tnone\t\t\t\t\tfalse\tno token`,
      "",
    ]);
    expect(code).toBe(0);
  });

  test("offline sends nothing", async () => {
    const shell = await signedIn();
    const { code, stdout } = await shell.run("auth", "status", "--offline", "-o", "json");
    expect([code, requests()]).toEqual([0, []]);
    expect(JSON.parse(stdout)).toEqual([
      {
        profile: "default",
        current: true,
        base_url: first.url,
        user: null,
        role: null,
        token: "file",
        scopes: null,
        expires_at: null,
        release: null,
        guard: null,
        works: null,
        problem: null,
      },
    ]);
  });

  test("values from the environment have their own row", async () => {
    const shell = await signedIn();
    const env = { FORGECTL_TOKEN: first.tokens.guest };
    const rows = JSON.parse((await shell.run("auth", "status", "-o", "json", { env })).stdout);
    expect(rows).toMatchObject([
      { profile: null, current: true, role: "regular", token: "FORGECTL_TOKEN", works: true },
      { profile: "default", current: false, role: "administrator", token: "file", works: true },
    ]);
    const named = await shell.run("auth", "status", "-o", "json", "--profile", "default", { env });
    expect(JSON.parse(named.stdout)).toMatchObject([{ profile: "default", current: true, role: "administrator" }]);
  });

  test("fails if the active sign-in does not work", async () => {
    const shell = await signedIn();
    const env = { FORGECTL_TOKEN: "hunter2" };
    const { code, stdout, stderr } = await shell.run("auth", "status", { env });
    expect(code).toBe(4);
    expect(stdout).toContain("FORGECTL_TOKEN\t\t\t\t\tfalse\t401 Unauthorized");
    expect(stderr).toContain("error: the current sign-in does not work");
    const whole = await shell.run("auth", "status", "-o", "json", { env });
    expect(JSON.parse(whole.stdout)).toMatchObject([
      { profile: null, works: false },
      { profile: "default", works: true },
    ]);
    expect(JSON.parse(whole.stderr)).toMatchObject({
      error: { exit: 4, message: "the current sign-in does not work" },
    });
    expect((await session().run("auth", "status")).code).toBe(4);
    const down = await session().run("auth", "status", "--retries", "0", {
      env: { FORGECTL_BASE_URL: "http://127.0.0.1:1", FORGECTL_TOKEN: "t" },
    });
    expect(down.code).toBe(11);
  });

  test("a job token is shown, without an error", async () => {
    const env = { CI_SERVER_URL: first.url, CI_JOB_TOKEN: first.tokens.jobToken };
    const { code, stdout } = await session(env).run("auth", "status", "-o", "json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([{ profile: null, token: "CI_JOB_TOKEN", works: null }]);
  });
});

describe("auth token and logout", () => {
  test("prints the bare token; after logout, it is gone", async () => {
    const shell = await signedIn();
    expect((await shell.run("auth", "token")).stdout).toBe(`${first.tokens.administrator}\n`);
    const out = await shell.run("auth", "logout", "-o", "json");
    expect(JSON.parse(out.stdout)).toEqual({
      profile: "default",
      base_url: first.url,
      token: "none",
      forgotten: "file",
    });
    expect(out.stderr).toBe(
      `the token of profile default is forgotten, removed from ${join(configOf(shell), "credentials.json")}\n`,
    );
    expect(await readFile(join(configOf(shell), "credentials.json"), "utf8")).not.toContain(first.tokens.administrator);
    const none = await shell.run("auth", "token");
    expect([none.code, none.stdout]).toEqual([4, ""]);
    expect((await shell.run("auth", "logout")).stderr).toBe("profile default has no token\n");
    expect(await stored(shell)).toMatchObject({ profiles: { default: { "base-url": first.url } } });
  });

  test("prints the environment's token, unless --profile names a profile", async () => {
    const shell = await signedIn();
    const env = { FORGECTL_TOKEN: "other" };
    expect((await shell.run("auth", "token", { env })).stdout).toBe("other\n");
    const named = await shell.run("auth", "token", "--profile", "default", { env });
    expect(named.stdout).toBe(`${first.tokens.administrator}\n`);
    expect((await shell.run("auth", "token", "--profile", "nope", { env })).code).toBe(2);
  });
});

describe("a token of the environment beside a profile", () => {
  test.each([
    ["alone, the profile's acts", {}, [], "profile"],
    ["FORGECTL_TOKEN acts", { FORGECTL_TOKEN: "guest" }, [], "FORGECTL_TOKEN"],
    ["FORGECTL_TOKEN_FILE acts", { FORGECTL_TOKEN_FILE: "guest" }, [], "FORGECTL_TOKEN_FILE"],
    [
      "FORGECTL_PROFILE names the address",
      { FORGECTL_TOKEN: "guest", FORGECTL_PROFILE: "default" },
      [],
      "FORGECTL_TOKEN",
    ],
    ["--profile names the token", { FORGECTL_TOKEN: "guest" }, ["--profile", "default"], "profile"],
    ["a job's token does not act", { FORGECTL_JOB_TOKEN: "jobToken" }, [], "profile"],
    [
      "in a job too",
      { FORGECTL_TOKEN: "guest", CI_JOB_TOKEN: "jobToken", FORGECTL_PROFILE: "default" },
      [],
      "FORGECTL_TOKEN",
    ],
  ] as const)("%s: %j %j", async (_name, roles, flags, acting) => {
    const shell = await signedIn();
    const env: Record<string, string> = {};
    for (const [name, value] of Object.entries(roles)) {
      const token = first.tokens[value as keyof typeof first.tokens] ?? value;
      env[name] = name.endsWith("_FILE") ? "token" : token;
      if (name.endsWith("_FILE")) await writeFile(join(shell.home, "token"), `${token}\n`);
    }
    const run = (...line: string[]) => shell.run(...line, ...flags, { env });
    const isProfile = acting === "profile";
    expect((await run("users", "me", "--jq", ".is_admin // false")).stdout).toBe(`${isProfile}\n`);
    expect((await run("auth", "token")).stdout).toBe(`${first.tokens[isProfile ? "administrator" : "guest"]}\n`);
    // Which one it is, is said before and after a refusal.
    const rows = JSON.parse((await run("auth", "status", "-o", "json")).stdout) as {
      current: boolean;
      token: string;
    }[];
    expect(rows.filter((row) => row.current).map(({ token }) => token)).toEqual([isProfile ? "file" : acting]);
    const { stdout } = await run("doctor", "-o", "json", "--jq", '.[] | select(.check == "credential").detail');
    expect(stdout).toContain(isProfile ? "profile default" : acting);
    if (isProfile) return;
    env[acting] = acting === "FORGECTL_TOKEN" ? "hunter2" : "token";
    await writeFile(join(shell.home, "token"), "hunter2\n");
    const refused = await run("users", "me");
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining(`the token is that of ${acting}\n`)]);
  });

  test("auth login says that it remains the current token", async () => {
    const login = ["auth", "login", "--base-url", first.url, "--token-stdin", "--insecure-storage"];
    const env = { FORGECTL_TOKEN: first.tokens.guest };
    const { code, stderr } = await session().run(...login, { input: `${first.tokens.administrator}\n`, env });
    expect([code, stderr]).toEqual([0, expect.stringContaining("warning: FORGECTL_TOKEN is set and takes precedence")]);
  });
});

test("a profile is not removed while its token stays readable in the file of the tokens", async () => {
  const shell = await signedIn();
  const tokens = join(configOf(shell), "credentials.json");
  await chmod(tokens, 0o644);
  const { code, stderr } = await shell.run(...words("profiles remove default --yes"));
  expect([code, stderr]).toEqual([2, expect.stringContaining(`chmod 600 ${tokens}`)]);
  expect(Object.keys((await stored(shell)).profiles)).toEqual(["default"]);
  await chmod(tokens, 0o600);
  expect((await shell.run(...words("profiles remove default --yes"))).code).toBe(0);
  expect(await readFile(tokens, "utf8")).not.toContain(first.tokens.administrator);
});
