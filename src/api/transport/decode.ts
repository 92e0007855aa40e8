import { pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

const decoders: Record<string, () => ReturnType<typeof createGunzip>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The body with its content encoding undone; undefined for an encoding that is not known. */
export function decoded(
  body: AsyncIterable<Uint8Array>,
  encoding: string,
  damaged: (cause: unknown) => Error,
): AsyncIterable<Uint8Array> | undefined {
  const create = decoders[encoding.trim().toLowerCase()];
  return create && decode(body, create(), damaged);
}

async function* decode(
  body: AsyncIterable<Uint8Array>,
  decoder: ReturnType<typeof createGunzip>,
  damaged: (cause: unknown) => Error,
): AsyncGenerator<Uint8Array> {
  let broke: unknown;
  pipeline(body, decoder, (error) => {
    broke = error;
  });
  try {
    for await (const chunk of decoder) yield chunk;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    throw /^(Z_|ERR__|ERR_BROTLI)/.test(code) ? damaged(error) : (broke ?? error);
  }
}
