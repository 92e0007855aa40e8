import { incomplete } from "./endless.ts";
import type { ReceivedPage } from "./prefetch.ts";

/** One page of a list, in order. */
export type Page<T> = Pick<ReceivedPage<T>, "next" | "total" | "totalPages"> & { rows: T[] };

/** The page with its rows parsed. */
export function opened<T>(arrived: ReceivedPage<T>): Page<T> {
  const { next, total, totalPages } = arrived;
  return { next, total, totalPages, rows: arrived.open() };
}

/**
 * If it is unsaid, a full page may be followed by another, and any page of a list that is open; a list that is not
 * paged repeats it.
 *
 * @param shown rows of the list so far, if it was read from its start: where more are counted, any page is followed
 */
export function continues<T>({ next, rows, total }: Page<T>, perPage: number, shown?: number): boolean {
  if (next === "end") return false;
  if (next === "unsaid") {
    const isShort = shown !== undefined && total !== undefined && shown < total;
    if (isShort && rows.length === 0) throw incomplete({ shown, total });
    return isShort || rows.length === perPage;
  }
  if (isLinked(next)) return true;
  // More than requested: the instance does not paginate this list, whatever its headers say.
  return rows.length <= perPage;
}

/** Whether headers say where the list continues, or that it ends. */
export function isSaid(next: ReceivedPage<unknown>["next"]): boolean {
  return next !== "unsaid" && next !== "open";
}

export function isLinked(next: ReceivedPage<unknown>["next"]): next is { url: string } {
  return typeof next === "object" && "url" in next;
}

export function isCycle<T>({ next }: Page<T>, number: number): boolean {
  return typeof next === "object" && "page" in next && next.page <= number;
}

/** Cheap for different pages, since their first rows differ. */
export function isSame(before: readonly unknown[], rows: readonly unknown[]): boolean {
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  return before.length === rows.length && same(before[0], rows[0]) && same(before, rows);
}
