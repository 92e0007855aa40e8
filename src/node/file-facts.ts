import { promises as fs } from "node:fs";
import type { FileFacts } from "../host.ts";

export async function factsOf(path: string): Promise<FileFacts | undefined> {
  const found = await unlessMissing(fs.stat(path));
  if (found === undefined) return undefined;
  return {
    kind: found.isFile() ? "file" : found.isDirectory() ? "folder" : "other",
    size: found.size,
    mode: found.mode & 0o7777,
    modifiedMs: found.mtimeMs,
  };
}

export async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
}

/** The system's code of an error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
