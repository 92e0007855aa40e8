import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import { demoTokens } from "../../src/sandbox/areas/places/tokens.ts";
import { sampled } from "../support/examples.ts";
import { binary, node, session } from "../support/session.ts";

const shell = session();
const { home, run } = shell;
const temporary = join(home, "tmp");
await mkdir(temporary);

/** Starts the program and returns its first line; the test ends it. */
async function started(...args: string[]) {
  const env = { ...shell.env, TMPDIR: temporary } as NodeJS.ProcessEnv;
  const child = spawn(node, [binary, ...args], { cwd: home, env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  const errors: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, "line")) as [string];
  return {
    line,
    async end(signal: NodeJS.Signals) {
      child.kill(signal);
      const [code] = (await ended) as [number | null];
      return { code, stderr: Buffer.concat(errors).toString() };
    },
  };
}

describe("sandbox start", () => {
  test("one line of JSON has the address and the tokens; a signal ends it with 0", async () => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      const { line, end } = await started("sandbox", "start", "-o", "ndjson", "--quiet");
      const { base_url: url, tokens, ...rest } = JSON.parse(line);
      expect(rest).toEqual({ registry_url: expect.any(String), tier: "ultimate", hosting: "self-managed" });
      expect(tokens).toMatchObject({ administrator: "sandbox-administrator-token", job_token: "sandbox-job-token" });
      const answer = await fetch(`${url}/api/v4/user`, { headers: { "private-token": tokens.guest } });
      expect(await answer.json()).toMatchObject({ username: "grace.green" });
      expect(await end(signal)).toEqual({ code: 0, stderr: "" });
      await expect(fetch(url)).rejects.toThrow();
    }
  });

  // Of the others with FORGECTL_TEST_EXAMPLES=all.
  test.each(sampled(["tsv", "csv", "table", "yaml", "json", "ndjson"], 3))(
    "prints every token in %s, none hidden",
    async (format) => {
      const child = spawn(node, [binary, "sandbox", "start", "--quiet", "-o", format], {
        cwd: home,
        env: { ...shell.env, TMPDIR: temporary } as NodeJS.ProcessEnv,
        stdio: ["ignore", "pipe", "ignore"],
      });
      const ended = once(child, "close");
      let output = "";
      child.stdout.on("data", (chunk: Buffer) => {
        output += chunk;
      });
      const missing = () => Object.values(demoTokens).filter((token) => !output.includes(token));
      try {
        await expect.poll(missing, { timeout: 20_000 }).toEqual([]);
        expect(output).not.toContain("redacted");
      } finally {
        child.kill("SIGTERM");
        await ended;
      }
    },
  );

  test("prints what to type in another shell, and logs each request", async () => {
    const { line, end } = await started("sandbox", "start", "-o", "ndjson");
    const { base_url: url } = JSON.parse(line);
    await fetch(`${url}/api/v4/users?search=x`);
    const { stderr } = await end("SIGINT");
    const lines = stderr.split("\n");
    expect(lines[0]).toBe(`sandbox at ${url}; Ctrl-C stops it. In another shell:`);
    expect(lines[1]).toBe(`  export FORGECTL_BASE_URL=${url} FORGECTL_TOKEN=sandbox-administrator-token`);
    expect(lines.at(-2)).toMatch(/^GET \/api\/v4\/users 401 \d+ms \w+$/);
  });

  test("--data keeps the state from one run to the next", async () => {
    const change = async (...words: string[]) => {
      const { line, end } = await started("sandbox", "start", "--data", "state.json", "-o", "ndjson", "--quiet");
      const { base_url: url, tokens } = JSON.parse(line);
      const result = await run(...words, { env: { FORGECTL_BASE_URL: url, FORGECTL_TOKEN: tokens.administrator } });
      expect((await end("SIGTERM")).code).toBe(0);
      return result.stdout;
    };
    await change("settings", "set", "terminal_max_session_time=4321");
    expect(await change("settings", "get", "terminal_max_session_time")).toBe("4321\n");
    expect((await readdir(home)).filter((name) => name.startsWith("state.json"))).toEqual(["state.json"]);
  });

  test("invalid starts: exit 2 or 11, with the reason", async () => {
    await writeFile(join(home, "broken.json"), "{");
    const { line, end } = await started("sandbox", "start", "-o", "ndjson");
    const { port } = new URL(JSON.parse(line).base_url);
    for (const [words, code, message] of [
      [["--data", "missing/state.json"], 2, "error: --data: missing/state.json cannot be written: ENOENT"],
      [["--data", "broken.json"], 2, "error: --data: broken.json is not a complete sandbox data file"],
      [["--data", "."], 2, "error: --data: . cannot be read"],
      [["--fault", "GET /users=often"], 2, 'error: --fault: "often" in "GET /users=often" is not an action'],
      [["--tier", "gold"], 2, "error: --tier: must be one of free, premium, ultimate"],
      [["--port", "65536"], 2, "error: --port: must be a whole number from 0 to 65535"],
      [["--port", port], 11, `error: the port ${port} is in use`],
    ] as const) {
      const result = await run("sandbox", "start", ...words);
      expect([words, result.code, result.stdout]).toEqual([words, code, ""]);
      expect(result.stderr).toContain(message);
    }
    expect(await readFile(join(home, "broken.json"), "utf8")).toBe("{");
    await end("SIGTERM");
  });
});

describe("sandbox exec", () => {
  test("--settings-cache and --as-deployed reach the instance", async () => {
    const api = `"${node}" "${binary}" api`;
    const script = [
      `${api} application/settings -X PUT -F max_export_size=41 --jq .max_export_size`,
      `${api} application/settings --jq '.max_export_size, (.mailgun_signing_key | type)'`,
    ].join(" && ");
    const { code, stdout } = await run(
      ...["sandbox", "exec", "--settings-cache", "600", "--as-deployed", "--", "sh", "-c", script],
    );
    expect([code, stdout]).toEqual([0, "41\n0\nstring\n"]);
  });

  test("the command's arguments, output, and exit code are passed through", async () => {
    const { code, stdout, stderr } = await run(
      ...["sandbox", "exec", "--as", "guest", "--", "sh", "-c", 'echo "$@"; echo bad >&2; exit 7', "sh", "-o", "a b"],
    );
    expect({ code, stdout, stderr }).toEqual({ code: 7, stdout: "-o a b\n", stderr: "bad\n" });
  });

  test("it finds the instance, and no profiles of this machine", async () => {
    await mkdir(join(home, ".config", "forgectl"), { recursive: true });
    const profiles = {
      version: 1,
      current: "work",
      profiles: { work: { proxy: "http://127.0.0.1:9", output: "csv" } },
    };
    await writeFile(join(home, ".config", "forgectl", "profiles.json"), JSON.stringify(profiles));
    const me = `"${node}" "${binary}" users me --fields username --no-header`;
    const env = { FORGECTL_PROFILE: "work", TMPDIR: temporary };
    expect(await run("sandbox", "exec", "--as", "developer", "--", "sh", "-c", me, { env })).toEqual({
      code: 0,
      stdout: "dana.dixon\n",
      stderr: "",
    });
  });

  test("a suggested command is for the sandbox, and not for an instance of this machine", async () => {
    const script = `"${node}" "${binary}" "$@"; echo "$FORGECTL_BASE_URL"`;
    const suggested = async (...line: string[]) => {
      const { stdout, stderr } = await run("sandbox", "exec", "--", "sh", "-c", script, "sh", ...line);
      const url = stdout.trimEnd().split("\n").at(-1);
      return `${stdout}${stderr}`.replaceAll(`--base-url ${url} --registry-url ${url}`, "--here");
    };
    expect(await suggested("hooks", "health", "-g", "acme")).toContain(
      "try forgectl --here hooks redeliver 1 -g acme\n",
    );
    expect(await suggested("users", "get", "no.one")).toContain("try:   forgectl --here users list --search no.one\n");
    expect(await suggested("audit", "--settings")).toMatch(/\tforgectl --here settings set /);
  });

  test("an invalid command: exit 2", async () => {
    expect(await run("sandbox", "exec", "--", "no-such-program")).toMatchObject({
      code: 2,
      stderr: "error: cannot run no-such-program\ncause: program not found\n",
    });
    expect((await run("sandbox", "exec")).code).toBe(2);
  });

  test("signals reach the command, which is waited for; nothing is left", async () => {
    const waiting = (trap: string) =>
      `trap '${trap}' INT TERM; echo "$$ $FORGECTL_BASE_URL"; while :; do sleep 0.05; done`;
    for (const [signal, trap, expected] of [
      ["SIGTERM", "exit 5", 5],
      ["SIGINT", "exit 6", 6],
    ] as const) {
      const { line, end } = await started("sandbox", "exec", "--", "sh", "-c", waiting(trap));
      const [id, url = ""] = line.split(" ");
      expect(await end(signal)).toEqual({ code: expected, stderr: "" });
      expect(() => process.kill(Number(id), 0)).toThrow("ESRCH");
      await expect(fetch(url)).rejects.toThrow();
    }
    const killed = await run("sandbox", "exec", "--", "sh", "-c", "kill -KILL $$");
    expect(killed.code).toBe(137);
    expect(await readdir(temporary)).toEqual([]);
  });
});
