import { join } from "node:path";
import { Failure, FileError, UsageError } from "../../../base/errors.ts";
import { heldBy, holdLock } from "../../../config/lock.ts";
import type { Context } from "../../../context.ts";
import { folderAbove } from "../../../transfer/folder-above.ts";
import type { Wanted } from "./export.ts";
import { isIntact, isOwnName, type Manifest, type ManifestWriter, manifestName, readManifest } from "./manifest.ts";
import type { Piece } from "./pieces.ts";

export const lockName = ".forgectl-pull.lock";

/** Refuses a target that is not a folder and cannot be created, before anything is sent. */
export async function checkFolder(context: Context, folder: string): Promise<void> {
  const facts = await context.files.facts(folder);
  if (facts?.kind === "folder") return;
  if (facts !== undefined) throw new UsageError(`${folder} is not a folder`);
  await folderAbove(context, folder);
}

/** Locks a folder: one run at a time. */
export async function lock(context: Context, folder: string): Promise<() => Promise<void>> {
  const release = await holdLock(context, join(folder, lockName)).catch((error: unknown) => {
    throw error instanceof FileError ? error.about(folder) : error;
  });
  if (release !== undefined) return release;
  throw new Failure("conflict", `another run is downloading into ${folder}`, {
    code: "locked",
    reason: heldBy(join(folder, lockName)),
    hint: "wait for it to end, or name another folder",
    retryable: true,
  });
}

/** The folder's manifest; undefined if there is none. One of another project is refused, unless `--force` is given. */
export async function manifestOf(
  context: Context,
  { folder, project, force, startOver }: Wanted,
): Promise<Manifest | undefined> {
  const hint = `start over with forgectl ${startOver}, or name another folder`;
  if (force) return readManifest(context, folder, hint).catch(() => undefined);
  const manifest = await readManifest(context, folder, hint);
  if (manifest === undefined) {
    const names = (await context.files.facts(folder)) === undefined ? [] : await context.files.list(folder);
    const foreign = names.find(isOwnName);
    if (foreign === undefined) return undefined;
    throw new UsageError(`${join(folder, foreign)} exists, but no ${manifestName} says which export it belongs to`, {
      code: "file_exists",
      hint,
    });
  }
  const now = { instance: context.config.baseUrl?.value ?? "", project };
  for (const name of ["instance", "project"] as const) {
    if (manifest[name] === now[name]) continue;
    throw new UsageError(`${folder} contains an export of another ${name}: ${manifest[name]}`, {
      code: "other_manifest",
      hint: "name another folder, or replace all of it with --force",
    });
  }
  return manifest;
}

/** Removes files of an earlier export whose names the new one does not use; files changed since are kept. */
export async function removeEarlier(context: Context, writer: ManifestWriter, folder: string): Promise<void> {
  const { earlier, pieces } = writer.manifest;
  if (earlier.length === 0) return;
  const used = new Set((pieces ?? []).map(({ file }) => file));
  for (const piece of earlier.filter(({ file }) => file !== null && !used.has(file))) {
    if (await isIntact(context, folder, piece)) await context.files.remove(join(folder, piece.file ?? ""));
  }
  await writer.change({ earlier: [] });
}

/** The pieces that are missing in the folder, or differ from the manifest. */
export async function piecesLeft(context: Context, folder: string, pieces: readonly Piece[] | null): Promise<Piece[]> {
  const all = pieces ?? [];
  const task = context.progress.start(`checking ${folder}`, { total: all.length });
  const left: Piece[] = [];
  try {
    for (const [index, piece] of all.entries()) {
      if (piece.file !== null && !(await isIntact(context, folder, piece)))
        left.push({ ...piece, status: "pending", size: null, sha256: null, lines: null });
      task.update(index + 1);
    }
    return left;
  } finally {
    task.stop();
  }
}
