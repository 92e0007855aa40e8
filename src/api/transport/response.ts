import { Failure } from "../../errors.ts";
import type { WireResponse } from "../transport.ts";
import type { Reply } from "./attempt.ts";
import { Broken } from "./broken.ts";
import { networkFailure, type Subject } from "./failure.ts";

/** A reply as its reader gets it: decoded, and every failure in words. */
export async function responseFrom(reply: Reply, subject: Subject): Promise<WireResponse> {
  const { status, headers, exchange, repeated = false } = reply;
  const url = reply.url.href;
  if (status === 204 || status === 304) {
    // There is no body, whatever is announced or comes (RFC 9110: 204, 304): some send a message along.
    await exchange.discard();
    return { status, headers, url, repeated, body: nothing(), discard: async () => {} };
  }
  const response: WireResponse = {
    status,
    headers,
    url,
    repeated,
    body: worded(exchange, { ...subject, status }),
    discard: () => exchange.discard(),
  };
  const encoding = headers["content-encoding"];
  const bare = subject.method === "HEAD" || headers["content-length"] === "0";
  if (encoding === undefined || encoding === "identity" || bare) return response;
  const { decoded } = await import("./decode.ts");
  const body = decoded(response.body, encoding, (cause) => damaged(subject, encoding, cause));
  if (!body) return response;
  // Both describe the body as it was sent, which nobody gets to see.
  const { "content-encoding": _encoding, "content-length": _length, ...rest } = headers;
  return { ...response, headers: rest, body };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Not a generator: `for await` over one costs several microtasks for each chunk. */
function worded(exchange: Reply["exchange"], subject: Subject): AsyncIterable<Uint8Array> {
  const inWords = (error: unknown): never => {
    throw error instanceof Broken ? networkFailure(error, subject) : error;
  };
  const iterator: AsyncIterableIterator<Uint8Array> = {
    next: () => exchange.next().catch(inWords),
    return: () => exchange.return(),
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}

function damaged(subject: Subject, encoding: string, cause: unknown): Failure {
  return new Failure("network", `the answer of ${subject.host} is damaged: its ${encoding} encoding is broken`, {
    code: "damaged_body",
    method: subject.method,
    path: subject.path,
    retryable: true,
    cause,
  });
}
