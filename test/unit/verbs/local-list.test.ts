import { expect, test } from "vitest";
import { localList } from "../../../src/declare/local-list.ts";

const all = Array.from({ length: 250 }, (_, index) => ({ n: index + 1 }));

test.each([
  [{}, 1, 250, undefined],
  [{ limit: "all" as const }, 1, 250, undefined],
  [{ limit: 3 }, 1, 3, { shown: 3, total: 250 }],
  [{ limit: 250 }, 1, 250, undefined],
  [{ page: 2 }, 101, 200, { shown: 100, total: 250, page: 2, nextPage: 3 }],
  [{ page: 3 }, 201, 250, undefined],
  [{ page: 2, per_page: 10 }, 11, 20, { shown: 10, total: 250, page: 2, nextPage: 3 }],
  [{ page: 2, per_page: 100, limit: "all" as const }, 101, 250, undefined],
  [{ page: 2, per_page: 100, limit: 5 }, 101, 105, { shown: 5, total: 250, page: 2 }],
])("%j", (flags, first, last, cut) => {
  const list = localList(all, flags);
  expect([list.rows[0]?.n, list.rows.at(-1)?.n]).toEqual([first, last]);
  expect(list.cut()).toEqual(cut);
});

test("a page past the end is empty, and nothing is missing after it", () => {
  const list = localList(all, { page: 9 });
  expect([list.rows, list.cut()]).toEqual([[], undefined]);
});
