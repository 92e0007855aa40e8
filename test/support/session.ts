import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Sandbox, SandboxOptions } from "../../src/sandbox/index.ts";
import { atEnd, oncePerFile } from "./ending.ts";
import { runInProcess } from "./in-process.ts";
import { startSandbox } from "./sandbox.ts";

/** The Node that runs the program: by default the tests' own. */
export const node = process.env.FORGECTL_TEST_NODE ?? process.execPath;

/** The program as users run it: the bundle, through its bin. */
export const binary = fileURLToPath(new URL("../../bin/forgectl.js", import.meta.url));

export interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Readonly<Record<string, string | undefined>>;
  /** Text on stdin; empty by default. */
  input?: string | Uint8Array;
  cwd?: string;
  /** Runs a separate process in any case. */
  asProcess?: boolean;
  /**
   * Sends the program this signal when stderr says this, when the promise resolves, or, where nothing can be seen from
   * outside, after that many milliseconds; and once more as soon as a person can press a key again after stderr has
   * said `againOn`, or `againMs` milliseconds later.
   */
  kill?: { signal: NodeJS.Signals; againOn?: RegExp; againMs?: number } & (
    | { said: RegExp }
    | { when: Promise<unknown> }
    | { afterMs: number }
  );
  /** Gets all of stderr so far, whenever there is more; only with `kill`, which makes it a process. */
  heard?: (stderr: string) => void;
}

/** A place to run commands: a separate home folder, and nothing of the tester's environment. */
export interface Session {
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  run(...args: (string | RunOptions)[]): Promise<Result>;
}

/** Milliseconds. */
const keyMs = 150;

const inherited = ["PATH", "LANG", "LC_ALL", "TMPDIR", "SystemRoot"];

/** A test that times out stops waiting, but its processes continue. */
const running = new Set<ChildProcess>();

/** One folder for the compiled code of all sessions of a file, outside their homes. */
const cacheFolder = oncePerFile(() => {
  const made = mkdtempSync(join(tmpdir(), "forgectl-test-cache-"));
  atEnd(() => rmSync(made, { recursive: true, force: true }));
  return made;
});

/** A session without an instance; the home folder is removed after the file's tests. */
export function session(env: Readonly<Record<string, string | undefined>> = {}): Session {
  const home = mkdtempSync(join(tmpdir(), "forgectl-test-"));
  atEnd(() => {
    for (const child of running) child.kill("SIGKILL");
    rmSync(home, { recursive: true, force: true });
  });
  const outside = Object.fromEntries(inherited.map((name) => [name, process.env[name]]));
  const base = {
    ...outside,
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_CACHE_HOME: cacheFolder(),
    ...env,
  };
  return {
    home,
    env: base,
    run: (...words) => {
      const args = words.filter((word) => typeof word === "string");
      const options = words.find((word) => typeof word === "object") ?? {};
      const whole = { cwd: home, ...options, env: { ...base, ...options.env } };
      return needsProcess(args, whole) ? execute(args, whole) : runInProcess({ args, ...whole });
    },
  };
}

/** Whether no file has run a command of this group as a process, in all processes of the tests together. */
function isFirstOf(group: string): boolean {
  try {
    closeSync(openSync(join(process.env.FORGECTL_TEST_BEGUN as string, group.replace(/\W/g, "-")), "wx"));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

/**
 * The first command of each group runs as users do, as a separate process, and also every command whose process
 * matters: its signals, its terminal, the programs it starts, Node's own environment. The others run the same bundle in
 * this process. With FORGECTL_TEST_NODE all are processes.
 */
function needsProcess(args: readonly string[], { env, kill, asProcess }: RunOptions): boolean {
  const group = args.find((word) => !word.startsWith("-")) ?? "";
  const ofProcess = ([name, value]: [string, unknown]) => !harmlessVariables.test(name) && value !== process.env[name];
  return (
    asProcess ||
    node !== process.execPath ||
    kill !== undefined ||
    // A check may send a signal to the program that runs it.
    args.some((word) => word.includes("$PPID")) ||
    group === "sandbox" ||
    // It may run the program again.
    group === "__complete" ||
    args.includes("keyring") ||
    Object.entries(env ?? {}).some(ofProcess) ||
    isFirstOf(group)
  );
}

/** Variables that only the program itself and the programs that it starts read, not libraries or Node. */
const harmlessVariables =
  /^(?:FORGECTL_|XDG_|CI_|PLANTED|(?:CI|TF_BUILD|TEAMCITY_VERSION|HOME|PATH|SHELL|EDITOR|VISUAL)$|(?:HTTPS?|NO)_PROXY$|\w*(?:TOKEN|URL|KEY|SECRET|HEADER)$|GREETING$|INNOCENT$)/i;

/** A running sandbox and a session that is signed in to it; both are closed after the file's tests. */
export async function sandboxSession(
  options: SandboxOptions & { as?: keyof Sandbox["tokens"] } = {},
): Promise<Session & { sandbox: Sandbox; as(role: keyof Sandbox["tokens"]): Session }> {
  const { as = "administrator", ...rest } = options;
  const sandbox = await startSandbox(rest);
  atEnd(() => sandbox.close());
  const signedIn = (role: keyof Sandbox["tokens"]) =>
    session({ FORGECTL_BASE_URL: sandbox.url, FORGECTL_TOKEN: sandbox.tokens[role] });
  return { ...signedIn(as), sandbox, as: signedIn };
}

/** Empties a sandbox's log: method, path, and status of the requests since the last time, without times and IDs. */
export function requestsIn(log: string[]): string[] {
  return log.splice(0).map((line) => line.split(" ").slice(0, 3).join(" "));
}

function execute(args: readonly string[], options: RunOptions): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [binary, ...args], {
      cwd: options.cwd,
      env: options.env as NodeJS.ProcessEnv,
      stdio: ["pipe", "pipe", "pipe"],
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    running.add(child);
    child.on("error", reject);
    child.on("close", (code) => {
      running.delete(child);
      resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() });
    });
    // A program may end without reading its input, which breaks the pipe.
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.input ?? "");
    const { kill, heard } = options;
    if (kill === undefined) return;
    const hear = (act: (said: string) => void) => child.stderr.on("data", () => act(Buffer.concat(stderr).toString()));
    if (heard !== undefined) hear(heard);
    let isSent = false;
    const send = () => {
      if (isSent) return;
      isSent = child.kill(kill.signal);
      if (againMs !== undefined) setTimeout(() => child.kill(kill.signal), againMs);
    };
    const { againOn, againMs } = kill;
    let isSentAgain = false;
    if (againOn !== undefined)
      hear((said) => {
        if (!isSent || isSentAgain || !againOn.test(said)) return;
        isSentAgain = true;
        setTimeout(() => child.kill(kill.signal), keyMs);
      });
    if ("said" in kill) hear((said) => kill.said.test(said) && send());
    else if ("when" in kill) void kill.when.then(send);
    else setTimeout(send, kill.afterMs);
  });
}
