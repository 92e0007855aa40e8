import { Failure } from "../../base/errors.ts";
import { Redactor } from "../redact.ts";
import { BufferPool } from "./buffer-pool.ts";
import { InFlight } from "./in-flight.ts";
import type { TransportOptions } from "./message.ts";
import { Network } from "./network.ts";

/** The state shared by all requests of one transport. */
export interface Session {
  readonly options: TransportOptions;
  readonly redactor: Redactor;
  readonly network: Network;
  /** Aborted by Ctrl-C and by `close`. */
  readonly life: AbortSignal;
  readonly active: InFlight;
  readonly bufferPool: BufferPool;
  /** Whether an address may need a proxy: if not, no proxy code is loaded. */
  readonly mayProxy: boolean;
  end(): void;
  /** Waits requested by an origin: no request to it starts before they are over. */
  readonly waits: Map<string, Promise<unknown>>;
  /** The origins that have answered a request. */
  readonly answered: Set<string>;
}

/** Creates the shared state. Unusable certificates are a UsageError; nothing is sent yet. */
export async function openSession(options: TransportOptions): Promise<Session> {
  const life = new AbortController();
  const active = new InFlight();
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
      onEnd: () => active.resume(),
    }),
    life: life.signal,
    active,
    bufferPool: new BufferPool(),
    mayProxy: Boolean(options.proxy) || hasProxyVariable(options.env),
    end,
    waits: new Map(),
    answered: new Set(),
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

function hasProxyVariable(env: TransportOptions["env"]): boolean {
  return ["https_proxy", "http_proxy", "all_proxy"].some((name) => env[name] || env[name.toUpperCase()]);
}
