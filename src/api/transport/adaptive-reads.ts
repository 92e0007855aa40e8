import type { OnReadOpts } from "node:net";
import type { BufferPool } from "./buffer-pool.ts";

/** Node's own size of a read. */
const minBytes = 64 * 1024;
const maxBytes = 256 * 1024;

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
      // Copied, so that little read holds little memory; its buffer takes the next read.
      if (length <= buffer.length / 2) {
        size = Math.max(size / 2, minBytes);
        return push(Buffer.from(bytes));
      }
      if (length === buffer.length) size = Math.min(2 * size, maxBytes);
      buffer = pool.take(size);
      return push(bytes);
    },
  };
}
