import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { contextFor } from "./context.ts";

export interface Request {
  readonly method: string;
  /** Below `/api/v4`, without a query. */
  readonly path: string;
  readonly query: string;
  readonly body: Record<string, unknown>;
}

/** The status and the JSON of an answer; `lost` closes the connection in place of one. */
export type Reply = readonly [status: number, body?: unknown] | "lost";

/** A server with these answers, and a Context that is signed in to it, whose clock moves by a second with each look. */
export async function scriptedInstance(answer: (request: Request) => Reply) {
  const requests: Request[] = [];
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    const [place = "", query = ""] = (incoming.url ?? "").replace("/api/v4", "").split("?");
    const path = decodeURIComponent(place);
    const request = { method: incoming.method ?? "", path, query, body: text === "" ? {} : JSON.parse(text) };
    requests.push(request);
    const reply = answer(request);
    if (reply === "lost") return void incoming.socket.destroy();
    const [status, body = status === 404 ? { message: "404 Not found" } : undefined] = reply;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(body === undefined ? "" : JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const context = contextFor(url, { token: "t0ken-of-nobody" });
  let now = Date.parse("2026-11-21T16:45:02Z");
  const warnings: string[] = [];
  Object.assign(context, {
    // Reads despite an interrupt.
    verifier: contextFor(url, { token: "t0ken-of-nobody" }).api,
    elapsedMs: () => (now += 1000),
    now: () => {
      now += 1000;
      return new Date(now);
    },
    warn: (text: string) => warnings.push(text),
  });
  /** The requests so far, but for reads with `changes`. */
  const log = (only?: "changes") =>
    requests
      .filter(({ method }) => only === undefined || method !== "GET")
      .map(({ method, path }) => `${method} ${path}`);
  return { context, requests, log, warnings };
}
