import type { Hash } from "node:crypto";
import type { Context } from "../context.ts";
import type { FileWriter } from "../host.ts";
import type { Body } from "./body.ts";

interface Pouring {
  body: Body;
  label: string;
  writer: FileWriter;
  hash: Hash | undefined;
}

const batchBytes = 1024 * 1024;
const batchChunks = 512;
/** A slow connection's bytes are not held back for longer. */
const batchMs = 500;

/** Writes a batch while the next one comes in. Gives the content's size; the file is synced and closed. */
export async function pour(context: Context, { body, label, writer, hash }: Pouring): Promise<number> {
  const task = context.progress.start(`downloading ${label}`, {
    unit: "bytes",
    done: body.start,
    ...(body.total !== undefined && { total: body.total }),
  });
  let size = body.start;
  let batch: Uint8Array[] = [];
  let batched = 0;
  let writing = Promise.resolve();
  let written = context.now().getTime();
  try {
    try {
      for await (const chunk of body.chunks()) {
        hash?.update(chunk);
        batch.push(chunk);
        size += chunk.length;
        batched += chunk.length;
        task.update(size);
        const now = context.now().getTime();
        if (batched < batchBytes && batch.length < batchChunks && now - written < batchMs) continue;
        await writing;
        writing = writer.write(batch);
        writing.catch(() => undefined);
        written = now;
        batch = [];
        batched = 0;
      }
    } finally {
      // Also what came before a connection broke: the next run goes on after it.
      await writing;
      await writer.write(batch);
    }
    await writer.sync();
    return size;
  } finally {
    task.stop();
    await writer.close();
  }
}
