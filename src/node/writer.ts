import { promises as fs } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { type Chunks, restAfter } from "../base/chunks.ts";
import type { FileWriter } from "../host.ts";

/** Opens a device, a pipe, or a file (created if missing) for appending. */
export async function openWriter(path: string): Promise<FileWriter> {
  return writerOn(await fs.open(path, "a"));
}

/** A FileWriter on an open handle, which repeats partial writes until all chunks are written. */
export function writerOn(handle: FileHandle): FileWriter {
  return {
    async write(chunks) {
      let rest: Chunks = chunks.filter((chunk) => chunk.length > 0);
      while (rest.length > 0) {
        const { bytesWritten } = await handle.writev(rest);
        rest = restAfter(rest, bytesWritten);
      }
    },
    sync: () => syncIfPossible(handle),
    close: () => handle.close(),
  };
}

/** Some folders, devices, and pipes cannot be synced. */
async function syncIfPossible(handle: FileHandle): Promise<void> {
  try {
    await handle.sync();
  } catch (error) {
    if (!["EINVAL", "ENOTSUP", "EBADF"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** Syncs a folder, so that a rename survives a power cut, if the system supports it. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await fs.open(path, "r");
  try {
    await syncIfPossible(handle);
  } finally {
    await handle.close();
  }
}
