import { Failure, UsageError } from "../../base/errors.ts";
import { grouped } from "../../base/grouped.ts";
import { lookAgain } from "../../base/look-again.ts";
import { hideInAddresses, holdsMask } from "../../base/secrets.ts";
import type { Context } from "../../context.ts";
import type { Origin } from "../finding.ts";
import type { Change, Declared, Scope, Section } from "../kind.ts";
import { findKind } from "../kinds/index.ts";
import { writableValues } from "../live/writable-values.ts";
import { isRemoval, isWrite, listOf, makePlan, type Plan } from "../plan/plan.ts";
import { addressOfChange } from "../plan/plan-row.ts";
import type { Run, RunEntry } from "../runs/runs.ts";
import { Created, hidesKey, listOfEntry } from "./created.ts";
import { lostSecrets } from "./lost-secrets.ts";
import { createdAgain, type Matched, uncompared } from "./remarks.ts";
import { sinceLastWrite } from "./since-run.ts";
import { isExplained, isSameObject, mayHaveChanged, restoredBy } from "./undo-check.ts";
import { type Unreadable, unreadableIn } from "./unreadable.ts";

/** The plan of a rollback, and what it cannot restore. */
export interface Rollback {
  readonly plan: Plan;
  /** Objects that are restored without their secrets, which cannot be read: their addresses by what these are. */
  readonly withoutSecrets: ReadonlyMap<string, readonly string[]>;
  /** What no request sets of objects that are created again: their addresses by what it is. */
  readonly unset: ReadonlyMap<string, readonly string[]>;
  /** What is not known of objects that are created again: their addresses by what it is. */
  readonly unshown: ReadonlyMap<string, readonly string[]>;
  /** What is removed although a change of it since the run would not be seen: addresses by the fields. */
  readonly uncompared: ReadonlyMap<string, readonly string[]>;
  /** What this version cannot read in the run's journal, and what may still be made. */
  readonly unreadable: readonly Unreadable[];
}

export interface RollbackOptions {
  /** Also restores what was changed since the run. */
  readonly overwrite: boolean;
  /** Earlier rollbacks of the run, which may have been interrupted. */
  readonly earlier: readonly Run[];
  /** Another machine made the run. */
  readonly isForeign?: boolean;
}

/**
 * Plans a return to the pre-image of a run. Every entry of the run is looked at, whatever its journal says about the
 * outcome. An object that is neither as before the run nor as the run may have left it is a conflict (exit 6), unless
 * `overwrite` is set.
 */
export async function planRollback(context: Context, run: Run, options: RollbackOptions): Promise<Rollback> {
  const here = context.config.baseUrl?.value;
  if (run.instance !== here)
    throw new UsageError(`run ${run.run} is for ${run.instance}, not for ${here ?? "no address"}`);
  const changed = run.entries.filter(mayHaveChanged);
  const earlier = options.earlier.flatMap(({ entries }) => entries.filter(mayHaveChanged));
  const partsAt = grouped([...changed, ...earlier], ({ address }) => address);
  const partsOf = (entry: RunEntry) => (partsAt.get(entry.address) ?? []).filter((each) => isSameObject(each, entry));
  const entries = merged(changed.filter(({ kind }) => findKind(kind) !== undefined));
  const declared = declare(entries, run.run);
  const how = { whole: true, written: run.entries } as const;
  const look = async () => {
    const plan = await makePlan(
      context,
      { sections: declared.sections, keep: new Map(), instances: [] },
      { prune: true, secrets: "auto", only: undefined, projects: undefined, groups: undefined, ...how },
    );
    const changes = matched(plan.changes, { entries, restored: declared.entries, partsOf });
    return { plan, changes, equal: entries.length - new Set(changes.map(({ entry }) => entry)).size };
  };
  const wasRestored = restoredBy(earlier);
  const since = sinceLastWrite(run, context.now(), options.isForeign);
  const { plan, changes, equal } = await lookAgain(look, (seen) => !since.mayLag || seen.equal === 0, context.sleep);
  const seen = new Set(changes.map(({ entry }) => entry));
  const open = entries.flatMap((entry) => {
    const again = since.openFor(entry, seen.has(entry));
    if (again !== undefined)
      return [{ entry, reason: `the run's change may still be made after this: ${later} ${again}` }];
    const isUnseen = since.isUnseen(entry, seen.has(entry) || wasRestored(entry));
    return isUnseen ? [{ entry, reason: `it is as before the run, and a read may lag: ${later} in a minute` }] : [];
  });
  const untouched = open.filter(({ entry }) => !seen.has(entry));
  const stale = changes.filter(({ change, entry }) => isWrite(change) && !isExplained(change, partsOf(entry)));
  if (stale.length > 0 && !options.overwrite) {
    const list = stale.map(({ change }) => addressOfChange(change)).join(", ");
    throw new Failure("conflict", `${list}: changed since run ${run.run}`, {
      code: "stale",
      nothing: "sent",
      hint: "check them; --overwrite restores them anyway",
    });
  }
  return {
    plan: {
      ...plan,
      changes: changes.map(({ change }) => change),
      equal: equal - untouched.length,
      pruned: new Map(),
    },
    withoutSecrets: lostSecrets(
      changes.map(({ change }) => change),
      entries,
      options.earlier,
    ),
    uncompared: uncompared(changes),
    unset: createdAgain(changes, ({ change, entry }) => change.kind.unset?.(entry.before ?? {})),
    unshown: createdAgain(changes, ({ change: { kind } }) => kind.unshown ?? kind.unrestored ?? kind.unreturned),
    unreadable: [
      ...unreadableIn(run, changed),
      ...open.map(({ entry: { address, action }, reason }) => ({ address, action, reason })),
    ],
  };
}

const later = "run this again";

/** Merges entries per object: settings may have two, for different fields. */
function merged(entries: readonly RunEntry[]): RunEntry[] {
  const found = new Map<string, RunEntry>();
  for (const entry of entries) {
    const id = `${entry.address} ${entry.id}`;
    const first = found.get(id);
    found.set(id, {
      ...entry,
      secrets: [...(first?.secrets ?? []), ...(entry.secrets ?? [])],
      hidden: [...(first?.hidden ?? []), ...(entry.hidden ?? [])],
      ...((first?.open || first?.status === "unknown") && { open: true }),
      before: entry.before && { ...entry.along, ...first?.before, ...entry.before },
    });
  }
  return [...found.values()];
}

/** The objects in their earlier state, and the entry of each. */
function declare(list: readonly RunEntry[], run: string): { sections: Section[]; entries: Map<Origin, RunEntry> } {
  const sections = new Map<string, Section & { entries: Declared[] }>();
  const entries = new Map<Origin, RunEntry>();
  for (const entry of list) {
    const { at, scope: name, scope_id: scopeId, kind: kindName, before, id } = entry;
    const kind = findKind(kindName);
    if (kind === undefined) continue;
    const scope: Scope = { at, name, id: scopeId };
    const held = sections.get(listOfEntry(entry)) ?? { scope, kind, entries: [], origin: { file: run, line: 1 } };
    sections.set(listOfEntry(entry), held);
    if (before === null) continue;
    const origin = { file: run, line: 1 };
    entries.set(origin, entry);
    const named = kind.target === undefined && kind.fields.id !== undefined && id !== null;
    const values = writableValues(kind, named ? { ...before, id } : before);
    held.entries.push({ values, origin, key: entry.key, whole: true });
  }
  return { sections: [...sections.values()], entries };
}

interface Matching {
  readonly entries: readonly RunEntry[];
  /** The entries of objects that existed before, by the origin of their declaration. */
  readonly restored: ReadonlyMap<Origin, RunEntry>;
  partsOf(entry: RunEntry): readonly RunEntry[];
}

const givenName =
  "it may have been created under a name from a variable or a file, which no record has: if it is there, remove it by hand";
const changedUnder = "it had a name or a provider from a variable or a file, which no record has: restore it by hand";
const recreated = "created since, under another ID than by the run: remove it by hand, unless it is to stay";

/** The planned changes of the run's own objects. Other entries of their lists are left alone. */
function matched(changes: readonly Change[], { entries, restored, partsOf }: Matching): Matched[] {
  const lists = grouped(entries, listOfEntry);
  const created = new Created(changes, entries);
  const matchedOf = (change: Change): Matched[] => {
    const { desired, scope, action } = change;
    // The whole list could not be read.
    if (action === "unreadable" && change.key === "") {
      const inList = lists.get(`${scope.at}:${listOf(change)}`) ?? [];
      return inList.map((entry) => ({ change: { ...change, key: entry.key, id: entry.id }, entry }));
    }
    if (desired !== undefined) {
      const entry = restored.get(desired.origin);
      if (entry === undefined) return [];
      // Another object may be taken for it, and one that is created again would be another.
      const isUnsure = hidesKey(entry) && (entry.id === null || action === "create" || action === "replace");
      return [as(isUnsure && isWrite(change) ? unreadable(change, changedUnder) : change, entry)];
    }
    const entry = created.identified(change);
    if (entry !== undefined) return [as(kept(change), entry)];
    const gone = created.predecessor(change);
    if (gone !== undefined) return [as(unreadable(change, recreated), gone)];
    const unnamed = created.unnamed(change);
    if (unnamed === undefined) return [];
    // Another secret in the same address would be another object.
    if (holdsMask(unnamed.address) && mayHide(change))
      return [
        as(
          unreadable(change, "it may be what the run created, which its address without the secret does not tell"),
          unnamed,
        ),
      ];
    const rivals = created.at(unnamed.address).filter((each) => isExplained(each, partsOf(unnamed)));
    // Several are what the run may have created, of which it created one at most.
    if (rivals.length > 1)
      return [as(unreadable(change, `${rivals.length} of them may be what the run created`), unnamed)];
    return rivals.length === 1 && rivals[0] !== change ? [] : [as(kept(change), unnamed)];
  };
  const found = changes.map((change) => ({ change, own: matchedOf(change) }));
  const known = new Set(found.flatMap(({ own }) => own.map(({ entry }) => entry)));
  const others = found.flatMap(({ change, own }) => (own.length > 0 || change.desired !== undefined ? [] : [change]));
  const open = created.hidden(others).filter(({ entry }) => !known.has(entry));
  return [
    ...found.flatMap(({ own }) => own),
    ...open.map(({ change, entry }) => as({ ...unreadable(change, givenName), id: null }, entry)),
  ];
}

/** An address may have been a secret, and keeps its name. */
function as(change: Change, entry: RunEntry): Matched {
  return { change: { ...change, key: entry.key, hidden: entry.hidden }, entry };
}

/** What the run created and this rollback must not remove, since not all of the list could be matched. */
function kept(change: Change): Change {
  return isRemoval(change) ? change : unreadable(change, change.reason ?? "it cannot be removed");
}

function unreadable(change: Change, reason: string): Change {
  return { ...change, action: "unreadable", fields: [], write: [], reason };
}

/** Whether a mask in what identifies an object hides something: what has no ID may have such a text as its name. */
function mayHide({ id, kind, live }: Change): boolean {
  const texts = kind.keys.flat().map((name) => live?.values[name]);
  return id !== null || texts.some((text) => typeof text === "string" && hideInAddresses(text) !== text);
}
