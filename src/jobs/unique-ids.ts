import { isOpen, type Journal } from "./journal.ts";

const numbered = /^(.*)#\d+$/s;

/**
 * Numbers tasks that share an ID: `a`, `a#2`. Nothing distinguishes equal tasks, so the first ones in the list get
 * the IDs that the journal has as completed: if some were removed from the list, none is done twice. The next ones get
 * the IDs of tasks that were started without an end.
 */
export function* withUniqueIds<T extends { readonly id: string | undefined }>(
  tasks: Iterable<T>,
  seen: Journal["seen"],
): Generator<T> {
  const earlier = sharedIdsIn(seen);
  const taken = new Map<string, number>();
  for (const task of tasks) {
    const { id } = task;
    if (id === undefined) {
      yield task;
      continue;
    }
    const place = (taken.get(id) ?? 0) + 1;
    taken.set(id, place);
    const known = earlier.get(id)?.[place - 1];
    const own = known ?? (place === 1 ? id : `${id}#${place}`);
    yield own === id ? task : { ...task, id: own };
  }
}

/** The IDs in a journal that are numbered, by their common ID, in the order in which tasks get them. */
function sharedIdsIn(seen: Journal["seen"]): ReadonlyMap<string, readonly string[]> {
  const shared = new Set([...seen.keys()].flatMap((id) => numbered.exec(id)?.[1] ?? []));
  return new Map(
    [...shared].map((id) => {
      const ids = [id];
      while (seen.has(`${id}#${ids.length + 1}`)) ids.push(`${id}#${ids.length + 1}`);
      return [id, ids.toSorted((a, b) => rank(seen.get(a)) - rank(seen.get(b)))];
    }),
  );
}

function rank(entry: ReturnType<Journal["seen"]["get"]>): number {
  if (entry?.status === "done") return 0;
  return isOpen(entry) ? 1 : 2;
}
