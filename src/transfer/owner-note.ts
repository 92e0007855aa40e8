import type { Context } from "../context.ts";
import { readAll } from "./source.ts";

/**
 * A small file that says which process uses what lies beside it: the part of a download, a folder to unpack in. It is
 * private to the user: one that came out of an archive or a checkout under such a name counts for nothing.
 */
interface OwnerNote {
  readonly holder: string;
  /** What the user of the note keeps in it besides, unchecked. */
  readonly [name: string]: unknown;
}

/** Bytes. */
const longestNote = 64 * 1024;

/** Writes that this process uses it, and what it has to say besides. */
export async function writeOwnerNote(context: Context, path: string, more: object = {}): Promise<void> {
  const note = { ...more, holder: context.holder.name };
  await context.files.write(path, `${JSON.stringify(note)}\n`, { mode: 0o600 });
}

/** `foreign`: nothing that a run of this user left. `broken`: one did, and it cannot be read. */
export async function readOwnerNote(context: Context, path: string): Promise<OwnerNote | "broken" | "foreign"> {
  const file = await context.files.openPrivate(path);
  if (file === undefined) return "foreign";
  try {
    if (file.size > longestNote) return "broken";
    const note = (JSON.parse((await readAll(file.stream())).toString("utf8")) ?? {}) as Record<string, unknown>;
    return typeof note.holder === "string" ? { ...note, holder: note.holder } : "broken";
  } catch {
    return "broken";
  } finally {
    await file.close();
  }
}
