import { createApi } from "../api/client.ts";
import { removeLast } from "../api/outcome.ts";
import type { Redactor } from "../api/redact.ts";
import type { Transport } from "../api/transport/message.ts";
import { insecure } from "../config/address.ts";
import type { Config } from "../config/config.ts";
import { readOnlyRefusal } from "../config/guard.ts";
import { requireBaseUrl, requireRegistryUrl } from "../config/resolve.ts";
import { readTls } from "../config/tls.ts";
import type { Context } from "../context.ts";
import type { Files } from "../host.ts";
import { after, type Timers } from "../node/timers.ts";
import type { Progress } from "../terminal/interaction/index.ts";
import { watcherOf } from "../terminal/interaction/request-progress.ts";
import type { Shell } from "./shell.ts";

/** What the connections of one run share. */
export interface Base {
  readonly shell: Shell;
  readonly timers: Timers;
  readonly redactor: Redactor;
  readonly files: Files;
  /** All transports opened, to be closed at the end. */
  readonly transports: Promise<Transport>[];
  /** Method and path of every change that an instance accepted. */
  readonly made: string[];
  /** The same of those of which no answer says whether they were made. */
  readonly lost: string[];
}

interface Messages {
  progress: Progress;
  say(text: string): void;
  warn(text: string): void;
  notice(text: string): void;
  /** Prints a warning that holds for every request of its kind only once. */
  warnOnce(text: string): void;
  /** See `TransportOptions.watched`. */
  watched: boolean;
}

/** Creates the API client of a config; it connects on its first request, and stops when `signal` is aborted. */
export function connector(base: Base, messages: Messages, signal: AbortSignal): Context["connect"] {
  const { redactor, transports, made, lost } = base;
  return (target) => {
    let transport: Promise<Transport> | undefined;
    let registry: string | undefined;
    return createApi({
      baseUrl: () => requireBaseUrl(target),
      registryUrl: () => {
        const url = requireRegistryUrl(target);
        if (url !== registry) warnOfPlain(url, messages.warn);
        registry = url;
        return url;
      },
      credential: async () => {
        const found = await target.credential();
        const refused = found === undefined ? await target.whyNoCredential() : undefined;
        if (refused !== undefined) messages.warnOnce(`no token is sent: ${refused}`);
        return found;
      },
      headerPrefix: target.headerPrefix,
      concurrency: target.concurrency,
      dryRun: target.dryRun,
      pause: (ms) => base.timers.pause(ms, signal),
      transport: () => {
        if (transport === undefined) {
          transport = openTransport(base, target, { ...messages, signal });
          transports.push(transport);
        }
        return transport;
      },
      redactor,
      onMade: (change) => void made.push(change),
      onLost: (change, wasCounted = false) => {
        if (wasCounted) removeLast(made, change);
        lost.push(change);
      },
      onFound: (change) => removeLast(lost, change),
      watcher: watcherOf(messages.progress),
      warn: messages.warnOnce,
    });
  };
}

async function openTransport(
  base: Base,
  config: Config,
  { say, warn, notice, watched, signal }: Messages & { signal: AbortSignal },
): Promise<Transport> {
  const { createTransport } = await import("../api/transport/index.ts");
  const { host, version } = base.shell;
  if (config.baseUrl !== undefined) warnOfPlain(config.baseUrl.value, warn);
  const transport = await createTransport({
    timeoutMs: config.timeoutMs,
    retries: config.retries,
    maxAnswerBytes: config.maxAnswerBytes,
    watched,
    connections: config.concurrency,
    userAgent: `forgectl/${version}`,
    ...(config.proxy !== undefined && { proxy: config.proxy }),
    env: host.env,
    ...(await readTls(config, base.files)),
    signal,
    now: Date.now,
    elapsedMs: () => performance.now(),
    sleep: base.timers.pause,
    after,
    random: Math.random,
    redactor: base.redactor,
    ...(config.debug && { trace: say }),
    announce: notice,
  });
  if (config.dryRun) return refusing(transport, (what) => new Error(`a dry run tried to send ${what}`));
  const { readOnly } = config.guard;
  return readOnly === undefined ? transport : refusing(transport, (what) => readOnlyRefusal(what, readOnly));
}

function warnOfPlain(url: string, warn: (text: string) => void): void {
  if (insecure(url)) warn(`${url} is plain http: the token can be intercepted`);
}

/** A transport that refuses to send a change, whatever the code above it does. */
function refusing(transport: Transport, refusal: (what: string) => Error): Transport {
  return {
    close: () => transport.close(),
    probe: (url) => transport.probe(url),
    send: async (request) => {
      if (request.method === "GET" || request.method === "HEAD") return transport.send(request);
      throw refusal(`${request.method} ${request.url}`);
    },
  };
}
