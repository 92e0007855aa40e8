import type { Journal } from "./journal.ts";

/** One unit of a job: a command on a scope, a line of a batch. */
export interface Task {
  /** Identifies it in the journal, the same in every run; equal tasks may share one. Undefined: it is not recorded. */
  readonly id: string | undefined;
  /** Its ID in a run to which the instance did not show its project or group. */
  readonly named?: string | undefined;
  /** An earlier run may have done it under another ID. */
  readonly isUnplaced?: boolean;
  /** The ID is that of an earlier run: the instance does not show now what its name leads to. */
  readonly isHidden?: boolean;
  /** The instance has listed it in this run: its ID is what is meant. */
  readonly isListed?: boolean;
  /** Its IDs, if its name is that of another project or group by now. It has none in the journal, and shares none. */
  readonly moved?: { readonly before: string; readonly now: string };
}

/** `project 7`, after the digest of a batch's line, before the profile and the number of equal tasks. */
const byId = /^([0-9a-f]+:)?(?:project|group) \d+(?: of .+)?(?:#\d+)?$/;

/** What a name led to when it was looked up: `project acme/docs` to `project 2`. */
export type NamedId = Pick<Task, "id" | "named" | "isListed">;

/**
 * Tasks with the IDs that a journal has for them. A task is of a project or a group, by its ID, or by its name if the
 * instance did not show it, which it may do in one run and not in another: what an earlier run recorded by name is
 * found by name. What cannot be looked up now may be what was recorded by an ID (`isUnplaced`), unless the journal has
 * the ID that the name had. If the name leads to another project or group by now, what the journal has of that one is
 * not about this task.
 */
export function* placed<T extends Task>(tasks: Iterable<T>, seen: Journal["seen"]): Generator<T> {
  const kinds = new Set([...seen.keys()].flatMap((id) => (byId.test(id) ? [kindOf(id)] : [])));
  for (const task of tasks) {
    const { id, named, isListed } = task;
    const before = named === undefined || isListed ? undefined : idOf(named, seen);
    if (before !== undefined && id === named) yield { ...task, id: before, isHidden: true };
    else if (before !== undefined && id !== undefined && before !== id) {
      yield { ...task, id: undefined, moved: { before, now: id } };
    } else if (id === undefined || named === undefined || seen.has(id)) yield task;
    else if (seen.has(named)) yield { ...task, id: named };
    else if (id === named && !byId.test(id) && kinds.has(kindOf(id))) yield { ...task, isUnplaced: true };
    else yield task;
  }
}

/** Records what each name leads to now, unless the journal has the name: an entry of its own for each. */
export async function recordNames(names: Iterable<NamedId>, { seen, plan }: Journal): Promise<void> {
  const entries = entriesFor(names, seen);
  if (entries.length > 0) await plan(entries);
}

function entriesFor(names: Iterable<NamedId>, seen: Journal["seen"]): { id: string; facts: object }[] {
  const entries = new Map<string, { id: string; facts: object }>();
  for (const { id, named, isListed } of names) {
    if (id === undefined || named === undefined || named === id || isListed || seen.has(entryOf(named))) continue;
    entries.set(entryOf(named), { id: entryOf(named), facts: { means: id } });
  }
  return [...entries.values()];
}

/** What a journal has, and what else is known of the names in an earlier run. */
export function withNames(seen: Journal["seen"], names: readonly NamedId[]): Journal["seen"] {
  const all = new Map(seen);
  for (const entry of entriesFor(names, seen)) all.set(entry.id, { ...entry, event: "plan" });
  return all;
}

/** Paths ignore case, profiles do not. The word keeps the entry apart from that of a task. */
function entryOf(named: string): string {
  return `name ${named.replace(/^\S+ \S+/, (place) => place.toLowerCase())}`;
}

/** What a name led to in an earlier run, behind the digest of a batch's line. */
function idOf(named: string, seen: Journal["seen"]): string | undefined {
  const [digest = ""] = /^[0-9a-f]+:/.exec(named) ?? [];
  const { means } = (seen.get(entryOf(named.slice(digest.length)))?.facts ?? {}) as { means?: unknown };
  return typeof means === "string" ? `${digest}${means}` : undefined;
}

/** What a task does, without where: the digest of a batch's line, and whether it is of a project. */
function kindOf(id: string): string {
  return /^(?:[0-9a-f]+:)?(?:project|group|)/.exec(id)?.[0] ?? "";
}
