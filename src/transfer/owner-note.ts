import type { Context } from "../context.ts";
import { readAll } from "./source.ts";

/**
 * A small file that records which process uses the file or folder beside it: a partial download, a folder for
 * unpacking. It is private to the user: a file of that name from an archive or a checkout is ignored, unless the
 * umask made it private.
 */
interface OwnerNote {
  readonly holder: string;
  /** Whether `createOwnerNote` wrote this very file: no archive or checkout can hold such a one. */
  readonly isOriginal: boolean;
  /** Further data of the caller, unchecked. */
  readonly [name: string]: unknown;
}

/** Bytes. */
const maxNoteBytes = 64 * 1024;

/** Records this process as the owner, with further data. */
export async function writeOwnerNote(context: Context, path: string, more: object = {}): Promise<void> {
  const note = { ...more, holder: context.holder.name };
  await context.files.write(path, `${JSON.stringify(note)}\n`, { mode: 0o600 });
}

/** Records this process in a new file, which names itself. */
export async function createOwnerNote(context: Context, path: string): Promise<void> {
  const file = await context.files.createPrivate(path);
  try {
    const note = { holder: context.holder.name, original: file.id };
    await file.write([new TextEncoder().encode(`${JSON.stringify(note)}\n`)]);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** `foreign`: not written by a run of this user. `broken`: written by one, but unreadable. */
export async function readOwnerNote(context: Context, path: string): Promise<OwnerNote | "broken" | "foreign"> {
  const file = await context.files.openPrivate(path);
  if (file === undefined) return "foreign";
  try {
    if (file.size > maxNoteBytes) return "broken";
    const note = JSON.parse((await readAll(file.stream())).toString("utf8")) as Record<string, unknown>;
    const { holder, original } = note;
    return typeof holder === "string" ? { ...note, holder, isOriginal: original === file.id } : "broken";
  } catch {
    return "broken";
  } finally {
    await file.close();
  }
}
