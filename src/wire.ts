import { isatty } from "node:tty";
import { createApi } from "./api/client.ts";
import { Redactor } from "./api/redact.ts";
import type { Transport } from "./api/transport.ts";
import { insecure } from "./config/address.ts";
import { requireBaseUrl, requireRegistryUrl, resolveConfig } from "./config/resolve.ts";
import { readTls } from "./config/tls.ts";
import type { Config, GlobalOptions } from "./config/types.ts";
import type { Context } from "./context.ts";
import { nodeArchives } from "./host/archives.ts";
import { nodeFiles } from "./host/files.ts";
import { nodeHolder } from "./host/holder.ts";
import { nodeProcesses } from "./host/processes.ts";
import { watchSignals } from "./host/signals.ts";
import type { Environment, Files } from "./host.ts";
import type { Shell } from "./run.ts";
import { createProgress } from "./terminal/progress.ts";
import { createPrompt } from "./terminal/prompt.ts";
import { visible } from "./terminal/sanitize.ts";
import { inputFrom } from "./terminal/streams.ts";
import { createStyle } from "./terminal/style.ts";
import { watcherOf } from "./terminal/waiting.ts";

/** How to open a Context on this machine. Costly parts are made when they are first used. */
export interface Wiring {
  /** `tolerant`: what is wrong with the profile in force is only warned about. */
  open(options: GlobalOptions, how: { tolerant: boolean }): Promise<Context>;
  /** Computes what leaves no room for handlers: meanwhile a signal ends the process, as if nobody watched for it. */
  unwatched<T>(compute: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Puts the program together on Node: the one place where interfaces meet their implementations. */
export function wire(shell: Shell): Wiring {
  const { host, stdout, stderr, version } = shell;
  let breakLine = () => {};
  const interruption = watchSignals(host, () => breakLine());
  const { signal } = interruption;
  const redactor = new Redactor();
  shell.redact = (text) => redactor.json(text) as string;
  const files = nodeFiles(host.cwd());
  const stdin = inputFrom(isatty(0), () => host.stdin);
  const transports: Promise<Transport>[] = [];

  async function open(options: GlobalOptions, how: { tolerant: boolean }): Promise<Context> {
    const processes = nodeProcesses(host.env, host.cwd(), interruption.hold);
    const holder = nodeHolder();
    const sleep = (ms: number) => pause(ms, signal);
    const config = await resolveConfig({
      options,
      env: host.env,
      files,
      processes,
      stdinIsTerminal: stdin.isTerminal,
      stderrIsTerminal: stderr.isTerminal,
      home: homeOf(host),
      platform: host.platform,
      holder,
      sleep,
      warn: (text) => void stderr.write(`warning: ${visible(text)}\n`),
      ...how,
    });
    const progress = createProgress({ stderr, enabled: !config.quiet && !config.debug, now: () => new Date(), every });
    breakLine = progress.breakLine;
    const beside = progress.beside(stderr);
    const say = (text: string) => {
      beside.write(`${visible(text)}\n`).catch(() => undefined);
    };
    const notice = config.quiet ? () => undefined : say;
    const surroundings = { files, env: host.env, version, signal, redactor, say, notice };
    const connect = (target: Config) => {
      let transport: Promise<Transport> | undefined;
      let registry: string | undefined;
      return createApi({
        baseUrl: () => requireBaseUrl(target),
        registryUrl: () => {
          const url = requireRegistryUrl(target);
          if (url !== registry) warnOfPlain(url, say);
          registry = url;
          return url;
        },
        credential: target.credential,
        headerPrefix: target.headerPrefix,
        concurrency: target.concurrency,
        dryRun: target.dryRun,
        transport: () => {
          if (transport === undefined) {
            transport = openTransport({ config: target, ...surroundings });
            transports.push(transport);
          }
          return transport;
        },
        redactor,
        watcher: watcherOf(progress),
      });
    };
    return {
      stdin,
      stdout: progress.beside(stdout),
      stderr: beside,
      env: host.env,
      cwd: host.cwd(),
      files,
      archives: nodeArchives(host.cwd()),
      processes,
      holder,
      signal,
      now: () => new Date(),
      sleep,
      config,
      api: connect(config),
      connect,
      prompt: createPrompt({
        stdin: () => host.stdin,
        stderr: host.stderr,
        available: config.interactive,
        signal,
        style: createStyle(options.color, host.env, stderr),
      }),
      progress,
      notice,
      warn: (text) => say(`warning: ${text}`),
    };
  }

  return {
    open,
    unwatched: (compute) => {
      const watch = interruption.pause();
      return compute().finally(watch);
    },
    close: async () => {
      interruption.stop();
      for (const transport of transports) await (await transport.catch(() => undefined))?.close();
    },
  };
}

/** As `os.homedir` has it, which need not be loaded where the environment says it. */
function homeOf(host: NodeJS.Process): string {
  const told = host.platform === "win32" ? undefined : host.env.HOME;
  return told || host.getBuiltinModule("node:os").homedir();
}

interface Connecting {
  config: Config;
  files: Files;
  env: Environment;
  version: string;
  signal: AbortSignal;
  redactor: Redactor;
  say(text: string): void;
  notice(text: string): void;
}

async function openTransport(given: Connecting): Promise<Transport> {
  const { config } = given;
  const { createTransport } = await import("./api/transport.ts");
  if (config.baseUrl !== undefined) warnOfPlain(config.baseUrl.value, given.say);
  const transport = await createTransport({
    timeoutMs: config.timeoutMs,
    retries: config.retries,
    connections: config.concurrency,
    userAgent: `forgectl/${given.version}`,
    ...(config.proxy !== undefined && { proxy: config.proxy }),
    env: given.env,
    ...(await readTls(config, given.files)),
    signal: given.signal,
    now: Date.now,
    sleep: pause,
    random: Math.random,
    redactor: given.redactor,
    ...(config.debug && { trace: given.say }),
    announce: given.notice,
  });
  return config.dryRun ? readOnly(transport) : transport;
}

function warnOfPlain(url: string, say: (text: string) => void): void {
  if (insecure(url)) say(`warning: ${url} is plain http: whoever is on the way can read the token`);
}

/** The transport of a dry run: it has no way to send a change, whatever the code above it does. */
function readOnly(transport: Transport): Transport {
  return {
    close: () => transport.close(),
    send: async (request) => {
      if (request.method === "GET" || request.method === "HEAD") return transport.send(request);
      throw new Error(`a dry run tried to send ${request.method} ${request.url}`);
    },
  };
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

function every(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms);
  timer.unref();
  return () => clearInterval(timer);
}
