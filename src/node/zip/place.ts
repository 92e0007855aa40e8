import { linkSync, lstatSync, mkdirSync, renameSync } from "node:fs";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Failure } from "../../base/errors.ts";
import { forget, type Moves, record, type Step, undo } from "./journal.ts";

/**
 * Moves all that is in `moves.from` into `moves.to`: files replace files, folders are merged. What cannot be is found
 * out before anything moves. Where the system fails all the same, what was moved goes back at once; where the process
 * is killed, the journal lets the next run take it back.
 */
export async function moveInto(moves: Moves): Promise<void> {
  const steps: Step[] = [];
  for (const [index, { path, isFolder }] of (await contentOf(moves.from)).entries()) {
    if (index % atOnce === 0) await setImmediate();
    steps.push({ path, isFolder, exists: refuseClash(join(moves.to, path), isFolder) });
  }
  await fs.mkdir(moves.aside, { mode: 0o700 });
  await record(moves, steps);
  try {
    for (const [index, step] of steps.entries()) {
      if (index % atOnce === 0) await setImmediate();
      const target = join(moves.to, step.path);
      if (!step.isFolder) moveFile(join(moves.from, step.path), target, step, join(moves.aside, String(index)));
      else if (!step.exists) mkdirSync(target);
    }
  } catch (error) {
    await undo(moves, steps);
    await forget(moves);
    throw error;
  }
  // From here on it is done: what is left of the move is only to be removed.
  await forget(moves);
}

/** Of tens of thousands of files, the thread pool would cost more than the moving; signals are heard in between. */
const atOnce = 64;

async function contentOf(root: string, below = ""): Promise<Omit<Step, "exists">[]> {
  const steps: Omit<Step, "exists">[] = [];
  for (const entry of await fs.readdir(join(root, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    steps.push({ path, isFolder: entry.isDirectory() });
    if (entry.isDirectory()) steps.push(...(await contentOf(root, path)));
  }
  return steps;
}

/** A link in the way of a folder would lead out of the target; a folder in the way of a file would be lost. */
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
  if (exists) setAside(target, aside);
  renameSync(source, target);
}

/** Gives a file a second name where it can, so that it is never without the first. */
function setAside(target: string, aside: string): void {
  if (!lstatSync(target).isFile() || !gotSecondName(target, aside)) renameSync(target, aside);
}

/** FAT and some network file systems have no links, and not every system can give one to a link. */
function gotSecondName(target: string, aside: string): boolean {
  try {
    linkSync(target, aside);
    return true;
  } catch {
    return false;
  }
}
