import { promises as fs, fstatSync, fsync, writev } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { promisify } from "node:util";
import { type Chunks, restAfter } from "../base/chunks.ts";
import type { FileWriter } from "../host.ts";
import { codeOf } from "./file-facts.ts";

/**
 * Opens a device, a pipe, or a file (created if missing) for appending. A file that the shell has opened (`/dev/fd/5`)
 * is written where the shell's own writes are, as if the program had inherited it as stdout.
 */
export async function openWriter(path: string): Promise<FileWriter> {
  return writerOn(openedByShell(path) ?? (await fs.open(path, "a")));
}

type Handle = Pick<FileHandle, "sync" | "close"> & { writev(chunks: Chunks): Promise<{ bytesWritten: number }> };

/** The descriptor that a path names, if a file is open there: it is used, and left open. */
function openedByShell(path: string): Handle | undefined {
  const [, number] = /^\/(?:dev|proc\/self)\/fd\/(\d{1,9})$/.exec(path) ?? [];
  const descriptor = path === "/dev/stdout" ? 1 : path === "/dev/stderr" ? 2 : number && Number(number);
  if (!descriptor || !fstatSync(descriptor).isFile()) return undefined;
  return {
    writev: (chunks) => promisify(writev)(descriptor, [...chunks]),
    sync: () => promisify(fsync)(descriptor),
    close: async () => undefined,
  };
}

/** A FileWriter on an open handle, which repeats partial writes until all chunks are written. */
export function writerOn(handle: Handle): FileWriter {
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
async function syncIfPossible(handle: Pick<FileHandle, "sync">): Promise<void> {
  try {
    await handle.sync();
  } catch (error) {
    if (!["EINVAL", "ENOTSUP", "EBADF"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/**
 * Syncs a folder, so that a rename survives a power cut, if the system supports it. A folder that may be written to but
 * not read cannot be synced; what was written is there nevertheless.
 */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await fs.open(path, "r").catch((error: unknown) => {
    if (codeOf(error) !== "EACCES") throw error;
  });
  if (handle === undefined) return;
  try {
    await syncIfPossible(handle);
  } finally {
    await handle.close();
  }
}
