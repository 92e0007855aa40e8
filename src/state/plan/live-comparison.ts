import { timeIn } from "../../base/answered-value.ts";
import { sameWhole } from "../fields/normal.ts";
import { type Change, fieldOf, type Live, type Section, type Values } from "../kind.ts";
import { compareSection, notShown } from "../live/compare.ts";
import type { LiveList } from "../live/live-list.ts";
import { isSameBefore, touchedFields } from "./plan-row.ts";

/** The current state of a change's object, compared with the change. */
export interface Comparison {
  readonly live: Live | undefined;
  /** It is already as desired. */
  readonly wanted: boolean;
  /** It is as it was when the change was planned. */
  readonly before: boolean;
  /** Names of the fields that differ from the declaration. */
  readonly others: readonly string[];
  /** It lacks something that the change writes, or shows it in a form that cannot be compared. */
  readonly unseen: boolean;
}

/** The section that reads the objects of these changes of one list, or of one record. */
export function sectionOf(changes: readonly [Change, ...Change[]]): Section {
  const [{ scope, kind, desired }] = changes;
  const origin = desired?.origin ?? { file: "", line: 0 };
  // What is removed was read whole, so it is compared whole.
  const entries = changes.flatMap((change) => {
    if (change.desired !== undefined) return [change.desired];
    return change.live === undefined ? [] : [{ values: change.live.values, origin }];
  });
  return { scope, kind, entries, origin };
}

/** Compares the object of a change with the change; `all` is the list that it is in. */
export function compareWith(change: Change, all: LiveList): Comparison {
  const live = notOlder(change, find(change, all));
  const before = isSameBefore(change, uncached(change, live)?.values, change.live?.values);
  if (change.desired === undefined) return { live, wanted: isGone(change, live), before, others: [], unseen: false };
  if (live === undefined) return { live, wanted: false, before, others: [], unseen: false };
  const options = {
    prune: false,
    secrets: "auto",
    caller: undefined,
    unknown: new Map(),
    settled: true,
  } as const;
  const { changes } = compareSection({ ...sectionOf([change]), entries: [change.desired] }, [live], options);
  const others = changes.flatMap(({ write, action }) => (action === "unreadable" ? [] : write));
  const unseen = isUnseen(change, live, changes);
  return { live, wanted: others.length === 0 && !unseen, before, others, unseen };
}

function isUnseen({ kind, write, desired }: Change, live: Live, left: readonly Change[]): boolean {
  if (!kind.showsAll) return left.some(({ action }) => action === "unreadable");
  // What else the file declares was not shown when the plan was made either.
  const written = Object.keys(desired?.values ?? {}).filter((name) => write.includes(name));
  return notShown(kind, written, live.values).length > 0;
}

/** Each process of an instance has a cache of its own: a copy older than the one planned on tells nothing new. */
function notOlder({ kind, live: planned }: Change, found: Live | undefined): Live | undefined {
  if (kind.cached === undefined) return found;
  const { version } = kind.cached;
  const [copy, seen] = [found, planned].map((each) => timeIn(each?.values[version]));
  return copy !== undefined && seen !== undefined && copy < seen ? planned : found;
}

/** The object with what a recent run wrote in place of what a cache may still show. */
export function uncached({ kind, doubts, live: known }: Change, live: Live | undefined): Live | undefined {
  if (doubts === undefined || live === undefined || known === undefined) return live;
  const values = Object.entries(live.values).map(([name, value]) => {
    const isDoubted = doubts.get(name)?.some((each) => sameWhole(fieldOf(kind, name), each, value)) === true;
    return [name, isDoubted ? known.values[name] : value];
  });
  return { values: Object.fromEntries(values) };
}

/** The change of an object as it is now: what is sent along unchanged must not undo what another has changed. */
export function asItIs(change: Change, live: Live | undefined): Change {
  const now = change.live === undefined ? undefined : uncached(change, live);
  return now === undefined ? change : { ...change, live: now };
}

function isGone(change: Change, live: Live | undefined): boolean {
  return (
    live === undefined || (change.action === "disarm" && change.kind.ignores?.(live.values, change.scope) === true)
  );
}

function find({ kind, scope, live, desired, id }: Change, all: LiveList): Live | undefined {
  if (kind.form === "record") return all.first;
  if (id !== null) return all.withId(id)[0];
  if (live === undefined) return desired && all.made(desired, scope);
  return (desired && all.meant(desired, scope)) ?? all.tiedTo(live.values)[0];
}

/** The fields of an object that a run records. */
export function snapshot(change: Change, live: Live | undefined): Values | null {
  return touchedFields(change, live?.values) ?? null;
}
