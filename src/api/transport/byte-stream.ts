import type { Chunks } from "../../base/chunks.ts";

/** A body as it arrives. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  /** The same bytes in fewer steps, which makes a large transfer cheaper: chunks that arrived together. */
  batches(): AsyncIterable<Chunks>;
}

export function fromBatches(batches: AsyncIterable<Chunks>): ByteStream {
  return { batches: () => batches, [Symbol.asyncIterator]: () => singly(batches) };
}

export function fromChunks(chunks: AsyncIterable<Uint8Array>): ByteStream {
  return {
    batches: () => inOnes(chunks),
    [Symbol.asyncIterator]: () => chunks[Symbol.asyncIterator](),
  };
}

async function* singly(batches: AsyncIterable<Chunks>): AsyncGenerator<Uint8Array> {
  for await (const batch of batches) yield* batch;
}

async function* inOnes(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Chunks> {
  for await (const chunk of chunks) yield [chunk];
}
