import * as fs from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../errors.ts";

interface Step {
  path: string;
  isFolder: boolean;
}

/**
 * Moves all that is in `from` into `to`: files replace files, folders are merged. What cannot be is found out before
 * anything moves; if the system fails all the same, what was moved goes back. What was replaced is in the new folder
 * `aside`, on the same disk, until the caller removes it.
 */
export async function moveInto(from: string, to: string, aside: string): Promise<void> {
  const steps = await stepsIn(from);
  for (const step of steps) await refuseClash(step, to);
  const undo: (() => Promise<void>)[] = [];
  await fs.mkdir(aside);
  try {
    for (const [index, step] of steps.entries()) {
      const target = join(to, step.path);
      if (step.isFolder) await addFolder(target, undo);
      else await moveFile(join(from, step.path), target, { undo, aside: join(aside, String(index)) });
    }
  } catch (error) {
    for (const back of undo.reverse()) await back().catch(() => undefined);
    throw error;
  }
}

async function stepsIn(root: string, below = ""): Promise<Step[]> {
  const steps: Step[] = [];
  for (const entry of await fs.readdir(join(root, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    steps.push({ path, isFolder: entry.isDirectory() });
    if (entry.isDirectory()) steps.push(...(await stepsIn(root, path)));
  }
  return steps;
}

/** A link in the way of a folder would lead out of `to`; a folder in the way of a file would be lost. */
async function refuseClash({ path, isFolder }: Step, to: string): Promise<void> {
  const target = join(to, path);
  const present = await fs.lstat(target).catch(() => undefined);
  if (present === undefined || present.isDirectory() === isFolder) return;
  const is = present.isDirectory() ? "a folder" : present.isSymbolicLink() ? "a link" : "a file";
  throw new Failure("conflict", `nothing was extracted: ${target} is ${is}`, {
    code: "in_the_way",
    reason: `the archive has ${isFolder ? "a folder" : "a file"} of that name`,
    hint: "remove it, or extract to another folder",
  });
}

type Undo = (() => Promise<void>)[];

async function addFolder(target: string, undo: Undo): Promise<void> {
  if ((await fs.mkdir(target, { recursive: true })) !== undefined) undo.push(() => fs.rmdir(target));
}

async function moveFile(source: string, target: string, { undo, aside }: { undo: Undo; aside: string }): Promise<void> {
  if (await setAside(target, aside)) undo.push(() => fs.rename(aside, target));
  await fs.rename(source, target);
  undo.push(() => fs.rename(target, source));
}

/** Gives a file a second name, so that it is never without the first; false where there is none. */
async function setAside(target: string, aside: string): Promise<boolean> {
  const present = await fs.lstat(target).catch(() => undefined);
  if (present === undefined) return false;
  // FAT and some network file systems have no links, and not every system can give one to a link.
  const linked = present.isFile() && (await fs.link(target, aside).then(yes, no));
  if (!linked) await fs.rename(target, aside);
  return true;
}

const yes = () => true;
const no = () => false;
