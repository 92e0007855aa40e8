import { join } from "node:path";
import { FileError } from "../base/errors.ts";
import type { Context } from "../context.ts";
import type { Files } from "../host.ts";

// Runs of jobs and of apply have names of one form: the second, by which they are ordered, and four digits against a
// second run in it.

/**
 * Creates the folder of a new run, and returns its name: `20261121T164502Z-7f3a`. Another run of this second, or
 * another user's link, may have a name already.
 */
export async function newRun({ files, now }: Pick<Context, "files" | "now">, folder: string): Promise<string> {
  while (true) {
    const id = `${secondOf(now())}-${crypto.randomUUID().slice(0, 4)}`;
    if (await files.createFolder(join(folder, id))) return id;
  }
}

export function isRunId(text: string): boolean {
  return /^\d{8}T\d{6}Z-\w{4}$/.test(text);
}

/** The beginning of the names of that second: earlier names sort before it. */
export function secondOf(time: Date): string {
  return time.toISOString().replace(/[-:]|\.\d+/g, "");
}

/** The runs that a folder records. A link of such a name is none: another user may have put it there. */
export async function runsIn(files: Pick<Files, "entries">, folder: string): Promise<string[]> {
  const found = await files.entries(folder).catch((error: unknown) => {
    if (error instanceof FileError && (error.code === "ENOENT" || error.code === "ENOTDIR")) return [];
    throw error;
  });
  return found.flatMap(({ name, kind }) => (kind === "folder" && isRunId(name) ? [name] : []));
}
