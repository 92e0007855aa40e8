/** So many bytes of unused memory are kept for answers to come; pages of a long list are in it, one after the other. */
const mostSpare = 4 * 1024 * 1024;
/** Memory is taken in pieces of this size, so that the next answer, a little longer, fits in as well. */
const grain = 32 * 1024;
/** What is set aside for an announced length; a server may announce anything. */
const mostAnnounced = 1024 * 1024;

/** Memory of answers that have been read, for those to come. */
export class Spare {
  readonly #buffers: Buffer[] = [];
  #size = 0;

  /** Memory for so many bytes or some more; what is in it is of no meaning. */
  take(size: number): Buffer {
    const at = this.#buffers.findIndex(({ length }) => length >= size && length <= 4 * Math.max(size, grain));
    const [found] = at === -1 ? [] : this.#buffers.splice(at, 1);
    if (found === undefined) return Buffer.allocUnsafeSlow(Math.ceil(size / grain) * grain);
    this.#size -= found.length;
    return found;
  }

  give(buffer: Buffer): void {
    if (this.#size + buffer.length > mostSpare) return;
    this.#buffers.push(buffer);
    this.#size += buffer.length;
  }
}

/**
 * A body as one piece, copied as it comes: the chunks of many answers under way would grow old together, and stay until
 * a full collection.
 */
export class Gathered {
  /** Bytes so far. */
  length = 0;
  readonly #spare: Spare;
  #buffer: Buffer;

  /** @param announced its length in bytes, if announced */
  constructor(spare: Spare, announced: number) {
    this.#spare = spare;
    this.#buffer = spare.take(announced > 0 ? Math.min(announced, mostAnnounced) : grain);
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

  /** Its memory is that of other answers from now on. */
  free(): void {
    this.#spare.give(this.#buffer);
    this.#buffer = nothing;
    this.length = 0;
  }
}

const nothing = Buffer.alloc(0);
