import type { Chunks } from "../../base/chunks.ts";

/** Bytes of unused memory kept for later: the pages of a long list reuse it, and the reads of a large download. */
const maxPooled = 4 * 1024 * 1024;
/** Memory is allocated in multiples of this size, so that a slightly longer answer fits too. */
const allocationStep = 32 * 1024;

/** A pool of memory: what has been read or written leaves its memory to what comes later. */
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
    if (this.#size + buffer.length > maxPooled) return;
    this.#buffers.push(buffer);
    this.#size += buffer.length;
  }

  /** Takes back the memory of large chunks that fill theirs; another chunk may still use the memory of the rest. */
  recycle(chunks: Chunks): void {
    for (const { buffer, byteLength } of chunks) {
      if (byteLength === buffer.byteLength && byteLength >= allocationStep) this.give(Buffer.from(buffer));
    }
  }
}
