import * as fs from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import { unlessMissing } from "../file-facts.ts";
import { HeldPath, holdFolder, holdOwnFolder } from "../held-folder.ts";
import { openPrivate } from "../private-file.ts";

/** A move of one folder's content into another, through a workspace on the same disk. */
export interface Moves {
  from: string;
  to: string;
  /** A new folder for replaced files; the caller removes it. */
  aside: string;
  /** Records the steps until the move is completed or undone. */
  journal: string;
}

export interface Step {
  /** Below `from` and `to`. */
  path: string;
  isFolder: boolean;
  /** Whether it existed in `to`: such a file is set aside, under the step's number. */
  exists: boolean;
}

/** The paths of a move from `workspace` into `to`: content, replaced files, and journal are in the workspace. */
export function movesIn(workspace: string, to: string): Moves {
  const at = (name: string) => join(workspace, name);
  return { from: at("files"), to, aside: at("replaced"), journal: at("moves.json") };
}

/** Writes the journal durably before the first step, so that every move can be undone. */
export async function record({ journal }: Moves, steps: readonly Step[]): Promise<void> {
  const handle = await fs.open(`${journal}.new`, "wx", 0o600);
  try {
    await handle.writeFile(JSON.stringify(steps));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await fs.rename(`${journal}.new`, journal);
}

/** Removes the journal, after which the move can no longer be undone. */
export async function forget({ journal }: Moves): Promise<void> {
  await fs.rm(journal, { force: true });
}

/** Undoes the incomplete move of a killed run, according to its journal, if there is one. */
export async function recover(workspace: string, to: string): Promise<void> {
  const own = await unlessMissing(Promise.resolve().then(() => holdOwnFolder(workspace)));
  if (own === undefined) return;
  try {
    const moves = movesIn(own.path, to);
    const steps = await readSteps(moves.journal);
    if (steps === undefined) return;
    await undo(moves, steps);
    await forget(moves);
  } finally {
    own.close();
  }
}

/** Undoes the steps; it can be repeated if it is itself interrupted. */
export async function undo(moves: Moves, steps: readonly Step[]): Promise<void> {
  const folders = new HeldPath(holdFolder(moves.to));
  try {
    for (const [index, step] of [...steps.entries()].reverse()) {
      // Files that were changed or removed meanwhile are left alone; the others are still restored.
      await undoStep(moves, folders, step, index).catch(() => undefined);
    }
  } finally {
    folders.close();
  }
}

async function undoStep(moves: Moves, folders: HeldPath, step: Step, index: number): Promise<void> {
  const target = join(folders.at(dirname(step.path)).path, basename(step.path));
  if (!step.isFolder) await undoFile(moves, target, step, index);
  else if (!step.exists) await fs.rmdir(target);
}

async function undoFile(moves: Moves, target: string, { path, exists }: Step, index: number): Promise<void> {
  const [source, before] = [join(moves.from, path), join(moves.aside, String(index))];
  const wasMoved = !(await isPresent(source));
  if (wasMoved && !exists) await fs.rename(target, source);
  else if (wasMoved || !(await isPresent(target))) await fs.rename(before, target);
}

async function isPresent(path: string): Promise<boolean> {
  return fs.lstat(path).then(
    () => true,
    () => false,
  );
}

async function readSteps(journal: string): Promise<Step[] | undefined> {
  const file = await openPrivate(journal, (path) => path);
  if (file === undefined) return undefined;
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of file.stream()) chunks.push(chunk);
    const steps: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    return Array.isArray(steps) && steps.every(isStep) ? steps : undefined;
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

function isStep(value: unknown): value is Step {
  const { path, isFolder, exists } = (value ?? {}) as Record<string, unknown>;
  if (typeof path !== "string" || typeof isFolder !== "boolean" || typeof exists !== "boolean") return false;
  return path !== "" && !isAbsolute(path) && !path.split(/[/\\]/).includes("..");
}
