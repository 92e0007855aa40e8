import { execFile, execFileSync } from "node:child_process";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { json, signedIn } from "../support/answering.ts";
import { binary, node, sandboxSession, session } from "../support/session.ts";

// What users would notice if packages in the bundle were not changed (scripts/patches.mjs).

// Other versions of Node may not know the flags.
const major = Number(execFileSync(node, ["-p", "process.versions.node"], { encoding: "utf8" }).split(".")[0]);

test.runIf([20, 22, 24, 26].includes(major))("V8 compiles the parser of answers only once", async () => {
  const { env } = await sandboxSession();
  // V8 writes its trace to stdout.
  const words = ["--trace-wasm-compilation-times", binary, "users", "list", "-L", "all", "--per-page", "5", "-q"];
  const { stdout } = await promisify(execFile)(node, words, { env: env as NodeJS.ProcessEnv });
  expect(stdout).toMatch(/using Liftoff/);
  expect(stdout).not.toMatch(/using TurboFan/);
});

test("a request does not load http2", async () => {
  const user = await sandboxSession();
  const hook = join(user.home, "loaded.cjs");
  writeFileSync(hook, 'process.on("exit", () => process.stderr.write(process.moduleLoadList.join("\\n")));');
  const { code, stderr } = await user.run("users", "me", "-q", { env: { NODE_OPTIONS: `--require ${hook}` } });
  expect([code, stderr]).toEqual([0, expect.stringContaining("NativeModule net\n")]);
  expect(stderr).not.toContain("http2");
});

test("profiles are replaced, also in a terminal opened by a snap", async () => {
  const shell = session({ SNAP: "/snap/terminal/1" });
  const stored = async (value: string) => {
    expect((await shell.run("profiles", "set", "work", `project=${value}`)).code).toBe(0);
    return statSync(join(shell.home, ".config", "forgectl", "profiles.json")).ino;
  };
  expect(await stored("1")).not.toBe(await stored("2"));
});

test.each(["-1", "x", "9"])("FORCE_COLOR=%s means color", async (level) => {
  const shell = session({ FORCE_COLOR: level, TERM: undefined });
  const { code, stderr } = await shell.run("users", "me");
  expect([code, stderr]).toEqual([2, expect.stringContaining("\u001b[")]);
});

test("Ctrl-C after something was stored still lets requests in progress finish", async () => {
  let begun = () => {};
  const when = new Promise<void>((resolve) => {
    begun = resolve;
  });
  let stopping = () => {};
  const afterSignal = new Promise<void>((resolve) => {
    stopping = resolve;
  });
  let deletions = 0;
  const { run } = await alteringSession(async ({ method }) => {
    if (method !== "DELETE") return undefined;
    deletions += 1;
    if (deletions < 2) return undefined;
    // The time of the first is stored; this one is answered after Ctrl-C.
    begun();
    await afterSignal;
    return undefined;
  });
  const line = "registry prune -g acme --delete-regex .* --via bulk --yes --concurrency 1 -o json";
  const { code, stdout, stderr } = await run(...line.split(" "), {
    kill: { signal: "SIGINT", when },
    heard: (said) => said.includes("stopping: ") && stopping(),
  });
  const statuses = JSON.parse(stdout).map(({ status }: { status: string }) => status);
  expect([deletions, ...statuses.slice(0, 2)]).toEqual([2, "scheduled", "scheduled"]);
  expect(stderr).toContain("stopping: waiting for requests in progress");
  expect(code).toBe(130);
});

test("--jq has its WebAssembly", async () => {
  const user = await sandboxSession();
  const me = await user.run("users", "me", "--jq", ".username", { asProcess: true });
  expect(me).toEqual({ code: 0, stdout: "root\n", stderr: "" });
});

test("a table with a long cell that is not ASCII is written at once", async () => {
  const name = "\u6f22".repeat(60_000);
  const { run } = await signedIn(json(200, JSON.stringify([{ id: 1, username: name, state: "active" }])));
  const kill = { signal: "SIGKILL", afterMs: 30_000 } as const;
  const { code, stdout } = await run("users", "list", "-o", "table", "--fields", "id,username", { kill });
  expect([code, stdout.includes(name)]).toEqual([0, true]);
}, 60_000);

test("a text of megabytes is written as YAML", async () => {
  const content = "QUJD".repeat(1_000_000);
  const { run } = await signedIn(json(200, JSON.stringify({ content, lines: "a b\n".repeat(1_000_000) })));
  const { code, stdout } = await run("api", "projects/7", "-o", "yaml");
  expect([code, stdout.slice(0, 20), stdout.length > 9_000_000]).toEqual([0, 'content: "QUJDQUJDQU', true]);
});
