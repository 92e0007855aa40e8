import { basename } from "node:path";
import type { UploadSource } from "../api/field.ts";
import { UsageError } from "../base/errors.ts";
import type { Context } from "../context.ts";

/**
 * A local file to upload: checked now, read while it is sent, with progress. A missing, unreadable, empty, or not
 * regular file is a UsageError, before anything is sent. A retry reads it again.
 */
export async function uploadSource(context: Context, path: string): Promise<UploadSource> {
  const facts = await context.files.facts(path);
  if (facts === undefined) throw new UsageError(`the file ${path} does not exist`);
  if (facts.kind === "folder") throw new UsageError(`${path} is a folder`);
  if (facts.kind === "other") throw new UsageError(`${path} is not a regular file: its size must be known beforehand`);
  if (facts.size === 0) throw new UsageError(`${path} is empty`);
  const { size } = facts;
  await probe(context, path);
  return { name: basename(path), size, stream: () => watched(context, path, size) };
}

/** Reads one chunk, the only reliable test whether a file is readable. */
async function probe(context: Context, path: string): Promise<void> {
  for await (const _ of context.files.stream(path)) break;
}

async function* watched(context: Context, path: string, total: number): AsyncGenerator<Uint8Array> {
  const task = context.progress.start(`uploading ${basename(path)}`, { total, unit: "bytes" });
  let done = 0;
  try {
    for await (const chunk of context.files.lend(path)) {
      yield chunk;
      done += chunk.length;
      task.update(done);
    }
  } finally {
    task.stop();
  }
}
