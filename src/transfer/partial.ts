import { join } from "node:path";
import type { Context } from "../context.ts";
import type { PrivateFile } from "../host.ts";
import type { ResumePoint } from "./body.ts";
import { readOwnerNote, writeOwnerNote } from "./owner-note.ts";

/**
 * The part of a content that an interrupted run received, in the target's folder:
 * `.forgectl-<source>-<random>.part`, and beside it a `.part.json` with the server's validator, the file's ID, and the
 * process that writes it. A later run of the same download resumes it, and removes leftovers that cannot
 * be resumed. Both files are private to the user. The ID distinguishes a part that was written here from one that came
 * from an archive or a checkout under that name.
 */
export interface Part {
  path: string;
  file: PrivateFile;
}

/** A part that an earlier run began. */
interface ClaimedPart extends Part, ResumePoint {
  /** Hexadecimal SHA-256 of the whole content, if the server reported it then. */
  sha256: string | undefined;
}

interface Leftover extends ResumePoint {
  path: string;
  id: string;
  sha256: string | undefined;
}

/** Metadata of a content, to check whether the same content is still served. */
interface About {
  source: string;
  validator: string | undefined;
  /** Hexadecimal SHA-256 of the whole content, if the server reported it. */
  sha256: string | undefined;
}

interface Note extends About {
  holder: string;
  id: string;
}

/** In the note of a part that is being created: no file has this ID. */
const unknownId = "";

function prefixOf(source: string): string {
  return `.forgectl-${source.slice(0, 12)}-`;
}

function freshPath(folder: string, source: string): string {
  return join(folder, `${prefixOf(source)}${crypto.randomUUID().slice(0, 8)}.part`);
}

/**
 * Creates an empty part. Its note comes first, so that after a killed run the next one can always identify its owner.
 */
export async function createPart(context: Context, folder: string, about: About): Promise<Part> {
  const path = freshPath(folder, about.source);
  let file: PrivateFile | undefined;
  try {
    await writeNote(context, path, about, unknownId);
    file = await context.files.createPrivate(path);
    await writeNote(context, path, about, file.id);
    return { path, file };
  } catch (error) {
    await file?.close();
    await discard(context, path);
    throw error;
  }
}

/**
 * Claims what an earlier run of the same download left, by renaming it to a name that no other run writes; undefined
 * if there is nothing, or another run claimed it first. Unusable leftovers are removed.
 */
export async function claimLeftover(
  context: Context,
  folder: string,
  source: string,
): Promise<ClaimedPart | undefined> {
  const leftover = await findLeftover(context, folder, source);
  if (leftover === undefined) return undefined;
  const { id, size, validator, sha256 } = leftover;
  const path = freshPath(folder, source);
  await writeNote(context, path, { source, validator, sha256 }, id);
  const renamed = await context.files.rename(leftover.path, path).then(
    () => true,
    () => false,
  );
  const file = renamed ? await context.files.openPrivate(path) : undefined;
  if (renamed) await context.files.remove(`${leftover.path}.json`).catch(() => undefined);
  if (file?.id === id && file.size === size) return { path, file, size, validator, sha256 };
  await file?.close();
  await discard(context, path);
  return undefined;
}

async function writeNote(context: Context, part: string, about: About, id: string): Promise<void> {
  await writeOwnerNote(context, `${part}.json`, { ...about, id });
}

/** Removes a part and its note. */
export async function discard(context: Context, part: string): Promise<void> {
  await context.files.remove(part).catch(() => undefined);
  await context.files.remove(`${part}.json`).catch(() => undefined);
}

async function findLeftover(context: Context, folder: string, source: string): Promise<Leftover | undefined> {
  // A folder may be writable but not readable.
  const names = await context.files.list(folder).catch(() => []);
  let found: Leftover | undefined;
  for (const name of names) {
    if (!name.startsWith(prefixOf(source)) || !name.endsWith(".part.json")) continue;
    const path = join(folder, name.slice(0, -".json".length));
    const note = await readNote(context, path);
    if (note === "foreign") continue;
    if (note !== "broken" && (note.source !== source || context.holder.alive(note.holder))) continue;
    const leftover = note === "broken" ? undefined : await leftoverAt(context, path, note);
    if (leftover !== undefined && leftover.size > (found?.size ?? 0)) {
      if (found !== undefined) await discard(context, found.path);
      found = leftover;
    } else await discard(context, path);
  }
  return found;
}

async function leftoverAt(context: Context, path: string, note: Note): Promise<Leftover | undefined> {
  const { validator, sha256 } = note;
  const file = await context.files.openPrivate(path);
  await file?.close();
  if (file === undefined || file.id !== note.id || validator === undefined) return undefined;
  return { path, size: file.size, id: file.id, validator, sha256 };
}

async function readNote(context: Context, part: string): Promise<Note | "broken" | "foreign"> {
  const note = await readOwnerNote(context, `${part}.json`);
  if (typeof note === "string") return note;
  const { source, holder, id, validator, sha256 } = note;
  if (typeof source !== "string" || typeof id !== "string") return "broken";
  const text = (given: unknown) => (typeof given === "string" ? given : undefined);
  return { source, holder, id, validator: text(validator), sha256: text(sha256) };
}
