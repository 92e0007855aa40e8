import type { ChildProcess, SpawnOptions } from "node:child_process";
import { constants } from "node:os";
import { Failure } from "../base/errors.ts";
import type { Environment, Processes, RunOptions, RunResult } from "../host.ts";

/** Maximum size of a captured command's output. */
const maxCapturedBytes = 64 * 1024 * 1024;

/**
 * After a command has ended, what it left running may keep its pipes open, as `ssh` with ControlPersist does: that is
 * not waited for. What the command has written is in the pipes by then.
 */
const openPipesMs = 1000;

/** Ctrl-C on a terminal may reach a command before this program. */
const ctrlCMs = 200;

type Hold = () => (code: number | undefined) => void;

/**
 * Runs programs in `cwd` with `env`; a run's own `env` overrides it, and undefined removes a variable. With `inherit`,
 * signals that reach this program are forwarded to the command, and this program waits for it to exit. A program that
 * cannot be started is a usage error.
 *
 * @param hold called when a command gets the terminal; the function it returns is called with the exit code
 */
export function nodeProcesses(env: Environment, cwd: string, hold: Hold = () => () => {}): Processes {
  const start = async (file: string, args: readonly string[], how: SpawnOptions, options: RunOptions = {}) => {
    // Loaded at the point of use: few commands start another program.
    const { spawn } = await import("node:child_process");
    const launch = (stdio: SpawnOptions["stdio"]) =>
      spawn(file, args, { cwd, env: { ...env, ...options.env }, stdio, windowsHide: true, ...how });
    if (options.stdio === "inherit") {
      const release = hold();
      let code: number | undefined;
      try {
        const result = await waitForExit(() => launch("inherit"), file, options.signal);
        code = result.code;
        return result;
      } finally {
        release(code);
      }
    }
    return capture(launch([options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"]), file, options);
  };
  return {
    run: async (command, options) => {
      const [file = "", ...args] = command;
      if (file === "") throw new Failure("usage", "there is no command to run");
      return start(file, args, {}, options);
    },
    // With an empty list of arguments, Node quotes the line for its shell: /bin/sh, or cmd.exe on Windows.
    shell: (line, options) =>
      start(line, [], { shell: true }, { ...options, env: { ...inPathOnly(), ...options?.env } }),
  };
}

/** cmd.exe would look for a program first in the current folder, such as a checkout that has an `op.bat`. */
function inPathOnly(): Environment {
  return process.platform === "win32" ? { NoDefaultCurrentDirectoryInExePath: "1" } : {};
}

function capture(child: ChildProcess, file: string, options: RunOptions): Promise<RunResult> {
  const stdout = collect(child, "stdout");
  const stderr = collect(child, "stderr");
  // A command may end without reading its stdin.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(options.input);
  return ended(child, file, options.signal, () => ({ stdout: stdout(), stderr: stderr() }));
}

function collect(child: ChildProcess, name: "stdout" | "stderr"): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  child[name]?.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxCapturedBytes) return void chunks.push(chunk);
    child.kill("SIGKILL");
    // Another process of the command may be the one that writes: its next write ends it.
    child[name]?.destroy();
  });
  return () => Buffer.concat(chunks).toString("utf8");
}

async function waitForExit(
  launch: () => ChildProcess,
  file: string,
  signal: AbortSignal | undefined,
): Promise<RunResult> {
  let child: ChildProcess | undefined;
  const passOn = (name: NodeJS.Signals): void => {
    // On a terminal Ctrl-C reaches the command by itself; forwarding a second one would make many programs abort.
    if (name === "SIGINT" && process.stdin.isTTY) return;
    child?.kill(name);
  };
  const signals: NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];
  // Before the launch: a signal right after it must not end this program and orphan the command.
  for (const name of signals) process.on(name, passOn);
  try {
    child = launch();
    return await ended(child, file, signal, () => ({ stdout: "", stderr: "" }));
  } finally {
    for (const name of signals) process.off(name, passOn);
  }
}

function ended(
  child: ChildProcess,
  file: string,
  signal: AbortSignal | undefined,
  output: () => { stdout: string; stderr: string },
): Promise<RunResult> {
  const closePipes = (): void => {
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  const stop = (): void => {
    child.kill("SIGTERM");
    // Its child processes may keep the pipes open; they are not waited for.
    closePipes();
  };
  let closing: NodeJS.Timeout | undefined;
  const result = new Promise<RunResult>((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) => reject(notStarted(file, error)));
    child.once("exit", () => {
      // Immediates run after the reads that are due, even if this process was held up meanwhile.
      closing = setTimeout(() => setImmediate(closePipes), openPipesMs);
    });
    child.once("close", (status, killedBy) => {
      const code = exitOf(status, killedBy);
      const end = () => resolve({ code, ...output() });
      // The caller sees by its signal whether that was Ctrl-C, or a failure of the command's own.
      if (signal !== undefined && code === 128 + constants.signals.SIGINT) setTimeout(end, ctrlCMs);
      else end();
    });
  });
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  return result.finally(() => {
    clearTimeout(closing);
    signal?.removeEventListener("abort", stop);
  });
}

function exitOf(code: number | null, killedBy: NodeJS.Signals | null): number {
  return killedBy === null ? (code ?? 0) : 128 + constants.signals[killedBy];
}

function notStarted(file: string, error: NodeJS.ErrnoException): Failure {
  const reasons: Record<string, string> = {
    ENOENT: "program not found",
    EACCES: "permission denied",
  };
  return new Failure("usage", `cannot run ${file}`, {
    code: "not_started",
    reason: reasons[error.code ?? ""] ?? error.message,
    cause: error,
  });
}
