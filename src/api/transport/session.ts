import { Failure } from "../../base/errors.ts";
import { Redactor } from "../redact.ts";
import { Spare } from "./gathered.ts";
import type { TransportOptions } from "./message.ts";
import { Network } from "./network.ts";
import type { Sweeper } from "./sweep.ts";
import { UnderWay } from "./under-way.ts";

/** What all requests of one transport share. */
export interface Session {
  readonly options: TransportOptions;
  readonly redactor: Redactor;
  readonly network: Network;
  /** Ends with Ctrl-C, and with `close`. */
  readonly life: AbortSignal;
  readonly active: UnderWay;
  /** Memory for answers that are read whole. */
  readonly spare: Spare;
  /** Whether an address may need a proxy at all: where not, no code for proxies is loaded. */
  readonly mayProxy: boolean;
  end(): void;
  /** Waits that an origin asked for: no request to it begins before they are over. */
  readonly waits: Map<string, Promise<unknown>>;
  /** Told of bytes that went through, either way: buffers are freed as they go. */
  passed(bytes: number): void;
  /** Told of exchanges that have ended: what many of them left behind is freed. */
  settled(exchanges: number): void;
}

/** So many bytes go through before their buffers are freed; what is smaller needs no care. */
const sweepBytes = 8 * 1024 * 1024;
/** So many exchanges leave some 10 MiB on V8's old heap. */
const sweepExchanges = 1_500;

/** Opens what the requests share. Certificates that cannot be used are a UsageError; nothing is sent yet. */
export async function openSession(options: TransportOptions): Promise<Session> {
  const life = new AbortController();
  const active = new UnderWay();
  const end = () => {
    options.signal.removeEventListener("abort", end);
    life.abort();
    active.abort(new Failure("interrupted", "interrupted"));
  };
  const session: Session = {
    options,
    redactor: options.redactor ?? new Redactor(),
    network: new Network({
      connections: options.connections,
      timeoutMs: options.timeoutMs,
      clock: options,
      secureContext: await secureContext(options),
    }),
    life: life.signal,
    active,
    spare: new Spare(),
    mayProxy: Boolean(options.proxy) || hasProxyVariable(options.env),
    end,
    waits: new Map(),
    passed: every(sweepBytes, ({ buffers }) => buffers()),
    settled: every(sweepExchanges, ({ all }) => all()),
  };
  if (options.signal.aborted) end();
  else options.signal.addEventListener("abort", end);
  return session;
}

async function secureContext(options: TransportOptions) {
  if (!options.ca && !options.cert && !options.key) return undefined;
  const { secureContextFor } = await import("./tls.ts");
  return secureContextFor(options);
}

/** Sweeps whenever so much has been counted. What sweeps is loaded the first time that it is needed. */
function every(amount: number, sweep: (sweeper: Sweeper) => void): (count: number) => void {
  let unswept = 0;
  return (count) => {
    unswept += count;
    if (unswept < amount) return;
    unswept = 0;
    void import("./sweep.ts").then(({ sweeper }) => sweep(sweeper()));
  };
}

function hasProxyVariable(env: TransportOptions["env"]): boolean {
  return ["https_proxy", "http_proxy", "all_proxy"].some((name) => env[name] || env[name.toUpperCase()]);
}
