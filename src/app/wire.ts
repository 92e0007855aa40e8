import { Redactor } from "../api/redact.ts";
import { Failure, UsageError } from "../base/errors.ts";
import type { Config, GlobalOptions } from "../config/config.ts";
import { credentialsIn } from "../config/environment.ts";
import { resolveConfig } from "../config/resolve.ts";
import { mistypedVariables } from "../config/variables.ts";
import type { Context } from "../context.ts";
import type { Output, TerminalText } from "../host.ts";
import { nodeFiles } from "../node/files.ts";
import { nodeHolder } from "../node/holder.ts";
import { nodeProcesses } from "../node/processes.ts";
import { watchSignals } from "../node/signals.ts";
import { after, every, nodeTimers } from "../node/timers.ts";
import { createProgress } from "../terminal/interaction/progress.ts";
import { createPrompt } from "../terminal/interaction/prompt.ts";
import { repaints } from "../terminal/interaction/repaint.ts";
import { safe, visible } from "../terminal/sanitize.ts";
import { inputFrom } from "../terminal/streams.ts";
import { labeled, loadStyle, startStyle } from "../terminal/style.ts";
import { shortTime } from "../terminal/time.ts";
import { connector } from "./connections.ts";
import { homeOf } from "./home.ts";
import { type Machine, type Opened, partsOf, unwatchedBy } from "./machine.ts";
import type { Reporting, Shell } from "./shell.ts";
import { workingFolder } from "./working-folder.ts";

/** Opens a Context on this machine. Costly parts are created on first use. */
export interface Wiring {
  open(options: GlobalOptions, how: Tolerance): Promise<Opened>;
  /** Method and path of every change that an instance accepted, also by commands that a command runs. */
  readonly made: readonly string[];
  /** The same of those of which no answer says whether they were made. */
  readonly lost: readonly string[];
  /** How an error is printed, as far as it is known. */
  reporting(): Partial<Reporting> & Pick<Reporting, "redact">;
  close(): Promise<void>;
}

interface Tolerance {
  /** Problems of the current profile are only warnings. */
  tolerant: boolean;
  /** Problems of the profiles file are only warnings. */
  standalone: boolean;
  /** Problems are collected, to be explained. */
  lenient: boolean;
}

/** Maximum timeout of each request of the verifier. */
const verifyMs = 5000;

/** Assembles the program on Node: the one place where interfaces meet their implementations. */
export function wire(shell: Shell): Wiring {
  const { host } = shell;
  // A server may repeat a credential of the environment that this run does not send.
  const redactor = new Redactor(credentialsIn(host.env));
  const machine: Machine = {
    shell,
    interruption: watchSignals(host, {
      onInterrupt: () => machine.progress?.breakLine(),
      onWait: () => machine.notice?.("stopping: waiting for requests in progress; Ctrl-C again ends at once"),
      onCutOff: () => tellCutOff(machine),
    }),
    timers: nodeTimers(),
    redactor,
    files: nodeFiles(workingFolder(host)),
    stdin: inputFrom(host.getBuiltinModule("node:tty").isatty(0), () => stdinOf(host)),
    transports: [],
    made: [],
    lost: [],
    progress: undefined,
    notice: undefined,
    reported: undefined,
    rest: undefined,
  };
  return {
    open: (options, how) => open(machine, options, how),
    made: machine.made,
    lost: machine.lost,
    reporting: () => ({ ...machine.reported, redact: (text) => redactor.json(text) as string }),
    close: async () => {
      machine.interruption.stop();
      machine.progress?.close();
      machine.timers.release();
      for (const transport of machine.transports) await (await transport.catch(() => undefined))?.close();
    },
  };
}

/** The error of a run that a second Ctrl-C ends. */
async function tellCutOff({ shell, redactor, reported, rest }: Machine): Promise<void> {
  if (reported === undefined) return;
  const failure = new Failure("interrupted", "ended at once", {
    ...{ code: "interrupted", outcome: "unknown", retryable: false },
    outcomeText: "requests in progress may have been carried out",
    ...(rest !== undefined && { hint: rest }),
  });
  const { report } = await import("./report.ts");
  await report(shell, failure, { ...reported, redact: (text) => redactor.json(text) as string });
}

async function open(machine: Machine, options: GlobalOptions, how: Tolerance): Promise<Opened> {
  const { host, stdout, stderr } = machine.shell;
  const { signal } = machine.interruption;
  const own: Own = {
    processes: nodeProcesses(host.env, workingFolder(host), machine.interruption.hold),
    holder: nodeHolder(),
    sleep: (ms, other) => machine.timers.pause(ms, signal, other),
  };
  const warning = labeled(startStyle(options.color, host.env, stderr), "doubtful", safe`warning:`);
  const config = await readConfig(machine, own, { options, warning, ...how });
  machine.reported = { format: config.output, debug: config.debug, color: options.color };
  const progress = createProgress({
    stderr,
    env: host.env,
    enabled: !config.quiet && !config.debug,
    elapsedMs: () => performance.now(),
    every,
  });
  machine.progress = progress;
  const beside = progress.beside(stderr);
  const { say, warn, notice } = messagesOn(beside, warning, config, machine.redactor);
  machine.notice = notice;
  // Retries that were explicitly requested are always made.
  const watched = stderr.isTerminal && options.retries === undefined;
  const messages = { progress, say, warn, warnOnce: onceEach(warn), notice, watched };
  const connect = connector(machine, messages, signal);
  const uninterruptible = connector(machine, messages, new AbortController().signal);
  const shared: Omit<Opened, "config" | "api" | "verifier" | "on"> = {
    ...partsOf(machine),
    ...own,
    stdout: progress.beside(stdout),
    stderr: beside,
    connect,
    prompt: createPrompt({
      stdin: answersFrom(host),
      stderr: host.stderr,
      available: config.interactive,
      signal,
      repaints: repaints(host.env),
      after,
      style: () => loadStyle(options.color, host.env, stderr),
    }),
    progress,
    shownTime: (time) => (stderr.isTerminal && !options.times ? shortTime(time, new Date()) : time),
    notice,
    warn,
  };
  const on = (config: Config): Opened => ({
    ...shared,
    config,
    api: connect(config),
    verifier: uninterruptible({ ...config, timeoutMs: Math.min(config.timeoutMs, verifyMs), retries: 0 }),
    on,
  });
  return on(config);
}

/**
 * Lines for people, beside the progress; notices only if they are wanted. A warning quotes values that no command has
 * asked to read: no part of a secret is in it.
 */
function messagesOn(stderr: Output, warning: TerminalText, { quiet }: Config, redactor: Redactor) {
  const write = (text: TerminalText) => {
    stderr.write(safe`${text}\n`).catch(() => undefined);
  };
  const say = (text: string) => write(visible(text));
  const warn = (text: string) => write(safe`${warning} ${visible(redactor.url(text))}`);
  return { say, warn, notice: quiet ? () => undefined : say };
}

function onceEach(warn: (text: string) => void): (text: string) => void {
  const warned = new Set<string>();
  return (text) => {
    if (warned.size !== warned.add(text).size) warn(text);
  };
}

/** Node reads a folder as an empty file. */
function stdinOf(host: Shell["host"]): NodeJS.ReadStream {
  if (host.getBuiltinModule("node:fs").fstatSync(0).isDirectory()) throw new UsageError("stdin is a folder");
  return host.stdin;
}

/** The terminal for questions. Ctrl-D after a text that was typed on it has ended stdin, and not the terminal. */
function answersFrom(host: Shell["host"]): () => NodeJS.ReadStream {
  let again: NodeJS.ReadStream | undefined;
  return () => {
    if (!host.stdin.readableEnded) return host.stdin;
    const { ReadStream } = host.getBuiltinModule("node:tty");
    again ??= new ReadStream(0);
    return again;
  };
}

type Own = Pick<Context, "processes" | "holder" | "sleep">;

function readConfig(
  { shell, files, stdin, interruption }: Machine,
  own: Own,
  { warning, ...asked }: Tolerance & { options: GlobalOptions; warning: TerminalText },
): Promise<Config> {
  const { host, stderr } = shell;
  const warn = (text: string) => void stderr.write(safe`${warning} ${visible(text)}\n`);
  for (const text of mistypedVariables(host.env)) warn(text);
  return resolveConfig({
    ...own,
    ...asked,
    env: host.env,
    files,
    stdinIsTerminal: stdin.isTerminal,
    stderrIsTerminal: stderr.isTerminal,
    signal: interruption.signal,
    unwatched: unwatchedBy(interruption),
    home: homeOf(host),
    platform: host.platform,
    warn,
  });
}
