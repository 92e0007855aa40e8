import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { isFetched } from "../../scripts/package/fetched.mjs";
import { buildVersion } from "../../scripts/version.mjs";
import { atEnd } from "../support/ending.ts";
import { startSandbox } from "../support/sandbox.ts";
import { binary, node } from "../support/session.ts";

// What other machines have: another processor, emulated, and a keyring of the system, which is a real one.

const earlier = process.env.FORGECTL_TEST_PACKAGES;
const folder = mkdtempSync(join(process.env.FORGECTL_TEST_DISK ?? tmpdir(), "forgectl-systems-"));
atEnd(() => rmSync(folder, { recursive: true, force: true }));
const has = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

const libraries = "/usr/aarch64-linux-gnu";
const missing = [
  ...["qemu-aarch64", "gnome-keyring-daemon", "dbus-run-session"].filter((program) => !has(program)),
  ...(existsSync(`${libraries}/lib/libatomic.so.1`) ? [] : ["libatomic1-arm64-cross"]),
  ...(existsSync(`${libraries}/lib/libstdc++.so.6`) ? [] : ["libstdc++6-arm64-cross"]),
  ...(earlier !== undefined || isFetched("linux-arm64") ? [] : ["Node for linux-arm64 (npm run package fetches it)"]),
];
const canEmulate = missing.every((each) => each.startsWith("gnome") || each.startsWith("dbus"));
const canKeep = has("gnome-keyring-daemon") && has("dbus-run-session");
if (missing.length > 0)
  process.stderr.write(`SKIPPED in part: test/package/other-systems: there is no ${missing.join(", no ")}\n`);

const sandbox = await startSandbox();

/** Asynchronous, since the sandbox runs in this process. */
function start(program: string, args: readonly string[], env: Record<string, string>, input = "") {
  return new Promise<{ status: number | null; stdout: string; stderr: string }>((done, reject) => {
    const child = spawn(program, args, { env, cwd: folder });
    const printed = { stdout: "", stderr: "" };
    child.stdout.on("data", (text) => (printed.stdout += text));
    child.stderr.on("data", (text) => (printed.stderr += text));
    child.on("error", reject).on("close", (status) => done({ status, ...printed }));
    child.stdin.on("error", () => undefined).end(input);
  });
}

describe.runIf(canEmulate)("the executable for linux-arm64, emulated", () => {
  const program = () => {
    const out = earlier === undefined ? join(folder, "out") : resolve(earlier);
    if (earlier === undefined && !existsSync(out)) {
      execFileSync(process.execPath, ["scripts/package.mjs", "--out", out, "linux-arm64"], { stdio: "pipe" });
    }
    return join(out, readdirSync(out).find((name) => name.endsWith("-linux-arm64")) ?? "");
  };

  it("starts, and lists", { timeout: 300_000 }, async () => {
    const file = program();
    expect(readFileSync(file).readUInt16LE(18), "the processor in the header of the file").toBe(0xb7);
    const env = { HOME: folder, FORGECTL_BASE_URL: sandbox.url, FORGECTL_TOKEN: sandbox.tokens.administrator };
    const emulated = (...args: string[]) => start("qemu-aarch64", ["-L", libraries, file, ...args], env);
    expect(await emulated("--version")).toEqual({ status: 0, stdout: `${buildVersion(".")}\n`, stderr: "" });
    const list = await emulated("users", "list", "--username", "astrid.dlamini", "--jq", ".[].username", "-q");
    expect(list).toEqual({ status: 0, stdout: "astrid.dlamini\n", stderr: "" });
    expect(await emulated("users", "get", "no.such.user", "-q")).toMatchObject({ status: 3, stdout: "" });
  });
});

const programs = [
  ["the clone", () => [node, binary]],
  ...(earlier === undefined
    ? []
    : [["the executable", () => [join(resolve(earlier), `forgectl-${buildVersion(".")}-linux-x64`)]]]),
] as [string, () => string[]][];

describe.runIf(canKeep).each(programs)("%s with a keyring of the system", (name, words) => {
  it("stores a token there, uses it, says so, and removes it", { timeout: 120_000 }, async () => {
    const home = join(folder, name.replace(" ", "-"));
    mkdirSync(join(home, "run"), { recursive: true, mode: 0o700 });
    const env = { HOME: home, PATH: process.env.PATH ?? "", XDG_RUNTIME_DIR: join(home, "run") };
    const script = `
      printf 'the password of the keyring' | gnome-keyring-daemon --unlock --components=secrets >/dev/null || exit 99
      printf '%s' "$TOKEN" | "$@" auth login --base-url "$URL" --token-stdin || exit 1
      "$@" users me --jq .username || exit 2
      "$@" auth status -o json || exit 3
      "$@" auth logout --yes || exit 4
      "$@" users me
      echo "at the end: $?"
    `;
    const token = sandbox.tokens.administrator;
    const inSession = ["--", "sh", "-c", script, "sh", ...words()];
    const said = await start("dbus-run-session", inSession, { ...env, TOKEN: token, URL: sandbox.url });
    expect(said.status, said.stderr).toBe(0);
    expect(said.stdout).toContain("root\n");
    expect(said.stdout).toMatch(/keyring/);
    expect(said.stdout).toContain("at the end: 4\n");
    const isKept = spawnSync("grep", ["-rlF", token, home], { encoding: "utf8" });
    expect([isKept.status, isKept.stdout]).toEqual([1, ""]);
    expect(readdirSync(join(home, ".local", "share", "keyrings"))).toContain("login.keyring");
  });
});
