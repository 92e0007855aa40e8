import { once } from "node:events";
import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createHttps, type ServerOptions } from "node:https";
import { type AddressInfo, createServer as createNet, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createTransport } from "../../src/api/transport/index.ts";
import type { TransportOptions, WireRequest, WireResponse } from "../../src/api/transport/message.ts";
import { Failure } from "../../src/base/errors.ts";
import { after } from "../../src/node/timers.ts";
import { atTestEnd } from "../support/ending.ts";

/** Milliseconds; never reached. */
const timeoutMs = 20_000;

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

interface TestServer {
  url: string;
  port: number;
  /** The requests received, in order. */
  seen: Seen[];
  /** `GET /path` of each. */
  lines(): string[];
  connections: number;
}

type Answer = (request: IncomingMessage, response: ServerResponse, count: number) => unknown;

/** A server with these answers; `count` is 1 for the first request. With `tls` it uses https. */
export async function serve(answer: Answer, tls?: ServerOptions): Promise<TestServer> {
  const take = (request: IncomingMessage, response: ServerResponse) => {
    const seen: Seen = { method: request.method ?? "", url: request.url ?? "", headers: request.headers, body: "" };
    server.seen.push(seen);
    request.on("data", (chunk) => {
      seen.body += chunk;
    });
    answer(request, response, server.seen.length);
  };
  const listener: Server = tls ? createHttps(tls, take) : createHttp(take);
  const port = await listen(listener);
  const host = tls ? "localhost" : "127.0.0.1";
  const seen: Seen[] = [];
  const lines = () => seen.map((one) => `${one.method} ${one.url}`);
  const server: TestServer = { url: `${tls ? "https" : "http"}://${host}:${port}`, port, seen, lines, connections: 0 };
  listener.on("connection", () => server.connections++);
  atTestEnd(() => {
    listener.closeAllConnections();
    listener.close();
  });
  return server;
}

/** A server of raw bytes: `answer` gets the socket once a request's head has arrived. */
export async function serveRaw(answer: (socket: Socket, count: number, head: string) => unknown) {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const listener = createNet((socket) => {
    sockets.add(socket);
    let head = "";
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      head += chunk.toString("latin1");
      if (!head.includes("\r\n\r\n")) return;
      heads.push(head);
      const whole = head;
      head = "";
      answer(socket, heads.length, whole);
    });
  });
  const port = await listen(listener);
  atTestEnd(() => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  });
  return { url: `http://127.0.0.1:${port}`, port, heads, sockets };
}

async function listen(server: { listen(port: number, host: string): unknown; address(): unknown }): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server as unknown as NodeJS.EventEmitter, "listening");
  return (server.address() as AddressInfo).port;
}

/** An unused port. */
export async function freePort(): Promise<number> {
  const server = createNet();
  const port = await listen(server);
  server.close();
  await once(server, "close");
  return port;
}

export interface Client {
  send(method: string, url: string, more?: Partial<WireRequest>): Promise<WireResponse>;
  /** Milliseconds of each wait between attempts, which are simulated. */
  waits: number[];
  announced: string[];
  trace: string[];
  interrupt: AbortController;
  close(): Promise<void>;
}

/** A transport with a simulated clock: waits between attempts end at once, the time to the next byte is real. */
export async function client(more: Partial<TransportOptions> = {}): Promise<Client> {
  const waits: number[] = [];
  const announced: string[] = [];
  const trace: string[] = [];
  const interrupt = new AbortController();
  let skipped = 0;
  const elapsedMs = () => performance.now() - opened + skipped;
  const opened = performance.now();
  const transport = await createTransport({
    timeoutMs,
    retries: 4,
    connections: 6,
    userAgent: "forgectl/test",
    env: {},
    signal: interrupt.signal,
    now: () => start + elapsedMs(),
    elapsedMs,
    sleep: async (ms, signal) => {
      if (signal?.aborted) throw signal.reason;
      waits.push(ms);
      skipped += ms;
      await nextTurn();
    },
    after,
    random: () => 0.5,
    trace: (line) => trace.push(line),
    announce: (text) => announced.push(text),
    ...more,
  });
  atTestEnd(() => transport.close());
  const send: Client["send"] = (method, url, request = {}) =>
    transport.send({ method, url, headers: {}, secretHeaders: [], ...request });
  return { send, waits, announced, trace, interrupt, close: () => transport.close() };
}

/** The start time of the clock of `client`. */
export const start = Date.UTC(2030, 0, 1);

export const withToken: Partial<WireRequest> = {
  headers: { "PRIVATE-TOKEN": "s3cret-token", accept: "application/json", "x-service-note": "private" },
  secretHeaders: ["PRIVATE-TOKEN"],
};

export async function textOf(response: WireResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

export function bodyOf(text: string): NonNullable<WireRequest["body"]> {
  const bytes = Buffer.from(text);
  return {
    size: bytes.length,
    async *stream() {
      yield bytes;
    },
  };
}

/** The Failure that a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("it was expected to fail");
}
