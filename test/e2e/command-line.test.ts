import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, statSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { alteringSession, never } from "../support/altering-proxy.ts";
import { binary, node, sandboxSession, session } from "../support/session.ts";

/** Called with each request that was answered. */
let answered = (_: string) => {};
const signedIn = await sandboxSession({ log: (line) => answered(line) });
const { run, sandbox } = signedIn;
const alone = session();

describe("help and version", () => {
  test("need no instance", async () => {
    const version = await alone.run("--version");
    expect(version).toMatchObject({ code: 0, stderr: "" });
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+(?:\+[\w.]+)?\n$/);
    for (const words of [[], ["--help"], ["help"], ["users"], ["users", "--help"], ["help", "users", "list"]]) {
      const { code, stdout, stderr } = await alone.run(...words);
      expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: "" });
      expect(stdout).toContain("Usage: forgectl");
    }
  });

  test("a command's help is the same in every way to ask for it", async () => {
    const { stdout } = await alone.run("users", "list", "--help");
    expect((await alone.run("help", "users", "list")).stdout).toBe(stdout);
    expect((await alone.run("users", "list", "-o", "json", "-h")).stdout).toBe(stdout);
    for (const ahead of ["-h", "--help"])
      expect(await alone.run("-q", ahead, "users", "list")).toMatchObject({ stdout, code: 0 });
    expect((await alone.run("--help", "users", "lst")).stderr).toContain("unknown command 'lst'");
    expect((await alone.run("-h", "sandbox", "exec", "--", "false")).stdout).toContain("Usage: forgectl sandbox exec");
    expect((await alone.run("users", "list", "help")).stdout).toBe(stdout);
    expect((await alone.run("users", "help")).stdout).toBe((await alone.run("users", "--help")).stdout);
    expect((await alone.run("help", "help")).stdout).toBe((await alone.run("--help")).stdout);
    expect((await alone.run("users", "get", "-V")).stdout).toBe((await alone.run("--version")).stdout);
    expect((await alone.run("--version", "users")).stdout).toBe((await alone.run("--version")).stdout);
  });

  test.each(["exit-codes", "environment", "output"])("help %s", async (topic) => {
    const { code, stdout } = await alone.run("help", topic);
    expect(code).toBe(0);
    expect(stdout.split("\n").length).toBeGreaterThan(8);
  });
});

describe("mistakes", () => {
  test.each([
    [["usres", "list"], "unknown command 'usres'", "did you mean users?"],
    [["users", "lst"], "unknown command 'lst'", "did you mean list?"],
    [["users", "list", "--serach", "x"], "unknown flag '--serach'", "did you mean --search?"],
    [["users", "get"], "missing <id|username>", undefined],
    [["users", "get", "a", "b"], "unexpected argument: b", undefined],
    [["users", "list", "-L"], "--limit: missing <n|all>", undefined],
    [["users", "list", "-L", "0"], '--limit: must be a whole number of at least 1, or all, not "0"', undefined],
    [["users", "list", "-L", "-1"], '--limit: must be a whole number of at least 1, or all, not "-1"', undefined],
    [["users", "list", "-L", "x"], '--limit: must be a whole number of at least 1, or all, not "x"', undefined],
    [["users", "list", "--per-page", "101"], '--per-page: must be a whole number from 1 to 100, not "101"', undefined],
    [
      ["users", "list", "-o", "xml"],
      '--output: must be one of table, json, ndjson, yaml, csv, tsv, not "xml"',
      undefined,
    ],
    [["users", "list", "--fields", "id,nmae"], 'there is no field "nmae" in User', undefined],
    [["users", "list", "--fields", "id,"], '--fields: has an empty name in "id,"', undefined],
    [["users", "list", "--jq", ".["], "the --jq filter does not compile", undefined],
    [["users", "list", "--extern-uid", "x"], "missing --provider <provider>", undefined],
    [["users", "list", "--custom-attribute", "x"], '--custom-attribute: must be key=value, not "x"', undefined],
    [["users", "list", "--keyset", "--page", "2"], "--keyset does not support page numbers", undefined],
    [["users", "list", "--timeout", "soon"], "--timeout: must be a number", undefined],
    [["--profile"], "missing <command>", "put it after --profile"],
    [["-v"], "unknown flag '-v'", "did you mean -V?"],
    [["--hlep"], "unknown flag '--hlep'", "did you mean --help?"],
    [["help", "usres"], "unknown command 'usres'", "did you mean users?"],
    [["help", "users", "lst"], "unknown command 'lst'", "did you mean list?"],
    [["help", "users", "list", "all"], "unknown command 'all'", undefined],
    [["users", "lst", "--help"], "unknown command 'lst'", "did you mean list?"],
    // Names that other programs use.
    [["users", "list", "--format", "json"], "unknown flag '--format'", "did you mean -o json?"],
    [["users", "list", "--active=yes"], "--active: takes no value", "give --active alone"],
    [["users", "list", "--json"], "unknown flag '--json'", "did you mean -o json?"],
    [["users", "list", "--all"], "unknown flag '--all'", "did you mean -L all?"],
    [["registry", "ls"], "unknown command 'ls'", "did you mean list?"],
    [["registry", "tags", "rm", "12", "v1"], "unknown command 'rm'", "did you mean delete?"],
    [["profiles", "rm", "work"], "unknown command 'rm'", "did you mean remove?"],
    [["login"], "unknown command 'login'", "did you mean auth login?"],
    [["whoami"], "unknown command 'whoami'", "did you mean users me?"],
    [["version"], "unknown command 'version'", "did you mean --version?"],
    [["list", "users"], "unknown command 'list'", "did you mean users list?"],
    [["ls", "users", "-L", "5"], "unknown command 'ls'", "did you mean users list?"],
    [["help", "list", "users"], "unknown command 'list'", "did you mean users list?"],
    // Typos.
    [["users", "list", "-two-factor", "disabled"], "unknown flag '-two-factor'", "did you mean --two-factor?"],
    [["registry", "list", "-project", "7"], "unknown flag '-project'", "did you mean --project?"],
    [["users", "list", "--fields", "nme"], 'there is no field "nme" in User', "did you mean name?"],
    [
      ["notes", "create", "--issue", "1", "--body", "Say", "hello"],
      "unexpected argument: hello",
      "quote a text with spaces: --body 'Say hello'",
    ],
    [["groups", "export", "acme"], "unexpected argument: acme", "-g acme"],
    [["relations", "status", "my group"], "unexpected argument: my group", "-p 'my group'"],
    [["users", "list", "--inactive"], "unknown flag '--inactive'", "did you mean --exclude-active?"],
    [["api", "GET", "/users"], "unexpected argument: /users", "-X GET"],
    // Misplaced flags.
    [["-p", "7", "registry", "list"], "unknown flag '-p'", "put it after the command: forgectl registry list -p ..."],
    [
      ["--project=7", "registry", "list"],
      "unknown flag '--project'",
      "put it after the command: forgectl registry list --project ...",
    ],
    [["-h", "-t", "x"], "-t stands before the command", "put -t after the command"],
    [["--", "usrs", "list"], "unknown command 'usrs'", "did you mean users?"],
    [["--search", "x", "users", "list"], "--search stands before the command", "put --search after the command"],
  ])("%j", async (words, message, hint) => {
    const { code, stdout, stderr } = await run(...words, { env: { FORGECTL_BASE_URL: "http://127.0.0.1:1" } });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`error: ${message}`);
    if (hint !== undefined) expect(stderr).toContain(`try:   ${hint}\n`);
    expect(stderr).toMatch(/see: {3}forgectl .*--help\n$/);
  });

  test("with -o json an error is one object on stderr, also for usage errors", async () => {
    for (const words of [
      ["users", "get", "4711", "-o", "json"],
      ["users", "list", "-o", "json", "-L", "x"],
      ["users", "lst", "-o=json"],
    ]) {
      const { stdout, stderr, code } = await run(...words);
      const { error } = JSON.parse(stderr);
      expect(stdout).toBe("");
      expect(error.exit).toBe(code);
      expect(Object.keys(error)).toEqual(
        expect.arrayContaining([
          "code",
          "status",
          "method",
          "path",
          "message",
          "fields",
          "hint",
          "retryable",
          "request_id",
        ]),
      );
    }
  });
});

test("a value that may be a secret is not repeated", async () => {
  for (const words of [
    ["users", "list", "--token=hunter2"],
    ["--token=hunter2"],
    ["--token=hunter2", "users", "list"],
    ["--token", "hunter2", "users", "list"],
    ["--profile", "work", "--private-token", "hunter2", "users", "list"],
    ["--password", "hunter2"],
    ["-p", "acme", "--token", "hunter2", "users", "list"],
    ["-H", "PRIVATE-TOKEN: hunter2", "api", "users"],
    ["-p", "acme", "-t", "hunter2", "users", "list"],
    ["FORGECTL_TOKEN=hunter2", "users", "list"],
    ["-HPRIVATE-TOKEN: hunter2", "api", "users"],
    ["api", "-HX", "-tglpat-hunter2", "users"],
    ["-thunter2", "users", "list"],
    ["-qt", "hunter2", "users", "list"],
    ["PRIVATE-TOKEN: hunter2", "users"],
    ["help", "--token", "hunter2"],
    ["help", "users", "--token", "hunter2"],
  ]) {
    const { code, stderr } = await alone.run(...words);
    expect([words, code]).toEqual([words, 2]);
    expect(stderr).not.toContain("hunter2");
  }
  const { stderr } = await alone.run("users", "list", "--token", "x");
  expect(stderr).toContain("try:   a token is never an argument: set FORGECTL_TOKEN, or forgectl auth login\n");
});

describe("address and token", () => {
  test("no base URL: the error names all ways to set one", async () => {
    const { code, stderr } = await alone.run("users", "me");
    expect(code).toBe(2);
    for (const way of ["--base-url", "FORGECTL_BASE_URL", "auth login", "CI_SERVER_URL"]) expect(stderr).toContain(way);
  });

  test.each([
    ["with /api/v4 at its end", (url: string) => `${url}/api/v4`],
    ["with a slash at its end", (url: string) => `${url}/`],
  ])("a base URL %s is accepted", async (_, of) => {
    expect((await run("users", "me", "--base-url", of(sandbox.url), "--jq", ".id")).stdout).toBe("1\n");
  });

  test("a base URL with credentials is refused, and not repeated", async () => {
    const { code, stderr } = await run("users", "me", "--base-url", "https://joe:hunter2@forge.example");
    expect(code).toBe(2);
    expect(stderr).not.toContain("hunter2");
  });

  test("no token: exit 4", async () => {
    const { code, stderr } = await run("users", "me", { env: { FORGECTL_TOKEN: "" } });
    expect(code).toBe(4);
    expect(stderr).toContain("forgectl auth login");
  });

  test("a wrong token: exit 4; it is not shown", async () => {
    const { code, stderr } = await run("users", "me", "--debug", { env: { FORGECTL_TOKEN: "no-such-token-1234" } });
    expect(code).toBe(4);
    expect(stderr).toContain("401");
    expect(stderr).not.toContain("no-such-token-1234");
  });

  test("a token with a line break is refused and not shown", async () => {
    const { code, stderr } = await run("users", "me", { env: { FORGECTL_TOKEN: "abcd-1234\nefgh-5678" } });
    expect(code).toBe(2);
    expect(stderr).not.toMatch(/abcd-1234|efgh-5678/);
  });

  test("not an administrator: exit 5, with the required role", async () => {
    const { code, stderr } = await signedIn.as("developer").run("settings", "get");
    expect(code).toBe(5);
    expect(stderr).toContain("Administrator");
  });
});

describe("pipes and signals", () => {
  test("a closed pipe ends the program quietly", async () => {
    const child = spawn(node, [binary, "users", "list", "-L", "all", "--per-page", "10", "-o", "ndjson"], {
      env: signedIn.env as NodeJS.ProcessEnv,
    });
    const errors: Buffer[] = [];
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
    child.stdout.once("data", () => child.stdout.destroy());
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect({ code, stderr: Buffer.concat(errors).toString() }).toEqual({ code: 0, stderr: "" });
  });

  test.runIf(existsSync("/dev/full"))("output that cannot be written is a failure: exit 12", async () => {
    for (const words of [["users", "list"], ["users", "list", "-o", "csv"], ["--help"], ["--version"]]) {
      const full = openSync("/dev/full", "w");
      const child = spawn(node, [binary, ...words], {
        env: signedIn.env as NodeJS.ProcessEnv,
        stdio: ["ignore", full, "pipe"],
      });
      closeSync(full);
      const errors: Buffer[] = [];
      child.stderr?.on("data", (chunk: Buffer) => errors.push(chunk));
      const code = await new Promise((resolve) => child.on("close", resolve));
      expect([words, code, Buffer.concat(errors).toString()]).toEqual([
        words,
        12,
        "error: the output was not written in full\ncause: ENOSPC: no space left on device, write\n",
      ]);
    }
  });

  test.skipIf(process.platform === "win32")("output of which the system takes only a part is a failure", () => {
    const folder = mkdtempSync(join(tmpdir(), "forgectl-part-"));
    const file = join(folder, "out");
    // bash's unit is 1 KiB: the first write is accepted in part, and only the next one is refused.
    const shell = (line: string, ...words: string[]) =>
      spawnSync("bash", ["-c", `${line} "$@" > "${file}"`, "bash", node, binary, ...words], {
        env: signedIn.env as NodeJS.ProcessEnv,
      });
    for (const words of [["--help"], ["help", "environment"], ["guide", "scripting"], ["commands", "-o", "csv"]]) {
      expect([words, shell("trap '' XFSZ; ulimit -f 1;", ...words).status]).toEqual([words, 12]);
      expect(statSync(file).size).toBe(1024);
      expect([words, shell("", ...words).status]).toEqual([words, 0]);
      expect(statSync(file).size).toBeGreaterThan(1024);
    }
    rmSync(folder, { recursive: true });
  });

  test.skipIf(process.platform === "win32")("a current folder that was removed is a usage error: exit 2", () => {
    const folder = mkdtempSync(join(tmpdir(), "forgectl-gone-"));
    const line = `cd "${folder}" && rmdir "${folder}" && exec "$@"`;
    const { status, stderr } = spawnSync("bash", ["-c", line, "bash", node, binary, "users", "me"], {
      env: signedIn.env as NodeJS.ProcessEnv,
      encoding: "utf8",
    });
    expect(stderr).toContain("error: the current folder no longer exists");
    expect(status).toBe(2);
  });

  test("an interrupt ends a hanging request: exit 130", async () => {
    let begin = () => {};
    const when = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const slow = await alteringSession(async () => {
      begin();
      return never;
    });
    const { code, stdout } = await slow.run("users", "list", { kill: { signal: "SIGINT", when } });
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
  });

  test("an interrupt ends an endless filter by the default signal", async () => {
    // Nothing outside the process shows that the filter has begun, but it does soon after the answer.
    const when = new Promise<void>((resolve) => {
      answered = (line) => void (line.includes("/users/1 ") && setTimeout(resolve, 2000));
    });
    const { code, stdout } = await run("users", "get", "1", "--jq", "def f: f; f", {
      kill: { signal: "SIGINT", when },
    });
    expect({ code, stdout }).toEqual({ code: null, stdout: "" });
  });
});

describe("an instance with problems", () => {
  test.each([
    ["GET /users=503*2", [], 0, ""],
    ["GET /users=503*9", ["--retries", "1"], 1, '"status":503'],
    ["GET /users=429:retry-after=0*9", ["--retries", "0"], 7, '"status":429'],
    ["GET /users=html:status=200", [], 1, "the server answered with a web page"],
    ["GET /users=truncate*9", ["--retries", "0"], 11, ""],
    ["GET /users=reset*9", ["--retries", "0"], 11, ""],
    ["GET /users=hang*9", ["--retries", "0", "--timeout", "0.3"], 11, "--timeout"],
  ])("%s %j → exit %i", async (faults, flags, exit, says) => {
    const faulty = await sandboxSession({ faults });
    const { code, stdout, stderr } = await faulty.run("users", "list", "-o", "json", "-L", "5", ...flags);
    expect(code).toBe(exit);
    expect(stderr).toContain(says);
    if (exit !== 0) expect(stdout).toBe("");
  });

  test("a refused connection: exit 11 and a hint", async () => {
    const port = await closedPort();
    const { code, stderr } = await run("users", "me", "--retries", "0", "--base-url", `http://127.0.0.1:${port}`);
    expect(code).toBe(11);
    expect(stderr).toContain(`127.0.0.1:${port}`);
  });

  test("an incomplete page within a list is an error, not a short list", async () => {
    const faulty = await sandboxSession({ faults: "GET /users=delay:ms=1; GET /users=truncate*99" });
    const { code, stdout } = await faulty.run("users", "list", "-L", "all", "-o", "json", "--retries", "0");
    expect({ code, stdout }).toEqual({ code: 11, stdout: "" });
  });
});

describe("dry run", () => {
  test("shows the request with its body and sends nothing", async () => {
    const { code, stdout } = await run("settings", "set", "terminal_max_session_time=77", "-n", "-o", "json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      { method: "PUT", url: `${sandbox.url}/api/v4/application/settings`, body: { terminal_max_session_time: 77 } },
    ]);
    expect((await run("settings", "get", "terminal_max_session_time")).stdout).not.toBe("77\n");
  });

  test("works for any request", async () => {
    const { stdout } = await run(
      "api",
      "groups/acme/hooks",
      "-f",
      "url=https://x.example",
      "-f",
      "token=hush-hush",
      "-n",
    );
    expect(stdout).toContain("POST\t");
    expect(stdout).not.toContain("hush-hush");
  });
});

/** A port that was free a moment ago. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
