import { compareSection } from "./compare.ts";
import { tiedKey } from "./keys.ts";
import type { Change, Live, Section, Values } from "./kind.ts";
import { match } from "./match.ts";
import { type Reader, readLive } from "./reader.ts";
import { isSameBefore, touchedFields } from "./row.ts";

/** The current state of a change's object, compared with the change. */
export interface Comparison {
  readonly live: Live | undefined;
  /** It is already as desired. */
  readonly wanted: boolean;
  /** It is as it was when the change was planned. */
  readonly before: boolean;
  /** Names of the fields that differ from the declaration. */
  readonly others: readonly string[];
}

/** Reads and compares the object of a change. `unreadable` is the reason why its section cannot be read. */
export async function compareLive(
  reader: Reader,
  change: Change,
): Promise<Comparison | { readonly unreadable: string }> {
  const { desired, live } = change;
  // What is removed was read whole, so it is compared whole.
  const section = sectionOf(change);
  const entries =
    desired === undefined && live !== undefined ? [{ values: live.values, origin: section.origin }] : section.entries;
  const seen = await readLive(reader, { ...section, entries });
  return "unreadable" in seen ? seen : compareWith(change, seen.live);
}

function sectionOf({ scope, kind, desired }: Change): Section {
  const origin = desired?.origin ?? { file: "", line: 0 };
  return { scope, kind, entries: desired === undefined ? [] : [desired], origin };
}

/** The same for objects that have been read already. */
export function compareWith(change: Change, all: readonly Live[]): Comparison {
  const live = find(change, all);
  const before = isSameBefore(change, live?.values, change.live?.values);
  if (change.desired === undefined) return { live, wanted: isGone(change, live), before, others: [] };
  if (live === undefined) return { live, wanted: false, before, others: [] };
  const options = {
    prune: false,
    secrets: "auto",
    keep: () => true,
    caller: undefined,
    unknown: new Map(),
    settled: true,
  } as const;
  const { changes } = compareSection(sectionOf(change), [live], options);
  const others = changes.flatMap(({ write, action }) => (action === "unreadable" ? [] : write));
  return { live, wanted: others.length === 0, before, others };
}

function isGone(change: Change, live: Live | undefined): boolean {
  return (
    live === undefined || (change.action === "disarm" && change.kind.ignores?.(live.values, change.scope) === true)
  );
}

function find(change: Change, all: readonly Live[]): Live | undefined {
  const { kind, live, desired, id } = change;
  if (kind.form === "record") return all[0];
  if (id !== null) return all.find(({ values }) => values.id === id);
  const [pair] = desired === undefined ? [] : match({ kind, entries: [desired] }, all).pairs;
  const found = pair?.held ?? pair?.among[0];
  if (found !== undefined || live === undefined) return found;
  return all.find(({ values }) => tiedKey(kind, values) === tiedKey(kind, live.values));
}

/** The ID of an object, if it has one. */
export function idOf(live: Live | undefined): number | null {
  const id = live?.values.id;
  return typeof id === "number" ? id : null;
}

/** The fields of an object that a run records. */
export function snapshot(change: Change, live: Live | undefined): Values | null {
  return touchedFields(change, live?.values) ?? null;
}
