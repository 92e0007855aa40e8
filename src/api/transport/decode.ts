import { pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

const decoders: Record<string, () => ReturnType<typeof createGunzip>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Up to here, in decoded bytes, a body may be compressed as well as it likes. */
const harmlessBytes = 16 * 1024 * 1024;
/** Times its size; JSON of rows that are much alike is seldom above 50. */
const maxRatio = 200;

type Damage = (problem: string, cause?: unknown) => Error;

/** The body with its content encoding undone; undefined for an encoding that is not known. */
export function decoded(
  body: AsyncIterable<Uint8Array>,
  encoding: string,
  damaged: Damage,
): AsyncIterable<Uint8Array> | undefined {
  const name = encoding.trim().toLowerCase();
  const create = decoders[name];
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
  let broke: unknown;
  let out = 0;
  pipeline(body, decoder, (error) => {
    broke = error;
  });
  try {
    for await (const chunk of decoder) {
      out += chunk.length;
      if (out > harmlessBytes && out > decoder.bytesWritten * maxRatio) {
        throw damaged(`it unpacks to more than ${maxRatio} times its size`);
      }
      yield chunk;
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (/^(Z_|ERR__|ERR_BROTLI)/.test(code)) throw damaged(`its ${name} encoding is broken`, error);
    throw broke ?? error;
  }
}
