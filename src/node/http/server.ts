import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { HttpAnswer, Listening, RequestHead, ServerLimits, Service } from "../../local-http.ts";
import { pairsOf } from "./headers.ts";

/** How long a close waits for pending answers. */
const graceMs = 2000;
/** How often Node checks for requests that take too long. */
const checkMs = 1000;

/** See `Http.listen`. Every answer ends its connection. */
export async function serve(port: number, limits: ServerLimits, service: Service): Promise<Listening> {
  const server = createServer({
    requestTimeout: limits.arrivalMs,
    headersTimeout: limits.headMs,
    connectionsCheckingInterval: Math.min(checkMs, limits.headMs),
  });
  const places = new Places(server, limits.connections);
  server.setTimeout(limits.idleMs);
  const held = { bytes: 0 };
  server.on("request", (incoming, outgoing) => void take(incoming, outgoing, { limits, service, held, places }));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  let closed: Promise<void> | undefined;
  return { port: (server.address() as AddressInfo).port, close: () => (closed ??= close(server)) };
}

/**
 * Keeps a place for new connections: beyond the limit, the oldest one is closed whose request is not admitted, be it
 * refused or not there yet; or the new one if all are.
 */
class Places {
  readonly #waiting = new Set<Socket>();
  #open = 0;

  constructor(server: Server, limit: number) {
    server.on("connection", (socket: Socket) => {
      this.#open += 1;
      this.#waiting.add(socket);
      socket.once("close", () => {
        this.#open -= 1;
        this.#waiting.delete(socket);
      });
      if (this.#open <= limit) return;
      const [oldest = socket] = this.#waiting;
      this.#waiting.delete(oldest);
      oldest.destroy();
    });
  }

  /** Keeps the connection until it is answered. */
  admit(socket: Socket): void {
    this.#waiting.delete(socket);
  }
}

interface Serving {
  limits: ServerLimits;
  service: Service;
  /** Bytes of the bodies of all pending requests. */
  held: { bytes: number };
  places: Places;
}

async function take(incoming: IncomingMessage, outgoing: ServerResponse, serving: Serving): Promise<void> {
  const { limits, service, held, places } = serving;
  const head: RequestHead = {
    method: incoming.method ?? "",
    target: incoming.url ?? "",
    headers: pairsOf(incoming.rawHeaders),
  };
  const refusal = service.admit(head);
  if (refusal === undefined) places.admit(incoming.socket);
  const body = new Body(incoming, limits, held);
  try {
    const { problem, bytes } = await body.read(refusal === undefined);
    if (refusal !== undefined) return answer(outgoing, refusal);
    if (problem !== undefined) {
      service.lost(head, problem.status, problem.reason);
      return answer(outgoing, textAnswer(problem.status, problem.reason));
    }
    answer(outgoing, await service.serve({ ...head, body: bytes }));
  } catch (error) {
    if (!outgoing.headersSent) answer(outgoing, textAnswer(500, "this request could not be served"));
    service.lost(head, 500, error instanceof Error ? error.message : String(error));
  } finally {
    body.release();
  }
}

interface Problem {
  status: number;
  reason: string;
}

/** The body of one request, within the limits. A body over a limit is still read to its end, and discarded. */
class Body {
  readonly #incoming: IncomingMessage;
  readonly #limits: ServerLimits;
  readonly #held: { bytes: number };
  #own = 0;

  constructor(incoming: IncomingMessage, limits: ServerLimits, held: { bytes: number }) {
    this.#incoming = incoming;
    this.#limits = limits;
    this.#held = held;
  }

  async read(wanted: boolean): Promise<{ bytes: Uint8Array; problem?: Problem }> {
    const { bodyBytes, heldBytes } = this.#limits;
    let chunks: Buffer[] = [];
    let size = 0;
    let problem: Problem | undefined;
    try {
      for await (const chunk of this.#incoming as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > bodyBytes) problem = { status: 413, reason: `the body has more than ${bodyBytes} bytes` };
        else if (this.#held.bytes + chunk.length > heldBytes) problem ??= { status: 503, reason: "too much at once" };
        // A client that is still sending would miss the answer; the body is therefore read, up to a limit.
        if (size > 2 * bodyBytes) break;
        if (problem !== undefined || !wanted) {
          chunks = [];
          this.release();
          continue;
        }
        chunks.push(chunk);
        this.#own += chunk.length;
        this.#held.bytes += chunk.length;
      }
    } catch {
      problem = { status: 400, reason: "the request was aborted, or took too long" };
    }
    return { bytes: Buffer.concat(chunks), ...(problem && { problem }) };
  }

  release(): void {
    this.#held.bytes -= this.#own;
    this.#own = 0;
  }
}

function answer(outgoing: ServerResponse, { status, headers, body }: HttpAnswer): void {
  if (outgoing.destroyed) return;
  const bodiless = status === 204 || status === 304 || status < 200;
  const length: [string, string][] = bodiless ? [] : [["Content-Length", String(body.length)]];
  outgoing.writeHead(status, [...headers, ...length, ["Connection", "close"]].flat());
  outgoing.end(bodiless ? undefined : body);
}

function textAnswer(status: number, reason: string): HttpAnswer {
  return { status, headers: [["Content-Type", "text/plain; charset=utf-8"]], body: Buffer.from(`${reason}\n`) };
}

async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeIdleConnections();
  const closing = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(closing);
}
