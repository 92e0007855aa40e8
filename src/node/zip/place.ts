import { linkSync, lstatSync, mkdirSync, renameSync } from "node:fs";
import * as fs from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Failure } from "../../base/errors.ts";
import { type HeldFolder, HeldPath, holdFolder } from "../held-folder.ts";
import { forget, type Moves, record, type Step, undo } from "./moves.ts";

/**
 * Moves the content of `moves.from` into `moves.to`: files replace files, folders are merged. Conflicts are found
 * before anything moves. If the system fails later, or the user interrupts, the move is undone at once; if the process
 * is killed, the next run undoes it with the journal.
 */
export async function moveInto(moves: Moves, signal: AbortSignal): Promise<void> {
  const steps: Step[] = [];
  for (const [index, { path, isFolder }] of (await contentOf(moves.from)).entries()) {
    if (index % atOnce === 0) await setImmediate();
    signal.throwIfAborted();
    steps.push({ path, isFolder, exists: refuseClash(join(moves.to, path), isFolder) });
  }
  await fs.mkdir(moves.aside, { mode: 0o700 });
  await record(moves, steps);
  try {
    await moveAll(moves, steps, signal);
  } catch (error) {
    await undo(moves, steps);
    await forget(moves);
    throw error;
  }
  // From here on the move is complete: only its leftovers must be removed.
  await forget(moves);
}

/**
 * Every folder is opened from the one above it, so that no link that appears meanwhile is followed. If one was replaced
 * while it was open, files are in what it was: that is no success either.
 */
async function moveAll(moves: Moves, steps: readonly Step[], signal: AbortSignal): Promise<void> {
  const folders = new HeldPath(holdFolder(moves.to));
  try {
    for (const [index, step] of steps.entries()) {
      if (index % atOnce === 0) await setImmediate();
      signal.throwIfAborted();
      const above = heldIn(folders, dirname(step.path), moves.to);
      const target = join(above.path, basename(step.path));
      if (!step.isFolder) moveFile(join(moves.from, step.path), target, step, join(moves.aside, String(index)));
      else if (!step.exists) mkdirSync(target);
    }
    if (!folders.isIntact()) throw replaced(moves.to);
  } finally {
    folders.close();
  }
}

function heldIn(folders: HeldPath, path: string, to: string): HeldFolder {
  try {
    return folders.at(path);
  } catch (error) {
    throw replaced(join(to, path), error);
  }
}

function replaced(path: string, cause?: unknown): Failure {
  return new Failure("conflict", `nothing was extracted: ${path} was replaced meanwhile`, {
    code: "changed_meanwhile",
    hint: "extract to a folder that no one else changes",
    cause,
  });
}

/** For tens of thousands of files, the thread pool would cost more than the moves; signals are handled in between. */
const atOnce = 64;

async function contentOf(root: string, below = ""): Promise<Omit<Step, "exists">[]> {
  const steps: Omit<Step, "exists">[] = [];
  for (const entry of await fs.readdir(join(root, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    steps.push({ path, isFolder: entry.isDirectory() });
    if (!entry.isDirectory()) continue;
    for (const each of await contentOf(root, path)) steps.push(each);
  }
  return steps;
}

/**
 * Refuses a link in place of a folder, which would lead out of the target, and a folder in place of a file, which would
 * be lost.
 */
function refuseClash(target: string, isFolder: boolean): boolean {
  const present = lstatSync(target, { throwIfNoEntry: false });
  if (present === undefined || present.isDirectory() === isFolder) return present !== undefined;
  const is = present.isDirectory() ? "a folder" : present.isSymbolicLink() ? "a link" : "a file";
  throw new Failure("conflict", `nothing was extracted: ${target} is ${is}`, {
    code: "in_the_way",
    reason: `the archive has ${isFolder ? "a folder" : "a file"} of that name`,
    hint: "remove it, or extract to another folder",
  });
}

function moveFile(source: string, target: string, { exists }: Step, aside: string): void {
  if (exists) moveAside(target, aside);
  renameSync(source, target);
}

/** Sets a file aside by a hard link if possible, so that its name never disappears. */
function moveAside(target: string, aside: string): void {
  if (!lstatSync(target).isFile() || !hardLinked(target, aside)) renameSync(target, aside);
}

/** FAT and some network file systems have no hard links, and not every system can link to a symbolic link. */
function hardLinked(target: string, aside: string): boolean {
  try {
    linkSync(target, aside);
    return true;
  } catch {
    return false;
  }
}
