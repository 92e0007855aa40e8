import type { Chunks } from "../../base/chunks.ts";
import type { Reply } from "./attempt.ts";
import { Broken } from "./broken-exchange.ts";
import { type ByteStream, fromBatches, fromChunks } from "./byte-stream.ts";
import type { WireResponse } from "./message.ts";
import { damaged, networkFailure, type Subject, tooLarge } from "./network-failure.ts";

interface Reading {
  /** Requested without an encoding: an encoded answer is not decoded, and its headers name the encoding. */
  raw: boolean;
  /** Maximum decoded bytes of a body that is read completely. */
  limit: number;
}

/** A decoded answer, whose errors are Failures. */
export async function responseFrom(reply: Reply, request: Subject, { raw, limit }: Reading): Promise<WireResponse> {
  const { status, headers, exchange, whole, repeated = false, refusedBefore = false } = reply;
  const subject = { ...request, status };
  const url = reply.url.href;
  if (status === 204 || status === 304) {
    // These have no body (RFC 9110: 204, 304), although some servers announce or send one.
    await exchange.discard();
    return { status, headers, url, repeated, refusedBefore, body: given(), discard: async () => {} };
  }
  const response: WireResponse = {
    status,
    headers,
    url,
    repeated,
    refusedBefore,
    body: whole === undefined ? rewordingErrors(exchange, subject) : given(whole.bytes()),
    discard: () => exchange.discard(),
  };
  const encoding = headers["content-encoding"];
  const bare = subject.method === "HEAD" || headers["content-length"] === "0";
  if (raw || encoding === undefined || encoding === "identity" || bare) {
    return whole === undefined ? response : { ...response, whole };
  }
  const { decoded } = await import("./decode.ts");
  const body = decoded(response.body, encoding, (problem, cause) => damaged(subject, problem, cause));
  if (!body) return response;
  // Both describe the encoded body, which the reader does not see.
  const { "content-encoding": _encoding, "content-length": _length, ...rest } = headers;
  return { ...response, headers: rest, body: fromChunks(whole === undefined ? body : bounded(body, subject, limit)) };
}

function given(...chunks: Chunks): ByteStream {
  return fromBatches(
    (async function* () {
      yield chunks;
    })(),
  );
}

async function* bounded(body: AsyncIterable<Uint8Array>, subject: Subject, limit: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) throw tooLarge(subject, limit);
    yield chunk;
  }
}

/** Not a generator, which would cost several microtasks per batch. */
function rewordingErrors(exchange: Reply["exchange"], subject: Subject): ByteStream {
  const inWords = (error: unknown): never => {
    throw error instanceof Broken ? networkFailure(error, subject) : error;
  };
  const iterator: AsyncIterableIterator<Chunks> = {
    next: () => exchange.next().catch(inWords),
    return: () => exchange.return(),
    [Symbol.asyncIterator]: () => iterator,
  };
  return fromBatches(iterator);
}
