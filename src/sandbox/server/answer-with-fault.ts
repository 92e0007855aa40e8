import { type IncomingMessage, STATUS_CODES } from "node:http";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { FaultAction } from "./faults.ts";
import { streamed } from "./respond.ts";

/** The number of chunks of a slow body. */
const PIECES = 10;

/**
 * Answers with a fault. `proceed` computes the real answer: only faults in the delivery of an answer call it, so that a
 * 503 changes nothing in the sandbox. `signal` ends waits when the sandbox closes.
 */
export async function answerWithFault(
  fault: FaultAction,
  request: { readonly incoming: IncomingMessage; readonly signal: AbortSignal },
  proceed: () => Promise<Response>,
): Promise<Response> {
  let response: Response;
  switch (fault.kind) {
    case "status":
      return statusFault(fault.status, fault.retryAfter);
    case "redirect":
      return new Response(null, { status: fault.status, headers: { location: fault.to } });
    case "html":
      return new Response(
        `<html>\n<head><title>${fault.status}</title></head>\n<body><h1>${fault.status}</h1></body>\n</html>\n`,
        {
          status: fault.status,
          headers: { "content-type": "text/html; charset=utf-8" },
        },
      );
    case "reset":
      return reset(request.incoming);
    case "hang":
      await gone(request);
      return RESPONSE_ALREADY_SENT;
    case "delay":
      await sleep(fault.ms, undefined, { signal: request.signal }).catch(() => {});
      return proceed();
    case "slow":
      response = await proceed();
      return withBody(response, (body, length) => dribble(body, fault.ms / length || 0, request.signal)) ?? response;
    case "truncate":
      return (
        withBody(await proceed(), (body, length) => half(body, length, request.incoming)) ?? reset(request.incoming)
      );
  }
}

function statusFault(status: number, retryAfter: string | undefined): Response {
  return Response.json(
    { message: `${status} ${STATUS_CODES[status] ?? "Error"}` },
    { status, headers: retryAfter === undefined ? {} : { "retry-after": retryAfter } },
  );
}

function reset(incoming: IncomingMessage): Response {
  incoming.socket.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
}

function gone({ incoming, signal }: { incoming: IncomingMessage; signal: AbortSignal }): Promise<void> {
  return new Promise((resolve) => {
    incoming.socket.once("close", () => resolve());
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

type Bytes = AsyncIterable<Uint8Array>;

/** The same answer with a changed body stream; undefined if it has no body. */
function withBody(response: Response, change: (body: Bytes, length: number) => Bytes): Response | undefined {
  if (response.body === null) return undefined;
  const length = Number(response.headers.get("content-length"));
  return streamed(Readable.from(change(response.body as unknown as Bytes, length), { objectMode: false }), response);
}

async function* half(body: Bytes, length: number, incoming: IncomingMessage): Bytes {
  let left = Math.floor(length / 2);
  for await (const chunk of body) {
    if (chunk.length > left) {
      yield chunk.subarray(0, left);
      break;
    }
    yield chunk;
    left -= chunk.length;
  }
  // Time to send the written bytes before the connection closes.
  await sleep(20);
  incoming.socket.destroy();
}

async function* dribble(body: Bytes, msPerByte: number, signal: AbortSignal): Bytes {
  for await (const chunk of body) {
    const size = Math.max(1, Math.ceil(chunk.length / PIECES));
    for (let at = 0; at < chunk.length; at += size) {
      const piece = chunk.subarray(at, at + size);
      await sleep(piece.length * msPerByte, undefined, { signal });
      yield piece;
    }
  }
}
