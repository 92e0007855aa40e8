import { readSync } from "node:fs";
import * as fs from "node:fs/promises";
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { RandomAccessReader } from "yauzl";

const windowBytes = 1024 * 1024;
const chunkBytes = 256 * 1024;

/**
 * Reads an archive through a buffered window. The directory and small files are read in pieces of some thirty bytes:
 * without a window, each piece would need the thread pool, and each file a stream.
 */
export class ZipReader extends RandomAccessReader {
  readonly #file: fs.FileHandle;
  #window = Buffer.alloc(0);
  #from = 0;

  private constructor(file: fs.FileHandle) {
    super();
    this.#file = file;
  }

  /** Returns the reader and the archive's length in bytes. */
  static async open(path: string): Promise<{ reader: ZipReader; size: number }> {
    const file = await fs.open(path, "r");
    return { reader: new ZipReader(file), size: (await file.stat()).size };
  }

  /** Reads `length` bytes from `position`; fewer at the end of the archive. */
  async bytes(position: number, length: number): Promise<Buffer> {
    const at = position - this.#from;
    if (at >= 0 && at + length <= this.#window.length) return this.#window.subarray(at, at + length);
    // Signals are handled between windows.
    await setImmediate();
    const window = Buffer.allocUnsafe(Math.max(windowBytes, length));
    let filled = 0;
    for (let count = -1; count !== 0 && filled < window.length; filled += count) {
      count = readSync(this.#file.fd, window, filled, window.length - filled, position + filled);
    }
    this.#window = window.subarray(0, filled);
    this.#from = position;
    return this.#window.subarray(0, length);
  }

  override read(...[buffer, offset, length, position, callback]: Parameters<RandomAccessReader["read"]>): void {
    // The package's types omit the count that the callback receives.
    const done = callback as (error: Error | null, bytesRead?: number) => void;
    this.bytes(position, length).then((bytes) => done(null, bytes.copy(buffer, offset)), done);
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#chunks(start, end), { objectMode: false });
  }

  async *#chunks(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end; ) {
      const length = Math.min(chunkBytes, end - at);
      const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(length), 0, length, at);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  override close(callback: Parameters<RandomAccessReader["close"]>[0]): void {
    this.#file.close().then(() => callback(null), callback);
  }
}
