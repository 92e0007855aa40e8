import { join } from "node:path";
import { compareTexts } from "../../base/compare-texts.ts";
import { isObject } from "../../base/is-object.ts";
import { readObject } from "../../base/read-value.ts";
import { readOwnText } from "../../config/own-file.ts";
import type { Context } from "../../context.ts";
import { runsIn, secondOf } from "../../jobs/run-id.ts";
import { haveObjects } from "../fields/rule-elements.ts";
import { findKind } from "../kinds/index.ts";
import type { Run, RunEntry } from "./runs.ts";

/** The runs of this machine, the newest first. */
export async function listRuns(context: Context): Promise<Run[]> {
  return readRuns(context, await runIds(context));
}

/**
 * The runs of the instance in use that started at that time or later; the other records are not read.
 *
 * @param atLeast how many of the newest records are read even if they started earlier
 */
export async function runsSince(context: Context, time: Date, atLeast = 0): Promise<Run[]> {
  const first = secondOf(time);
  const ids = (await runIds(context)).filter((id, index) => index < atLeast || id >= first);
  const runs = await readRuns(context, ids);
  return runs.filter(({ instance }) => instance === context.config.baseUrl?.value);
}

/** IDs of runs, those that started last first. */
async function runIds(context: Context): Promise<string[]> {
  const names = await runsIn(context.files, context.stateFolder("runs"));
  return names.sort((a, b) => compareTexts(b, a));
}

async function readRuns(context: Context, ids: readonly string[]): Promise<Run[]> {
  const runs = await Promise.all(ids.map((id) => readKept(context, id)));
  // IDs of the same second are not ordered.
  return runs.filter((run) => run !== undefined).sort((a, b) => compareTexts(b.started, a.started));
}

/** Reads a run. Changes that a killed run started without an end are `unknown`; a last line that is cut is dropped. */
export async function readRun(context: Context, id: string): Promise<Run | undefined> {
  return (await runIds(context)).includes(id) ? readKept(context, id) : undefined;
}

async function readKept(context: Context, id: string): Promise<Run | undefined> {
  const path = join(context.stateFolder("runs"), id, "journal.ndjson");
  const text = await readOwnText(context.files, path, "the record of a run");
  return text === undefined ? undefined : runIn(text);
}

/** The run that a journal holds; undefined if it has no head. */
export function runIn(text: string): Run | undefined {
  const texts = text.split("\n");
  const cut = texts.pop() ?? "";
  const [head, ...lines] = texts.map(readObject);
  if (!isHead(head)) return undefined;
  const entries = new Entries();
  const damaged: number[] = [];
  let end: Record<string, unknown> | undefined;
  for (const [index, line] of lines.entries()) {
    if (typeof line?.ended === "string") end = line;
    else if (isEntry(line?.planned)) entries.begin(line.planned, line.n);
    else if (isEntry(line?.begin)) entries.begin(line.begin, line.n);
    else if (isEntry(line?.end)) entries.end(line.end, line.n);
    else if (typeof line?.preimage !== "string") damaged.push(index + 2);
  }
  // The line that was cut may be the only one about its change.
  const [, n] = /^\{"n":(\d+),"begin":/.exec(cut) ?? [];
  if (n !== undefined) entries.doubt(Number(n));
  const { run, instance, what, only, started } = head;
  const { list } = entries;
  // Older runs do not say whether they are complete.
  const complete = end?.complete ?? (end !== undefined && list.every(({ status }) => status === "done"));
  const ended = end === undefined ? null : String(end.ended);
  return { run, instance, what, only, started, ended, complete: complete === true, entries: list, damaged };
}

/** The entries of a run; the end of a change replaces its beginning, and a later end an earlier one. */
class Entries {
  readonly list: RunEntry[] = [];
  readonly #places = new Map<unknown, number>();

  /** Older runs have neither numbers nor what was planned. */
  begin(entry: RunEntry, n: unknown): void {
    const place = n === undefined ? undefined : this.#places.get(n);
    if (place !== undefined) this.list[place] = entry;
    else this.#places.set(n ?? entry.address, this.list.push(entry) - 1);
  }

  /** The outcome of this change is not known. */
  doubt(n: number): void {
    const place = this.#places.get(n);
    const entry = place === undefined ? undefined : this.list[place];
    if (place === undefined || entry === undefined) return;
    this.list[place] = { ...entry, status: "unknown", error: "the record is cut within this change" };
  }

  /** Older runs have no numbers: there the last entry of the address. */
  end(entry: RunEntry, n: unknown): void {
    const place = this.#places.get(n ?? entry.address);
    if (place === undefined) this.begin(entry, n);
    else this.list[place] = entry;
  }
}

function isHead(line: Record<string, unknown> | undefined): line is Pick<
  Run,
  "run" | "instance" | "what" | "started"
> & {
  only?: string;
} {
  const { run, instance, what, started, only = "" } = line ?? {};
  return [run, instance, what, started, only].every((each) => typeof each === "string");
}

/** The instance is the only scope without a name. */
function isPlace({ at, scope }: Readonly<Record<string, unknown>>): boolean {
  return at === "instance" ? scope === "" : (at === "group" || at === "project") && scope !== "";
}

function isEntry(value: unknown): value is RunEntry {
  if (!isObject(value)) return false;
  const {
    id,
    scope_id: scope,
    before,
    after,
    along = null,
    along_after: alongAfter = null,
    sent = null,
    open = true,
    secrets,
    hidden = [],
    error,
    time = "",
    version = "",
    made = "",
  } = value;
  const texts = ["address", "at", "scope", "kind", "key", "action", "status"].map((name) => value[name]);
  const kind = typeof value.kind === "string" ? findKind(value.kind) : undefined;
  return (
    texts.every((text) => typeof text === "string") &&
    isPlace(value) &&
    open === true &&
    (id === null || typeof id === "number") &&
    (scope === undefined || typeof scope === "number") &&
    [before, after, along, alongAfter, sent].every(
      (each) => each === null || (isObject(each) && (!kind || haveObjects(kind, each))),
    ) &&
    [secrets, hidden].every((each) => Array.isArray(each) && each.every((name) => typeof name === "string")) &&
    [error ?? "", time, version, made].every((each) => typeof each === "string")
  );
}
