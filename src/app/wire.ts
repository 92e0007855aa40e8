import { Redactor } from "../api/redact.ts";
import { isInCi } from "../base/ci.ts";
import { Failure } from "../base/errors.ts";
import type { Config, GlobalOptions } from "../config/config.ts";
import { credentialsIn } from "../config/environment.ts";
import { stateFolder } from "../config/location.ts";
import { resolveConfig } from "../config/resolve.ts";
import type { Context } from "../context.ts";
import type { Input, Output, TerminalText } from "../host.ts";
import { nodeArchives } from "../node/archives.ts";
import { nodeFiles } from "../node/files.ts";
import { nodeHolder } from "../node/holder.ts";
import { nodeHttp } from "../node/http.ts";
import { nodeProcesses } from "../node/processes.ts";
import { type Interruption, watchSignals } from "../node/signals.ts";
import { every, nodeTimers } from "../node/timers.ts";
import { createProgress } from "../terminal/progress.ts";
import { createPrompt } from "../terminal/prompt.ts";
import { repaints } from "../terminal/repaint.ts";
import { safe, visible } from "../terminal/sanitize.ts";
import { inputFrom } from "../terminal/streams.ts";
import { labeled, loadStyle, startStyle } from "../terminal/style.ts";
import { shortTime } from "../terminal/time.ts";
import { type Base, connector } from "./connections.ts";
import { homeOf, noHome } from "./home.ts";
import type { Reporting, Shell } from "./shell.ts";

/** Opens a Context on this machine. Costly parts are created on first use. */
export interface Wiring {
  open(options: GlobalOptions, how: Tolerance): Promise<Opened>;
  /** Method and path of every change that an instance accepted, also by commands that a command runs. */
  readonly made: readonly string[];
  /** How an error is printed, as far as it is known. */
  reporting(): Partial<Reporting> & Pick<Reporting, "redact">;
  close(): Promise<void>;
}

/** A Context without what belongs to the run of a command; `on` is the same with another configuration. */
export interface Opened extends Omit<Context, "commands" | "onProfile" | "closing"> {
  on(config: Config): Opened;
}

interface Tolerance {
  /** Problems of the current profile are only warnings. */
  tolerant: boolean;
  /** Problems of the profiles file are only warnings. */
  standalone: boolean;
  /** Problems are collected, to be explained. */
  lenient: boolean;
}

/** The parts shared by every Context of one run. */
interface Machine extends Base {
  readonly interruption: Interruption;
  readonly stdin: Input;
  /** The progress line on stderr, which `^C` is echoed on and which is cleared before an error is printed. */
  progress: Pick<ReturnType<typeof createProgress>, "breakLine" | "close"> | undefined;
  /** A line for people, once it is known whether they want any. */
  notice: Context["notice"] | undefined;
  /** The current configuration, once known. */
  reported: Pick<Reporting, "format" | "debug" | "color"> | undefined;
  /** The command that completes the rest of a job. */
  rest: string | undefined;
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
    files: nodeFiles(host.cwd()),
    stdin: inputFrom(host.getBuiltinModule("node:tty").isatty(0), () => host.stdin),
    transports: [],
    made: [],
    progress: undefined,
    notice: undefined,
    reported: undefined,
    rest: undefined,
  };
  return {
    open: (options, how) => open(machine, options, how),
    made: machine.made,
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

/** A file that a job writes its output to is not its log. */
function isJobLog(host: NodeJS.Process): boolean {
  if (!isInCi(host.env)) return false;
  try {
    return !host.getBuiltinModule("node:fs").fstatSync(1).isFile();
  } catch {
    return true;
  }
}

async function open(machine: Machine, options: GlobalOptions, how: Tolerance): Promise<Opened> {
  const { host, stdout, stderr } = machine.shell;
  const { signal } = machine.interruption;
  const own: Own = {
    processes: nodeProcesses(host.env, host.cwd(), machine.interruption.hold),
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
  const { say, warn, notice } = messagesOn(beside, warning, config);
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
      stdin: () => host.stdin,
      stderr: host.stderr,
      available: config.interactive,
      signal,
      repaints: repaints(host.env),
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

/** Lines for people, beside the progress; notices only if they are wanted. */
function messagesOn(stderr: Output, warning: TerminalText, { quiet }: Config) {
  const write = (text: TerminalText) => {
    stderr.write(safe`${text}\n`).catch(() => undefined);
  };
  const say = (text: string) => write(visible(text));
  const warn = (text: string) => write(safe`${warning} ${visible(text)}`);
  return { say, warn, notice: quiet ? () => undefined : say };
}

/** What a Context has of the machine, whatever the configuration. */
function partsOf(machine: Machine) {
  const { shell, interruption, files, stdin, redactor } = machine;
  const { host, stdout } = shell;
  const home = homeOf(host);
  return {
    stdin,
    isLogged: stdout.isTerminal || isJobLog(host),
    env: host.env,
    cwd: host.cwd(),
    program: {
      version: shell.version,
      part: shell.part,
      node: host.versions.node,
      platform: host.platform,
      arch: host.arch,
    },
    lookUp: async (name: string) => (await import("../node/names.ts")).lookUp(name),
    redact: (text: string) => redactor.text(text),
    conceal: (text: string) => redactor.add(text),
    files,
    archives: nodeArchives(host.cwd()),
    http: nodeHttp,
    signal: interruption.signal,
    home: home === noHome ? undefined : home,
    stateFolder: stateFolder(host.env, { home, platform: host.platform }),
    uninterrupted: async (act, maxMs) => {
      const release = interruption.defer(maxMs);
      return act().finally(release);
    },
    ifCutOff: (rest) => {
      machine.rest = rest;
    },
    unwatched: (compute) => {
      const watch = interruption.pause();
      return compute().finally(watch);
    },
    now: () => new Date(),
    elapsedMs: () => performance.now(),
  } satisfies Partial<Opened>;
}

function onceEach(warn: (text: string) => void): (text: string) => void {
  const warned = new Set<string>();
  return (text) => {
    if (warned.size !== warned.add(text).size) warn(text);
  };
}

type Own = Pick<Context, "processes" | "holder" | "sleep">;

function readConfig(
  { shell, files, stdin }: Machine,
  own: Own,
  { warning, ...asked }: Tolerance & { options: GlobalOptions; warning: TerminalText },
): Promise<Config> {
  const { host, stderr } = shell;
  return resolveConfig({
    ...own,
    ...asked,
    env: host.env,
    files,
    stdinIsTerminal: stdin.isTerminal,
    stderrIsTerminal: stderr.isTerminal,
    home: homeOf(host),
    platform: host.platform,
    warn: (text) => void stderr.write(safe`${warning} ${visible(text)}\n`),
  });
}
