import { setImmediate as turn } from "node:timers/promises";
import { type PageSource, walk } from "../../../../src/api/pages.ts";
import type { ReceivedPage } from "../../../../src/api/prefetch.ts";
import { Failure } from "../../../../src/base/errors.ts";

export interface Given {
  rows: unknown[];
  next: ReceivedPage<unknown>["next"];
  total?: number;
  totalPages?: number;
}

export const page = ({ rows, total, totalPages, next }: Given): ReceivedPage<unknown> => ({
  next,
  total,
  totalPages,
  bytes: 1,
  empty: rows.length === 0,
  open: () => rows,
});

/** A list of these pages, by number and by address, and how it was read. */
export function listOf(pages: readonly (Given | Failure)[], links: Readonly<Record<string, Given>> = {}) {
  const asked: (number | string)[] = [];
  let [now, most] = [0, 0];
  const give = async (place: number | string, given: Given | Failure | undefined) => {
    asked.push(place);
    most = Math.max(most, ++now);
    for (let turns = 0; turns < 3; turns++) await turn();
    now--;
    if (given === undefined) throw new Error(`${place} is no page`);
    if (given instanceof Failure) throw given;
    return page(given);
  };
  const source: PageSource<unknown> = {
    byNumber: (number) => give(number, pages[number - 1]),
    byUrl: (url) => give(url, links[url]),
  };
  return { source, asked, most: () => most };
}

export async function read(
  source: PageSource<unknown>,
  window: Partial<Parameters<typeof walk>[1]> = {},
  concurrency = 1,
) {
  const rows: unknown[] = [];
  const list = walk(source, { limit: undefined, perPage: 2, ...window }, concurrency);
  for await (const row of list) rows.push(row);
  return rows;
}

/** Full pages of two, numbered from 1; each announces the next. */
export const numbered = (count: number, more: Partial<Given> = {}): Given[] =>
  Array.from({ length: count }, (_, index) => ({
    rows: [2 * index, 2 * index + 1],
    next: index === count - 1 ? "end" : { page: index + 2 },
    ...more,
  }));
