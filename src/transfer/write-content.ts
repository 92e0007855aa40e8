import type { Context } from "../context.ts";
import type { FileWriter } from "../host.ts";
import type { Body } from "./body.ts";
import type { Inspector } from "./wanted.ts";

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
  const batches = new Batches(writer, () => context.now().getTime());
  let size = body.start;
  try {
    try {
      for await (const chunk of body.chunks()) {
        const inspected = inspect(inspectors, chunk);
        if (inspected !== undefined) await inspected;
        size += chunk.length;
        task.update(size);
        const full = batches.take(chunk);
        if (full !== undefined) await full;
      }
    } finally {
      // Also after a broken connection: the next run resumes from here.
      await batches.end();
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

const batchBytes = 1024 * 1024;
const batchChunks = 512;
/** Maximum time that received bytes stay in memory. */
const batchMs = 500;
/** Data is synced in steps of this size during the download, so that the final sync is short. */
const syncBytes = 32 * 1024 * 1024;

/** Writes one batch while the next is being received. */
class Batches {
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

  /** Returns a promise if the batch is full and must be awaited. */
  take(chunk: Uint8Array): Promise<void> | undefined {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    const now = this.#now();
    if (this.#bytes < batchBytes && this.#chunks.length < batchChunks && now - this.#writtenMs < batchMs) return;
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
