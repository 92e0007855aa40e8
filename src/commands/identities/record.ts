import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { readPlace } from "../../api/place.ts";
import { FileError, UsageError, undefinedOn } from "../../base/errors.ts";
import { placeOf as addressed } from "../../config/address.ts";
import type { Context } from "../../context.ts";
import { type Journal, type JournalHead, openJournal, recallJournal } from "../../jobs/journal.ts";
import { readCsv } from "./csv.ts";
import { type Pair, reverseMap } from "./map.ts";
import { keyOf, type Remembered } from "./remap-plan.ts";

/** Where a run is recorded. */
export interface Place {
  readonly journal: string;
  readonly head: JournalHead;
  /** The folder to create first, if the user named no journal. */
  readonly folder: string | undefined;
}

interface Of {
  path: readonly string[];
  group: string;
  journal: string | undefined;
  /** The path of the map, without links. */
  map: string;
}

/**
 * The named journal, otherwise one in the state folder that every run on this group shares, by whichever name it is
 * given. A run that failed in part keeps its journal there, so what undoes it has another, as has what undoes a run
 * with a named one: neither says anything about the other.
 */
export async function placeOf(context: Context, { path, group, journal, map }: Of): Promise<Place> {
  const instance = context.config.baseUrl?.value ?? "";
  const commandFor = (name: string) => `${path.join(" ")} remap -g ${name}`;
  const [id = group, ...others] = await namesOf(context, group);
  const head = { command: commandFor(id), instance, earlier: commandFor(group) };
  if (journal !== undefined) return { journal, head, folder: undefined };
  const folder = context.stateFolder("remaps");
  const fileFor = (name: string, at = instance, undoes?: string) => {
    const digest = createHash("sha256")
      .update(JSON.stringify({ command: commandFor(name), instance: at, undoes }))
      .digest("hex");
    const words = [path[0], ...name.split(/[^\w.-]+/)].join("-").slice(0, 80);
    return join(folder, `${words}-${digest.slice(0, 8)}.journal`);
  };
  // Whichever address of the instance was used: the journal of another one is refused.
  const here = addressed(instance) ?? instance;
  let known = id;
  let shared = fileFor(id, here);
  if ((await context.files.facts(shared)) === undefined) {
    for (const name of [id, ...others].toReversed()) {
      if ((await context.files.facts(fileFor(name))) !== undefined) [known, shared] = [name, fileFor(name)];
    }
  }
  const place = { head: { ...head, earlier: commandFor(known) }, folder };
  const undone = undoneBy(map);
  if (undone === undefined) return { ...place, journal: shared };
  if (await isSameFile(context, undone, shared)) return { ...place, journal: `${shared}.undo` };
  const wasNamed = (await context.files.facts(undone)) !== undefined;
  return { ...place, journal: wasNamed ? fileFor(id, here, await wholePath(context, undone)) : shared };
}

/** The group's ID, and what runs of versions before recorded it by: what was typed. */
async function namesOf({ api }: Context, group: string): Promise<readonly string[]> {
  const { id, path } = await readPlace(api, "group", group);
  return [...new Set([String(id ?? path), group, path])];
}

/**
 * What the journal recorded about each pair: the user of the identity before the first change. Of a reverse map, also
 * what the journal of the run that it undoes recorded: a pair which that run did not reach is not to be undone.
 */
export async function recall(context: Context, { journal, head }: Place, map: string) {
  const seen = await recallJournal(context, journal, head);
  const undone = undoneBy(map);
  // A journal of something else is no reason to refuse the map.
  const there =
    undone === undefined ? undefined : await recallJournal(context, undone, head).catch(undefinedOn("usage"));
  return (pair: Pair): Remembered | undefined => {
    const own = seen.get(keyOf(pair));
    if (own !== undefined) return own.facts as Remembered | undefined;
    const undoing = there?.get(keyOf({ old: pair.new, new: pair.old }));
    // What it did not change, another has changed since.
    const isOthers = undoing?.status === "failed" || undoing?.status === "taken_back";
    return undoing && { ...(undoing.facts as Remembered), isOthers };
  };
}

/** Whether a pair is in a reverse map of this journal: a run of this machine changed it, or was about to. */
export async function recallReversed(context: Context, { journal }: Place): Promise<(pair: Pair) => boolean> {
  const keys = new Set<string>();
  for (let turn = 1; ; turn++) {
    const path = reversePath(journal, turn);
    const facts = await context.files.facts(path);
    if (facts === undefined) break;
    if (facts.kind !== "file") continue;
    for (const { cells } of readCsv(await readReverse(context, path))) {
      const [old = "", wanted = ""] = cells;
      keys.add(keyOf({ old, new: wanted }));
    }
  }
  return (pair) => keys.has(keyOf({ old: pair.new, new: pair.old }));
}

/** The journal of the run that a reverse map undoes, by the map's name. */
function undoneBy(map: string): string | undefined {
  return /^(.+)\.reverse(?:-\d+)?\.csv$/.exec(map)?.[1];
}

/** For swapped UIDs, a map and its reverse contain the same pairs: the journal would report the reverse as done. */
export async function refuseOwnReverse(context: Context, { journal }: Place, map: string): Promise<void> {
  const undone = undoneBy(map);
  if (undone === undefined || !(await isSameFile(context, undone, journal))) return;
  if ((await context.files.facts(journal)) === undefined) return;
  throw new UsageError(`${map} undoes the run of ${journal}, and needs another journal`, {
    hint: "name another file with --journal",
  });
}

/** Whether two paths are one file's, which need not be there. */
async function isSameFile(context: Context, one: string, other: string): Promise<boolean> {
  return (await wholePath(context, one)) === (await wholePath(context, other));
}

async function wholePath({ files }: Context, path: string): Promise<string> {
  return join((await files.real(dirname(path))) ?? dirname(path), basename(path));
}

const reversed = ".reverse";

/** What is stored before the first change. */
export interface RunRecord {
  readonly journal: Journal;
  /** The map that undoes this one; undefined if there is nothing to undo. */
  readonly reverse: string | undefined;
  /**
   * Removes the journal, unless the user named it, other maps of the group are recorded in it, or it is all that tells
   * a second run from the first.
   */
  remove(): Promise<void>;
}

/** Opens the journal, writes the reverse map next to it, and records the plan. */
export async function openRecord(
  context: Context,
  { journal: path, head, folder }: Place,
  pairs: readonly Pair[],
  entries: readonly { id: string; facts: object }[],
): Promise<RunRecord> {
  const { files } = context;
  if (folder !== undefined) await makeFolder(context, folder);
  const journal = await openJournal(context, path, head);
  try {
    const reverse = pairs.length === 0 ? undefined : await writeReverse(context, path, reverseMap(pairs));
    await journal.plan(entries);
    const own = new Set(pairs.map(keyOf));
    const hasOthers = [...journal.seen.keys()].some((id) => !own.has(id));
    const kept = folder === undefined || hasOthers || frees(pairs);
    return { journal, reverse, remove: async () => (kept ? undefined : files.remove(path)) };
  } catch (error) {
    await journal.close();
    throw error;
  }
}

/**
 * Whether a user gets what another had: the instance does not show then that the map was applied, and again it would be
 * taken back.
 */
function frees(pairs: readonly Pair[]): boolean {
  const old = new Set(pairs.map((pair) => pair.old));
  return pairs.some((pair) => old.has(pair.new));
}

async function makeFolder({ files }: Context, folder: string): Promise<void> {
  try {
    await files.makeFolder(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new UsageError(`the run cannot be recorded in ${folder}`, {
      code: "unwritable_state",
      reason: error.details.reason ?? error.message,
      hint: "name a journal with --journal <file>",
    });
  }
}

/** A file of that name with other content belongs to another run, and is kept. */
async function writeReverse(context: Context, journal: string, content: string): Promise<string> {
  const { files } = context;
  for (let turn = 1; ; turn++) {
    const path = reversePath(journal, turn);
    if (await files.create(path, content, { mode: 0o600 })) return path;
    if ((await files.facts(path))?.kind !== "file") continue;
    if ((await readReverse(context, path)) === content) return path;
  }
}

function reversePath(journal: string, turn: number): string {
  return `${journal}${reversed}${turn === 1 ? "" : `-${turn}`}.csv`;
}

async function readReverse({ files }: Context, path: string): Promise<string> {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await files.read(path));
}
