/** Bytes of unused memory kept for later answers: the pages of a long list reuse it. */
const maxSpare = 4 * 1024 * 1024;
/** Memory is allocated in multiples of this size, so that a slightly longer answer fits too. */
const allocationStep = 32 * 1024;
/** Maximum memory reserved for an announced length, since a server may announce anything. */
const maxAnnounced = 1024 * 1024;

/** A pool of memory: answers that have been read leave theirs to later ones. */
export class BufferPool {
  readonly #buffers: Buffer[] = [];
  #size = 0;

  /** At least this many bytes of memory, with arbitrary content. */
  take(size: number): Buffer {
    const at = this.#buffers.findIndex(({ length }) => length >= size && length <= 4 * Math.max(size, allocationStep));
    const [found] = at === -1 ? [] : this.#buffers.splice(at, 1);
    if (found === undefined) return Buffer.allocUnsafeSlow(Math.ceil(size / allocationStep) * allocationStep);
    this.#size -= found.length;
    return found;
  }

  give(buffer: Buffer): void {
    if (this.#size + buffer.length > maxSpare) return;
    this.#buffers.push(buffer);
    this.#size += buffer.length;
  }
}

/**
 * A body in one piece, copied as it arrives: the chunks of many concurrent answers would all be promoted to V8's old
 * generation, and stay there until a full collection.
 */
export class BodyBuffer {
  /** Bytes so far. */
  length = 0;
  readonly #spare: BufferPool;
  #buffer: Buffer;

  /** @param announced its length in bytes, if announced */
  constructor(pool: BufferPool, announced: number) {
    this.#spare = pool;
    this.#buffer = pool.take(announced > 0 ? Math.min(announced, maxAnnounced) : allocationStep);
  }

  add(chunk: Uint8Array): void {
    const length = this.length + chunk.length;
    if (length > this.#buffer.length) {
      const larger = this.#spare.take(2 * length);
      larger.set(this.bytes());
      this.#spare.give(this.#buffer);
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
    this.#spare.give(this.#buffer);
    this.#buffer = nothing;
    this.length = 0;
  }
}

const nothing = Buffer.alloc(0);
