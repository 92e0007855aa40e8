import { byteSize } from "../../base/wording.ts";
import type { BodyBuffer } from "./body-buffer.ts";
import { Broken, ProxyFailure } from "./broken-exchange.ts";
import { Exchange, type Head } from "./exchange.ts";
import type { Look, WireBody } from "./message.ts";
import { interrupted } from "./network-failure.ts";
import type { Proxy } from "./proxy.ts";
import type { Session } from "./session.ts";

/** A request to one address, on one hop of a chain of redirects. */
export interface Hop {
  method: string;
  url: URL;
  headers: Record<string, string>;
  secretHeaders: readonly string[];
  /** See `WireRequest.root`. */
  root: string;
  body: WireBody | undefined;
  /** Idempotent. */
  repeatable: boolean;
  /** See `WireRequest.whole`. */
  whole: boolean | "json";
  /** See `Subject`. */
  addressName?: string | undefined;
  redirectedBy?: string | undefined;
  /** See `WireRequest`. */
  afterWait?: Look | undefined;
  onRepeated?: (() => void) | undefined;
}

export interface Reply extends Head {
  url: URL;
  exchange: Exchange;
  /** The complete body, if already read; as sent, not decoded. */
  whole?: BodyBuffer;
  /** The outcome of an earlier attempt is unknown: its answer was lost. */
  repeated?: boolean;
  /** An earlier attempt was answered 5xx. */
  refusedBefore?: boolean;
}

/** Sends a request once. Rejects with a Broken, or with the error of the body's source. */
export async function attempt(session: Session, hop: Hop): Promise<Reply> {
  const { options } = session;
  const proxy = session.mayProxy ? await chooseProxy(session, hop.url) : undefined;
  const exchange = new Exchange(options, options.timeoutMs);
  exchange.onSettled = () => session.active.delete(exchange);
  session.active.add(exchange);
  traceRequest(session, hop, proxy);
  const started = options.elapsedMs();
  try {
    await dispatch(session, hop, proxy, exchange);
    const head = await exchange.head;
    session.answered.add(hop.url.origin);
    options.trace?.(`<-- ${head.status} in ${elapsed(session, started)}${announced(head)}`);
    return { ...head, url: hop.url, exchange };
  } catch (error) {
    exchange.abort(error);
    options.trace?.(`<-- no answer after ${elapsed(session, started)}`);
    if (session.life.aborted) throw interrupted({ method: hop.method, path: hop.url.pathname }, exchange.started);
    throw proxy === undefined ? error : ofProxy(proxy, hop, error);
  }
}

/** Plain http is sent to the proxy itself: a failed connection then says nothing about the instance. */
function ofProxy(proxy: Proxy, { url }: Hop, error: unknown): unknown {
  const isProxys = url.protocol === "http:" && error instanceof Broken && error.stage === "connect" && !error.timedOut;
  return isProxys ? new Broken("connect", { cause: new ProxyFailure(proxy.origin, error.cause) }) : error;
}

async function dispatch(session: Session, hop: Hop, proxy: Proxy | undefined, exchange: Exchange): Promise<void> {
  const { url, method } = hop;
  const plain = proxy !== undefined && url.protocol === "http:";
  const pool = await session.network.pool(plain ? proxy.origin : url.origin, plain ? undefined : proxy);
  if (session.life.aborted) throw interrupted({ method, path: url.pathname });
  const headers = { ...hop.headers };
  const path = url.pathname + url.search;
  if (plain) {
    headers.host = url.host;
    if (proxy.authorization) headers["proxy-authorization"] = proxy.authorization;
  }
  // Without a body undici announces the length 0 of a POST, PUT, or PATCH.
  if (hop.body) headers["content-length"] = String(hop.body.size);
  const body = hop.body && hop.body.size > 0 ? exchange.upload(hop.body) : null;
  pool.dispatch({ path: plain ? url.origin + path : path, method, headers, body }, exchange);
}

/** The proxy for requests to an address. */
export async function chooseProxy(session: Session, url: URL): Promise<Proxy | undefined> {
  const { proxyFor } = await import("./proxy.ts");
  const { proxy } = proxyFor(url, session.options.proxy, session.options.env);
  for (const secret of proxy?.secrets ?? []) session.redactor.add(secret);
  return proxy;
}

function traceRequest({ options: { trace }, redactor }: Session, hop: Hop, proxy: Proxy | undefined): void {
  if (!trace) return;
  trace(`--> ${hop.method} ${redactor.url(hop.url.href)}`);
  if (proxy) trace(`    through the proxy ${redactor.url(proxy.origin)}`);
  for (const [name, value] of Object.entries(redactor.headers(hop.headers, hop.secretHeaders))) {
    trace(`    ${name}: ${value}`);
  }
  if (hop.body) trace(`    a body of ${hop.body.size} bytes`);
}

function elapsed(session: Session, started: number): string {
  return `${Math.round(session.options.elapsedMs() - started)} ms`;
}

/** The announced size of an answer's body, if any. */
function announced({ headers }: Head): string {
  const length = headers["content-length"] ?? "";
  return /^\d+$/.test(length) ? ` (${byteSize(Number(length))})` : "";
}
