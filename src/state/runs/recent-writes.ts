import { timeIn } from "../../base/answered-value.ts";
import type { Context } from "../../context.ts";
import { sameState, sameWhole } from "../fields/normal.ts";
import { fieldOf, type Kind, type Live, type Values } from "../kind.ts";
import { runsSince } from "./recorded-runs.ts";
import type { RunEntry } from "./runs.ts";
import { recentSets } from "./set-settings.ts";

// An instance caches its settings for a minute (`3-settings-api: Limits`): a read may show what was there before the
// last run, or the last `settings set`. What that wrote is then what was there before the next change. Memory adds
// doubt, and never removes a difference: a field is left alone only if both what is shown and what was written are as
// declared. Settings that have no date are not cached (settings-undated): what is shown of them is believed, except of
// a change whose answer was lost, which may still be made.

/** How long an instance caches its settings (`3-settings-api: Limits`), with a margin. */
export const cacheSeconds = 90;

/** A run may have written something at its end: of those that started earlier, only the newest are looked at. */
const usualRunSeconds = 3600;
const newestRuns = 5;

export interface Recalled {
  /** The object, with what recent runs wrote where the instance still shows what was there before. */
  readonly live: Live;
  /** The other values that a field may have, by name. */
  readonly doubts: ReadonlyMap<string, readonly unknown[]>;
  /** Fields of which neither what is shown nor what was written is certain to be there: a lost change, or a secret. */
  readonly unsure: readonly string[];
}

/**
 * What recent runs of this machine wrote to a cached object; undefined if the read shows all of it.
 *
 * @param more entries of a run that may be of another machine
 */
export async function recallWrites(
  context: Context,
  kind: Kind,
  live: Live,
  more: readonly RunEntry[] = [],
): Promise<Recalled | undefined> {
  const cached = kind.cached?.version;
  if (cached === undefined) return undefined;
  const made = live.values[kind.cached?.made ?? ""];
  // Behind a tunnel, one address may be that of several instances, one after the other.
  const isOwn = (entry: RunEntry) => [undefined, made].includes(entry.made) || made === undefined;
  const since = context.now().getTime() - cacheSeconds * 1000;
  const entries = (await recentEntries(context, kind, { since }, more)).filter(isOwn).map(withAlong);
  const names = new Set(entries.flatMap(namesOf));
  const known: Record<string, unknown> = {};
  const doubts = new Map<string, readonly unknown[]>();
  const unsure: string[] = [];
  for (const name of names) {
    if (name === cached) continue;
    const field = fieldOf(kind, name);
    const same = (one: unknown, other: unknown) => sameWhole(field, one, other);
    const holds = (value: unknown, sent: unknown) => sameState(field, sent, value);
    const found = recall({ name, shown: live.values, version: cached, same, holds }, entries);
    if (found === undefined) continue;
    if (found.isUnsure) unsure.push(name);
    if (found.others.length === 0) continue;
    known[name] = found.value;
    doubts.set(name, found.others);
  }
  if (doubts.size + unsure.length === 0) return undefined;
  return { live: { values: { ...live.values, ...known } }, doubts, unsure };
}

/** What was changed along is answered, too, and a read need not show it. */
function withAlong(entry: RunEntry): RunEntry {
  const { along, along_after: now, before, after } = entry;
  if (!along || !now || after === null) return entry;
  return { ...entry, before: { ...along, ...before }, after: { ...now, ...after } };
}

/** The fields that a read may not show as they are. */
export function recentIn({ doubts, unsure }: Recalled): string[] {
  return [...doubts.keys(), ...unsure];
}

/**
 * Fields of a cached object that something else of this machine may have written since it was read, which another read
 * need not show.
 *
 * @param ageMs how long ago it was read
 * @param besides the ID of the run that asks
 */
export async function writtenSince(context: Context, kind: Kind, ageMs: number, besides: string): Promise<Set<string>> {
  const since = context.now().getTime() - Math.min(ageMs, cacheSeconds * 1000);
  return new Set((await recentEntries(context, kind, { since, besides })).flatMap(namesOf));
}

interface Since {
  /** Unix time in milliseconds. */
  readonly since: number;
  /** The ID of a run that does not count. */
  readonly besides?: string;
}

/** The entries of recent runs that sent something, in order of time. */
async function recentEntries(
  context: Context,
  kind: Kind,
  { since, besides }: Since,
  more: readonly RunEntry[] = [],
): Promise<RunEntry[]> {
  const runs = await runsSince(context, new Date(since - usualRunSeconds * 1000), newestRuns);
  const timed = runs
    .filter(({ run }) => run !== besides)
    .toReversed()
    .flatMap(({ entries, ended, started }) =>
      entries.map((entry) => ({ entry, at: Date.parse(entry.time ?? ended ?? started) })),
    );
  const seconds = Math.ceil((context.now().getTime() - since) / 1000);
  const others = [...more, ...(await recentSets(context, seconds))];
  return [...timed, ...others.map((entry) => ({ entry, at: Date.parse(entry.time ?? "") }))]
    .filter(({ entry, at }) => entry.kind === kind.name && mayHaveWritten(entry) && at >= since)
    .sort((a, b) => a.at - b.at)
    .map(({ entry }) => entry);
}

function mayHaveWritten(entry: RunEntry): boolean {
  return isKnown(entry) || entry.status === "unknown";
}

/** What it wrote is known. */
function isKnown({ status, after }: RunEntry): boolean {
  return (status === "done" || status === "altered") && after !== null;
}

interface Field {
  readonly name: string;
  readonly shown: Values;
  /** The field that dates a copy of the object. */
  readonly version: string;
  same(one: unknown, other: unknown): boolean;
  /** What was sent may be a part of a hash. */
  holds(value: unknown, sent: unknown): boolean;
}

interface Found {
  readonly value: unknown;
  readonly others: readonly unknown[];
  readonly isUnsure: boolean;
}

function recall(field: Field, entries: readonly RunEntry[]): Found | undefined {
  const { name, shown, version, same } = field;
  const writes = entries.filter((entry) => namesOf(entry).includes(name) && !leavesAlone(entry, field));
  const last = writes.at(-1);
  if (last === undefined || isNewer(shown[version], last, entries)) return undefined;
  const value = shown[name];
  const isUndated = [shown[version], last.version].every((time) => timeIn(time) === undefined);
  if (isUndated && isKnown(last)) return undefined;
  const isSecret = last.secrets.includes(name);
  // What was written is not recorded, and may be there already.
  if (isSecret && !namesIn(last.after, last.sent).includes(name)) return { value, others: [], isUnsure: true };
  const earlier = writes.slice(0, -1).flatMap(({ after }) => (after !== null && name in after ? [after[name]] : []));
  const older = [
    ...writes.flatMap(({ before }) => (before !== null && name in before ? [before[name]] : [])),
    ...earlier,
  ];
  // Of a value that took the place of a secret, what was there before is not recorded, nor where dates tell.
  const isOld =
    isSecret || writes.some((each) => isOlder(shown[version], each)) || older.some((each) => same(each, value));
  if (isKnown(last)) {
    const written = last.after?.[name];
    return isOld && !same(written, value) ? { value: written, others: [value], isUnsure: false } : undefined;
  }
  const sent = last.sent?.[name];
  if (!isOld) return undefined;
  return { value: isUndated ? value : valueBefore(last, field), others: [value, sent], isUnsure: true };
}

/** Whether the field is as it was, even if this lost change was made: it was only sent along, or sent as it was. */
function leavesAlone(entry: RunEntry, field: Field): boolean {
  const { sent, secrets } = entry;
  const { name, holds } = field;
  if (isKnown(entry) || !sent || secrets.includes(name)) return false;
  return !(name in sent) || holds(valueBefore(entry, field), sent[name]);
}

function valueBefore({ before }: RunEntry, { name, shown }: Field): unknown {
  return before !== null && name in before ? before[name] : shown[name];
}

/** Whether a copy of the object is at least as new as what the run saw: then it is not from before it. */
function isNewer(time: unknown, entry: RunEntry, all: readonly RunEntry[]): boolean {
  const [copy, seen] = [timeIn(time), timeIn(entry.version)];
  if (copy === undefined || seen === undefined) return false;
  if (isKnown(entry)) return copy >= seen;
  // Each process of an instance has a cache of its own: what it saw may be older than what was written before it.
  const before = all.slice(0, all.indexOf(entry)).filter(isKnown);
  return [seen, ...before.map((each) => timeIn(each.version) ?? seen)].every((each) => copy > each);
}

/** Whether a copy of the object is from before what a run wrote, or saw before it wrote. */
function isOlder(time: unknown, { version }: RunEntry): boolean {
  const [copy, seen] = [timeIn(time), timeIn(version)];
  return copy !== undefined && seen !== undefined && copy < seen;
}

function namesOf({ before, after, sent, secrets }: RunEntry): string[] {
  return [...namesIn(before, after, sent), ...secrets];
}

function namesIn(...values: readonly (Values | null | undefined)[]): string[] {
  return values.flatMap((each) => Object.keys(each ?? {}));
}
