import { promises as fs } from "node:fs";
import { compareTexts } from "../base/compare-texts.ts";
import type { FileFacts, FolderEntry } from "../host.ts";

export async function factsOf(path: string): Promise<FileFacts | undefined> {
  const found = await unlessMissing(fs.stat(path));
  if (found === undefined) return undefined;
  return {
    kind: kindOf(found),
    size: found.size,
    mode: found.mode & 0o7777,
    modifiedMs: found.mtimeMs,
  };
}

/** What is in a folder, by name in order. */
export async function entriesOf(folder: string): Promise<FolderEntry[]> {
  const found = await fs.readdir(folder, { withFileTypes: true });
  const entries = found.map((each) => ({ name: each.name, kind: kindOf(each) }));
  return entries.sort((a, b) => compareTexts(a.name, b.name));
}

function kindOf(found: { isFile(): boolean; isDirectory(): boolean }): FileFacts["kind"] {
  return found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
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
