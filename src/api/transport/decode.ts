import { pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { inflated, isInflated } from "./inflation.ts";

/** By the server's word for it. */
const decoders = new Map<string, () => ReturnType<typeof createGunzip>>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

type Damage = (problem: string, cause?: unknown) => Error;

/** The decoded body; undefined for an unknown content encoding. */
export function decoded(
  body: AsyncIterable<Uint8Array>,
  encoding: string,
  damaged: Damage,
): AsyncIterable<Uint8Array> | undefined {
  const name = encoding.trim().toLowerCase();
  const create = decoders.get(name);
  return create && decode(body, { decoder: create(), name, damaged });
}

interface Decoding {
  decoder: ReturnType<typeof createGunzip>;
  name: string;
  damaged: Damage;
}

async function* decode(
  body: AsyncIterable<Uint8Array>,
  { decoder, name, damaged }: Decoding,
): AsyncGenerator<Uint8Array> {
  let failure: unknown;
  let out = 0;
  pipeline(body, decoder, (error) => {
    failure = error;
  });
  try {
    for await (const chunk of decoder) {
      out += chunk.length;
      if (isInflated(out, decoder.bytesWritten)) throw damaged(inflated);
      yield chunk;
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    // An empty body is not encoded, although some proxies say so.
    if (code === "Z_BUF_ERROR" && decoder.bytesWritten === 0) return;
    if (/^(Z_|ERR__|ERR_BROTLI)/.test(code)) throw damaged(`its ${name} encoding is invalid`, error);
    throw failure ?? error;
  }
}
