/** Bytes in pieces, as they were received or read. */
export type Chunks = readonly Uint8Array[];

/** Their length in bytes. */
export function lengthOf(chunks: Chunks): number {
  let length = 0;
  for (const chunk of chunks) length += chunk.length;
  return length;
}

/** The rest after `size` bytes. */
export function restAfter(chunks: Chunks, size: number): Chunks {
  const rest: Uint8Array[] = [];
  let skip = size;
  for (const chunk of chunks) {
    if (skip < chunk.length) rest.push(skip > 0 ? chunk.subarray(skip) : chunk);
    skip = Math.max(0, skip - chunk.length);
  }
  return rest;
}
