import type { OnReadOpts } from "node:net";
import type { BufferPool } from "./buffer-pool.ts";

/** Node's own size of a read. */
const minBytes = 64 * 1024;
const maxBytes = 256 * 1024;
/** Up to this size a read is copied, and its buffer used for the next. */
const copiedBytes = 8 * 1024;

/**
 * Reads of a socket, larger while as much arrives, into memory that is used again: in a large download, new memory for
 * each 64 KiB takes a seventh of the CPU time. For plain HTTP only, since TLS has records of 16 KiB.
 *
 * @param push takes the bytes; returns false if reading should pause
 */
export function adaptiveReads(pool: BufferPool, push: (bytes: Buffer) => boolean): OnReadOpts {
  let size = minBytes;
  let buffer = pool.take(size);
  return {
    buffer: () => buffer,
    callback: (length) => {
      const bytes = buffer.subarray(0, length);
      if (length <= copiedBytes) return push(Buffer.from(bytes));
      if (length === buffer.length) size = Math.min(2 * size, maxBytes);
      else if (length < size / 4) size = Math.max(size / 2, minBytes);
      buffer = pool.take(size);
      return push(bytes);
    },
  };
}
