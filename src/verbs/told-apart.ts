import { isOpen, type Journal } from "./journal.ts";

const numbered = /^(.*)#\d+$/s;

/**
 * Numbers the tasks that share an ID: `a`, `a#2`. Of equal tasks nobody can say which of them a journal has as completed, so
 * that the first take the IDs of those: as many are left as were not completed, whichever were removed meanwhile. The next
 * take those that were begun, which must not be sent again without a look.
 */
export function* toldApart<T extends { readonly id: string }>(tasks: Iterable<T>, seen: Journal["seen"]): Generator<T> {
  const earlier = severalIn(seen);
  const taken = new Map<string, number>();
  for (const task of tasks) {
    const { id } = task;
    const place = (taken.get(id) ?? 0) + 1;
    taken.set(id, place);
    const known = earlier.get(id)?.[place - 1];
    const own = known ?? (place === 1 ? id : `${id}#${place}`);
    yield own === id ? task : { ...task, id: own };
  }
}

/** The numbered IDs of a journal by the ID that they share, in the order in which tasks take them. */
function severalIn(seen: Journal["seen"]): ReadonlyMap<string, readonly string[]> {
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
