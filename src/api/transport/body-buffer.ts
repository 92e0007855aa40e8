import type { BufferPool } from "./buffer-pool.ts";

/** Memory for a body of unknown length. */
const firstBytes = 32 * 1024;
/** Maximum memory reserved for an announced length, since a server may announce anything. */
const maxAnnounced = 1024 * 1024;

/**
 * A body in one piece, copied as it arrives: the chunks of many concurrent answers would all be promoted to V8's old
 * generation, and stay there until a full collection.
 */
export class BodyBuffer {
  /** Bytes so far. */
  length = 0;
  readonly #pool: BufferPool;
  #buffer: Buffer;

  /** @param announced its length in bytes, if announced */
  constructor(pool: BufferPool, announced: number) {
    this.#pool = pool;
    this.#buffer = pool.take(announced > 0 ? Math.min(announced, maxAnnounced) : firstBytes);
  }

  add(chunk: Uint8Array): void {
    const length = this.length + chunk.length;
    if (length > this.#buffer.length) {
      const larger = this.#pool.take(2 * length);
      larger.set(this.bytes());
      this.#pool.give(this.#buffer);
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.length);
    this.length = length;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.length);
  }

  /** Releases its memory for other answers. */
  free(): void {
    this.#pool.give(this.#buffer);
    this.#buffer = nothing;
    this.length = 0;
  }
}

const nothing = Buffer.alloc(0);
