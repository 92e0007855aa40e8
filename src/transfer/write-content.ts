import { type Chunks, lengthOf } from "../base/chunks.ts";
import type { Context } from "../context.ts";
import type { FileWriter } from "../host.ts";
import type { Body } from "./body.ts";
import type { Inspector } from "./download-request.ts";

interface ContentWrite {
  body: Body;
  label: string;
  writer: FileWriter;
  inspectors: readonly Inspector[];
}

/** Writes a content to an open file and syncs it, leaving it open. Returns the content's size in bytes. */
export async function writeContent(
  context: Context,
  { body, label, writer, inspectors }: ContentWrite,
): Promise<number> {
  const task = context.progress.start(`downloading ${label}`, {
    unit: "bytes",
    done: body.start,
    ...(body.total !== undefined && { total: body.total }),
  });
  const writes = new Writes(writer, () => context.elapsedMs());
  let size = body.start;
  try {
    try {
      for await (const batch of body.batches()) {
        for (const chunk of inspectors.length > 0 ? batch : []) {
          const inspected = inspect(inspectors, chunk);
          if (inspected !== undefined) await inspected;
        }
        size += lengthOf(batch);
        task.update(size);
        const full = writes.take(batch);
        if (full !== undefined) await full;
      }
    } finally {
      // Also after a broken connection: the next run resumes from here.
      await writes.end();
    }
    await writer.sync();
    return size;
  } finally {
    task.stop();
  }
}

/** Returns a promise only if one of the inspectors is asynchronous. */
export function inspect(inspectors: readonly Inspector[], chunk: Uint8Array): Promise<unknown> | undefined {
  const waits = inspectors.map((each) => each.take(chunk)).filter((wait) => wait !== undefined);
  return waits.length === 0 ? undefined : Promise.all(waits);
}

const writeBytes = 1024 * 1024;
const writeChunks = 512;
/** Maximum time that received bytes stay in memory. */
const writeMs = 500;
/** Data is synced in steps of this size during the download, so that the final sync is short. */
const syncBytes = 32 * 1024 * 1024;

/** Collects received bytes until a write is worthwhile. Writes them while the next are being received. */
class Writes {
  readonly #writer: FileWriter;
  readonly #now: () => number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #writtenMs: number;
  #writing = Promise.resolve();
  #unsynced = 0;
  #syncing: Promise<void> | undefined;

  constructor(writer: FileWriter, now: () => number) {
    this.#writer = writer;
    this.#now = now;
    this.#writtenMs = now();
  }

  /** Returns a promise if a write is due and must be awaited. */
  take(chunks: Chunks): Promise<void> | undefined {
    // Not spread: as arguments, hundreds of thousands of tiny chunks overflow the stack.
    for (const chunk of chunks) this.#chunks.push(chunk);
    this.#bytes += lengthOf(chunks);
    const now = this.#now();
    if (this.#bytes < writeBytes && this.#chunks.length < writeChunks && now - this.#writtenMs < writeMs) return;
    this.#writtenMs = now;
    return this.#flush();
  }

  /** Writes what is left, without syncing. */
  async end(): Promise<void> {
    await this.#flush();
    await this.#writing;
    await this.#syncing;
  }

  async #flush(): Promise<void> {
    await this.#writing;
    this.#writing = this.#writer.write(this.#chunks);
    this.#writing.catch(() => undefined);
    this.#unsynced += this.#bytes;
    this.#chunks = [];
    this.#bytes = 0;
    if (this.#unsynced < syncBytes || this.#syncing !== undefined) return;
    this.#unsynced = 0;
    this.#syncing = this.#writer.sync().then(() => {
      this.#syncing = undefined;
    });
    this.#syncing.catch(() => undefined);
  }
}
