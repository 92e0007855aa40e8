import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serve } from "../faults/support.ts";
import { binary, node, sandboxSession, session } from "../support/session.ts";

// Mistakes of users, wrong variables, and wrong machines. More are in command-line.test.ts.

const { run, sandbox, env } = await sandboxSession();
const alone = session();
const instance = { FORGECTL_BASE_URL: env.FORGECTL_BASE_URL, FORGECTL_TOKEN: env.FORGECTL_TOKEN };

describe("a stored configuration", () => {
  /** A session whose profiles are this text. */
  async function stored(text: string) {
    const shell = session(instance);
    const folder = join(shell.home, ".config", "forgectl");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "profiles.json"), text);
    return { shell, file: join(folder, "profiles.json") };
  }

  test.each([
    ["not JSON", "{ profiles:", "is not valid", /^cause: it is not valid JSON/m],
    ["empty", "", "is not valid", /^cause: it is not valid JSON/m],
    ["JSON of another kind", "[]", "is not valid", /^cause: it is not a JSON object$/m],
    [
      "of a newer version",
      '{"version": 7, "profiles": {}}',
      "was written by a newer forgectl",
      /^cause: its version is 7; this program supports version 1$/m,
    ],
  ])("%s: exit 2, with the file and the fix, for any command", async (_, text, problem, cause) => {
    const { shell, file } = await stored(text);
    for (const words of [
      ["users", "me"],
      ["profiles", "list"],
      ["profiles", "set", "work", "project=7"],
      ["auth", "status", "--offline"],
    ]) {
      const { code, stdout, stderr } = await shell.run(...words);
      expect([words, code, stdout]).toEqual([words, 2, ""]);
      expect(stderr).toContain(`error: ${file} ${problem}\n`);
      expect(stderr).toMatch(cause);
      expect(stderr).toMatch(/^try: {3}.*FORGECTL_CONFIG_DIR$/m);
    }
  });

  test("commands that need no profile work with a broken or missing one, and warn", async () => {
    const { shell, file } = await stored("{");
    for (const words of [
      ["completion", "bash"],
      ["commands", "-o", "json"],
    ]) {
      const { code, stdout, stderr } = await shell.run(...words);
      expect([words, code, stdout.length > 500]).toEqual([words, 0, true]);
      expect(stderr).toBe(`warning: ${file} is not valid: it is not valid JSON (at position 1)\n`);
    }
    const wrong = await stored(
      '{"version": 1, "current": "x", "profiles": {"x": {"base-url": "nowhere", "output": "xml"}}}',
    );
    expect((await wrong.shell.run("completion", "zsh")).code).toBe(0);
    expect((await wrong.shell.run("completion", "fish", { env: { FORGECTL_PROFILE: "gone" } })).code).toBe(0);
  });

  test("help, version, and commands that need no instance still work", async () => {
    const { shell } = await stored("{");
    for (const words of [["--help"], ["--version"], ["users", "list", "--help"]]) {
      expect((await shell.run(...words)).code).toBe(0);
    }
  });

  test("a read-only folder: reading works, writing fails with the path and the fix", async () => {
    const shell = session(instance);
    await writeFile(join(shell.home, "file"), "");
    const folder = join(shell.home, "file", "forgectl");
    const place = { env: { FORGECTL_CONFIG_DIR: folder } };
    expect((await shell.run("users", "me", "--jq", ".id", place)).stdout).toBe("1\n");
    const login = ["auth", "login", "--base-url", sandbox.url, "--token-stdin", "--insecure-storage"];
    for (const words of [["profiles", "set", "work", "project=7"], login]) {
      const { code, stdout, stderr } = await shell.run(...words, { ...place, input: sandbox.tokens.administrator });
      expect([words, code, stdout]).toEqual([words, 2, ""]);
      expect(stderr).toContain(`error: the profiles cannot be written to ${folder}\n`);
      expect(stderr).toContain("try:   make that folder writable, or name another with FORGECTL_CONFIG_DIR\n");
      expect(stderr).not.toContain(sandbox.tokens.administrator);
    }
  });

  test("a profile that does not exist", async () => {
    const { code, stderr } = await run("users", "me", "--profile", "wrok");
    expect(code).toBe(2);
    expect(stderr).toContain('error: --profile: profile "wrok" does not exist\n');
  });
});

describe("a scope", () => {
  test.each([
    ["events list -p 7 --user 4", {}, "error: give only one of --user and -p/--project"],
    ["uploads list -p 7 -g 1", {}, "error: give only one of --project and --group"],
    [
      "uploads list",
      { FORGECTL_PROJECT: "7", FORGECTL_GROUP: "1" },
      "error: both a project (FORGECTL_PROJECT) and a group (FORGECTL_GROUP) are set; say which with -p or -g",
    ],
    ["uploads list", {}, "error: missing -p, --project or -g, --group"],
    ["job-token get", {}, "error: missing -p, --project"],
    ["job-token get -p", {}, "error: --project: missing <id|path>"],
    ["job-token get --project=", {}, "error: --project: is empty"],
    // A list of no files looks like artifacts without them.
    ["artifacts list -p 7 --job-id 1000 --match=", {}, "error: --match: is empty"],
    ["uploads prune -p 7 --older-than 1d --yes --match=", {}, "error: --match: is empty"],
  ])("%s %j: exit 2, nothing sent", async (line, more, message) => {
    // Nothing listens there: a request would end with 11.
    const nowhere = { ...more, FORGECTL_BASE_URL: "http://127.0.0.1:1" };
    const { code, stdout, stderr } = await run(...line.split(" "), { env: nowhere });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`${message}\n`);
  });
});

describe("a base URL", () => {
  test.each(["", "/", "/api/v4", "/api/v4/"])("keeps a path prefix, also with %j at its end", async (end) => {
    const server = await serve((_, response) => {
      response.setHeader("content-type", "application/json");
      response.end('{"id":7,"username":"root"}');
    });
    const base = `${server.url}/tools/forge${end}`;
    expect(
      (await alone.run("users", "me", "--base-url", base, "--jq", ".id", { env: { FORGECTL_TOKEN: "t" } })).stdout,
    ).toBe("7\n");
    const next = await alone.run("api", "projects/a%2Fb", "--base-url", base, "-i", { env: { FORGECTL_TOKEN: "t" } });
    expect(next.code).toBe(0);
    expect(server.lines()).toEqual(["GET /tools/forge/api/v4/user", "GET /tools/forge/api/v4/projects/a%2Fb"]);
  });

  test.each([
    ["ftp://forge.example.com", "is neither an https nor an http address"],
    ["forge.example.com", "has no scheme"],
    ["https://", "is not a valid address"],
    ["https://forge.example.com?x=1", "has a query or a fragment"],
    ["https://forge.example.com/a b", "contains spaces"],
    ["", "is empty"],
  ])("%j: exit 2", async (address, problem) => {
    const { code, stderr } = await alone.run("users", "me", "--base-url", address);
    expect(code).toBe(2);
    expect(stderr).toContain("error: --base-url: ");
    expect(stderr).toContain(problem);
  });
});

describe("an instance that answers with web pages", () => {
  const page = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head></html>";
  const isNoApi = "the server answered with a web page, not with the platform's API";
  const check = "try:   check that the base URL is the instance's address: forgectl --base-url http://127.0.0.1:";

  async function answering(status: number, location?: string) {
    return serve((request, response) => {
      const elsewhere = location !== undefined && request.url !== location;
      response.writeHead(elsewhere ? 302 : status, {
        "content-type": "text/html; charset=utf-8",
        ...(elsewhere && { location }),
      });
      response.end(page);
    });
  }

  test.each([
    ["200", 200, undefined, 1, `cause: ${isNoApi}\n${check}`],
    ["a redirect to the sign-in page", 200, "/users/sign_in", 1, `cause: ${isNoApi}\n${check}`],
    ["404", 404, undefined, 1, `cause: ${isNoApi}\n${check}`],
    [
      "403",
      403,
      undefined,
      5,
      `cause: the server answered 403 with a web page\ntry:   a proxy or firewall in front of the instance`,
    ],
    ["500", 500, undefined, 1, "cause: the server answered 500 with a web page\n"],
  ])("%s", async (_, status, location, exit, says) => {
    const server = await answering(status, location);
    for (const words of [
      ["users", "me"],
      ["users", "list", "-o", "csv"],
    ]) {
      const { code, stdout, stderr } = await alone.run(...words, "--base-url", server.url, {
        env: { FORGECTL_TOKEN: "t" },
      });
      expect([words, code, stdout]).toEqual([words, exit, ""]);
      expect(stderr).toContain(says);
    }
  });

  test("a change is not reported as done", async () => {
    const server = await answering(200);
    const { code, stdout } = await alone.run("settings", "set", "signup_enabled=false", "--base-url", server.url, {
      env: { FORGECTL_TOKEN: "t" },
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(server.lines().filter((line) => !line.startsWith("GET "))).toEqual([]);
  });
});

describe("--jq", () => {
  test("without results: nothing on stdout, and exit 0", async () => {
    for (const format of [[], ["-o", "json"], ["-o", "ndjson"], ["-o", "yaml"]]) {
      const result = await run("users", "get", "1", "--jq", "select(.id == 0)", ...format);
      expect([format, result]).toEqual([format, { code: 0, stdout: "", stderr: "" }]);
    }
    expect((await run("users", "get", "1", "--jq", "empty")).stdout).toBe("");
  });

  test("that does not fit the result: exit 2, in jq's words", async () => {
    const { code, stdout, stderr } = await run("users", "get", "1", "--jq", ".id.name");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("error: the --jq filter failed on this result\n");
  });
});

describe("a user", () => {
  test.each([
    ["", "error: <id|username>: is empty"],
    [
      "99999999999999999999",
      'error: <id|username>: must be an ID (a whole number of at least 1) or a name, not "99999999999999999999"',
    ],
  ])("%j: exit 2", async (user, message) => {
    const { code, stderr } = await run("users", "get", user);
    expect(code).toBe(2);
    expect(stderr).toContain(`${message}\n`);
  });

  test("that does not exist: the hint works as typed", async () => {
    for (const [name, typed] of [
      ["ada lovelace", "'ada lovelace'"],
      ["o'brien", `"$(printf 'o\\047brien')"`],
    ] as const) {
      const { code, stderr } = await run("users", "get", name);
      expect(code).toBe(3);
      expect(stderr).toContain(`try:   forgectl users list --search ${typed}\n`);
    }
  });
});

describe("a token", () => {
  test.each([
    ["two lines", "abcd-1234\nefgh-5678", "contains a line break"],
    ["a line break at its end", "abcd-1234\n", "contains a line break"],
    [
      "characters that are not allowed in headers",
      "abcd-1234\u20ac",
      "contains characters that are not valid in a token",
    ],
    ["a space", "abcd 1234", "contains"],
  ])("with %s: exit 2, not repeated, not sent", async (_, token, problem) => {
    for (const name of ["FORGECTL_TOKEN", "FORGECTL_JOB_TOKEN"]) {
      const given = { FORGECTL_BASE_URL: "http://127.0.0.1:1", [name]: token };
      const { code, stderr } = await alone.run("users", "me", { env: given });
      expect([name, code]).toEqual([name, 2]);
      expect(stderr).toMatch(new RegExp(`^error: ${name}: the token ${problem}`));
      expect(stderr).not.toMatch(/abcd|efgh/);
    }
  });
});

test("a named pipe where a file is read: exit 2 at once, but the shell's pipes are read", {
  timeout: 30_000,
}, async () => {
  const shell = session(instance);
  const pipe = join(shell.home, "pipe");
  execFileSync("mkfifo", [pipe]);
  const stop = { kill: { signal: "SIGKILL", afterMs: 10_000 } } as const;
  const reason = "cause: it is a named pipe\n";
  const certificate = await shell.run("users", "me", "--ca-file", pipe, stop);
  expect([certificate.code, certificate.stderr]).toEqual([2, expect.stringContaining(reason)]);
  const profiles = join(shell.home, ".config", "forgectl", "profiles.json");
  await mkdir(join(profiles, ".."), { recursive: true });
  execFileSync("mkfifo", [profiles]);
  const stored = await shell.run("users", "me", stop);
  expect([stored.code, stored.stderr]).toEqual([2, expect.stringContaining(reason)]);
  await rm(profiles);
  const passed = spawnSync("bash", ["-c", '"$@" --ca-file <(echo text)', "bash", node, binary, "users", "me"], {
    env: shell.env as NodeJS.ProcessEnv,
    encoding: "utf8",
  });
  expect([passed.status, passed.stderr]).toEqual([2, expect.stringContaining("is not a PEM file")]);
});

test.skipIf(process.platform === "win32")(
  "a file or a stdin that never ends: exit at once",
  {
    timeout: 180_000,
  },
  async () => {
    const { home, env: own } = session({ ...instance, FORGECTL_TOKEN: undefined });
    // SIGKILL: a program that swaps does not get to a handler.
    const ends = (line: string, more: object = {}) =>
      spawnSync("bash", ["-c", `exec "$0" ${line}`, node, binary], {
        cwd: home,
        env: { ...own, ...more } as NodeJS.ProcessEnv,
        encoding: "utf8",
        timeout: 60_000,
        killSignal: "SIGKILL",
      });
    const larger = (mebibytes: number) => expect.stringMatching(`(?:cause|error): .*is larger than ${mebibytes} MiB\n`);
    const token = ends('"$1" users me', { FORGECTL_TOKEN_FILE: "/dev/zero" });
    expect([token.status, token.stderr]).toEqual([4, larger(1)]);
    const certificate = ends('"$1" users me --ca-file /dev/zero', { FORGECTL_TOKEN: "a-token" });
    expect([certificate.status, certificate.stderr]).toEqual([2, larger(16)]);
    const input = ends('"$1" api x --input - </dev/zero', { FORGECTL_TOKEN: "a-token" });
    expect([input.status, input.stderr]).toEqual([2, larger(256)]);
  },
);
