import type { Cut } from "../terminal/view.ts";
import { listFlags, windowOf } from "./list-flags.ts";

/** The list flags for a list that is already in memory: all rows are shown by default. */
export const localListFlags = { ...listFlags, limit: { ...listFlags.limit, default: "all" } };

/** The rows that the list flags select, as for a list from the instance. */
export function localList<T extends object>(
  all: readonly T[],
  input: Parameters<typeof windowOf>[0],
): { rows: T[]; cut: () => Cut | undefined } {
  const limit = input.limit ?? (input.page === undefined ? "all" : undefined);
  const window = windowOf({ ...input, limit });
  const start = ((window.page ?? 1) - 1) * (window.perPage ?? 1);
  const rows = all.slice(start, window.limit === undefined ? undefined : start + window.limit);
  const more = start + rows.length < all.length;
  const { page, perPage } = window;
  const place = page === undefined ? {} : { page, ...(rows.length === perPage && { nextPage: page + 1 }) };
  const cut = more ? { shown: rows.length, total: all.length, ...place } : undefined;
  return { rows, cut: () => cut };
}
