import { Failure, UsageError } from "../base/errors.ts";
import type { Context } from "../context.ts";
import { writableValues } from "./compare.ts";
import type { Origin } from "./finding.ts";
import type { Change, Declared, Scope, Section, Values } from "./kind.ts";
import { findKind } from "./kinds/index.ts";
import { canonical } from "./normal.ts";
import { isWrite, makePlan, type Plan } from "./plan.ts";
import { addressOfChange, preimageOf } from "./row.ts";
import type { Run, RunEntry } from "./runs.ts";

/** The plan of a rollback, and what it cannot restore. */
export interface Rollback {
  readonly plan: Plan;
  /** Addresses of objects that are restored without their secrets, which cannot be read. */
  readonly withoutSecrets: readonly string[];
  /** The instance shows the settings as before the run: restored since, or the run's values are not in force yet. */
  readonly unseen: boolean;
}

/** A run's entries that changed something, or may have. A failed replacement may be half done. */
function mayHaveChanged({ status, before }: RunEntry): boolean {
  return status === "done" || status === "altered" || status === "unknown" || (status === "failed" && before !== null);
}

/**
 * Plans a return to the pre-image of a run. An object that has changed since the run is a conflict (exit 6), unless
 * `overwrite` is set.
 */
export async function planRollback(context: Context, run: Run, overwrite: boolean): Promise<Rollback> {
  const here = context.config.baseUrl?.value;
  if (run.instance !== here) throw new UsageError(`run ${run.run} is for ${run.instance}, not for ${here}`);
  const entries = merged(run.entries.filter(mayHaveChanged));
  const created = createdIn(entries);
  const declared = declare(entries, run.run);
  const plan = await makePlan(
    context,
    { sections: declared.sections, keep: new Map(), instances: [] },
    { prune: true, secrets: "auto", only: undefined, projects: undefined, groups: undefined },
  );
  const entryOf = (change: Change) =>
    change.desired === undefined ? created(change) : declared.entries.get(change.desired.origin);
  // Entries that the run did not create are left alone. An address may have been a secret, and keeps its name.
  const changes = plan.changes.flatMap((change) => {
    const entry = entryOf(change);
    return entry === undefined ? [] : [{ ...change, key: entry.key, hidden: entry.hidden }];
  });
  const stale = changes.filter((change) => isWrite(change) && !isUnchanged(change, entryOf(change)));
  if (stale.length > 0 && !overwrite) {
    throw new Failure("conflict", `${stale.map(addressOfChange).join(", ")}: changed since run ${run.run}`, {
      code: "stale",
      reason: "nothing was sent",
      hint: "check them; --overwrite restores them anyway",
    });
  }
  const lost = [
    ...changes.filter(losesSecrets).map(addressOfChange),
    ...entries.filter(replacedSecrets).map(addressOf),
  ];
  const unseen = !changes.some(({ kind }) => kind.at === "instance") && entries.some(changedSettings);
  return { plan: { ...plan, changes, pruned: new Map() }, withoutSecrets: [...new Set(lost)], unseen };
}

/** Finds the entry of the run that created the object of a removal: by its ID, otherwise by its address. */
function createdIn(entries: readonly RunEntry[]): (change: Change) => RunEntry | undefined {
  const created = entries.filter(({ before }) => before === null);
  const byId =
    ({ scope: { name }, kind, id }: Change) =>
    (each: RunEntry) =>
      id !== null && each.id === id && each.scope === name && each.kind === kind.name;
  return (change) => created.find(byId(change)) ?? created.find(({ address }) => address === addressOfChange(change));
}

function changedSettings({ at, before, after }: RunEntry): boolean {
  return at === "instance" && canonical(before) !== canonical(after);
}

/** Merges entries per object: settings may have two, for different fields. */
function merged(entries: readonly RunEntry[]): RunEntry[] {
  const found = new Map<string, RunEntry>();
  for (const entry of entries) {
    const id = `${entry.address} ${entry.id}`;
    const first = found.get(id);
    const both = (a: Values | null | undefined, b: Values | null) => (a && b ? { ...a, ...b } : b);
    const secrets = [...(first?.secrets ?? []), ...(entry.secrets ?? [])];
    found.set(id, {
      ...entry,
      secrets,
      hidden: [...(first?.hidden ?? []), ...(entry.hidden ?? [])],
      before: both(first?.before, entry.before),
      after: both(first?.after, entry.after),
    });
  }
  return [...found.values()];
}

/** The objects in their earlier state, and the entry of each. */
function declare(list: readonly RunEntry[], run: string): { sections: Section[]; entries: Map<Origin, RunEntry> } {
  const sections = new Map<string, Section & { entries: Declared[] }>();
  const entries = new Map<Origin, RunEntry>();
  for (const entry of list) {
    const { at, scope: name, kind: kindName, before, id } = entry;
    const kind = findKind(kindName);
    if (kind === undefined) continue;
    const scope: Scope = { at, name };
    const list = `${at}:${name}#${kindName}`;
    const held = sections.get(list) ?? { scope, kind, entries: [], origin: { file: run, line: 1 } };
    sections.set(list, held);
    if (before === null) continue;
    const origin = { file: run, line: 1 };
    entries.set(origin, entry);
    const named = kind.target === undefined && kind.fields.id !== undefined && id !== null;
    held.entries.push({ values: writableValues(kind, named ? { ...before, id } : before), origin, key: entry.key });
  }
  return { sections: [...sections.values()], entries };
}

/** Whether the object is unchanged since the run; an interrupted change may be in either state. */
function isUnchanged(change: Change, entry: RunEntry | undefined): boolean {
  if (entry === undefined || entry.status === "unknown") return true;
  const left = entry.after;
  if (left === null) return change.live === undefined;
  // Only the fields that the run changed.
  const declared = { values: left, origin: { file: "", line: 1 } };
  const touched = { kind: change.kind, desired: declared, write: Object.keys(left), action: "update" as const };
  const { values: live } = change.live ?? {};
  const recorded =
    live && Object.fromEntries(Object.keys(left).flatMap((name) => (name in live ? [[name, live[name]]] : [])));
  return preimageOf(touched, recorded) === preimageOf(touched, left);
}

/** A new URL drops a hook's token and headers, and removed objects had secrets that cannot be read. */
function losesSecrets(change: Change): boolean {
  const { kind, action } = change;
  const hasWriteOnly = Object.values(kind.fields).some(({ writeOnly, form }) => writeOnly || form === "keys");
  return kind.loses?.(change) !== undefined || (action === "create" && hasWriteOnly);
}

/** A secret that the run sent is kept, since the previous one is unknown. */
function replacedSecrets({ before, secrets }: RunEntry): boolean {
  return before !== null && secrets !== undefined && secrets.length > 0;
}

function addressOf({ address }: RunEntry): string {
  return address;
}
