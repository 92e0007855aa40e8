import type { Journal } from "./journal.ts";

interface Placed {
  readonly id: string | undefined;
  readonly named?: string | undefined;
  readonly isUnplaced?: boolean;
}

/** `project 7`, after the digest of a batch's line, before the profile and the number of equal tasks. */
const byId = /^([0-9a-f]+:)?(?:project|group) \d+(?: of .+)?(?:#\d+)?$/;

/**
 * Tasks with the IDs that a journal has for them. A task is of a project or a group, by its ID, or by its name if the
 * instance did not show it, which it may do in one run and not in another: what an earlier run recorded by name is
 * found by name. What cannot be looked up now may be what was recorded by an ID (`isUnplaced`).
 */
export function* placed<T extends Placed>(tasks: Iterable<T>, seen: Journal["seen"]): Generator<T> {
  const kinds = new Set([...seen.keys()].flatMap((id) => (byId.test(id) ? [kindOf(id)] : [])));
  for (const task of tasks) {
    const { id, named } = task;
    if (id === undefined || named === undefined || seen.has(id)) yield task;
    else if (seen.has(named)) yield { ...task, id: named };
    else if (id === named && !byId.test(id) && kinds.has(kindOf(id))) yield { ...task, isUnplaced: true };
    else yield task;
  }
}

/** What a task does, without where: the digest of a batch's line, and whether it is of a project. */
function kindOf(id: string): string {
  return /^(?:[0-9a-f]+:)?(?:project|group|)/.exec(id)?.[0] ?? "";
}
