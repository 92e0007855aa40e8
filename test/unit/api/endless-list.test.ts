import { expect, test } from "vitest";
import { maxPages } from "../../../src/api/endless.ts";
import { walk } from "../../../src/api/pages.ts";
import type { ReceivedPage } from "../../../src/api/prefetch.ts";

test("a list that always announces another page is aborted", { timeout: 30_000 }, async () => {
  let asked = 0;
  const page = (number: number): ReceivedPage<number> => ({
    next: { page: number + 1 },
    total: undefined,
    totalPages: undefined,
    bytes: 1,
    empty: false,
    open: () => [number],
  });
  const byNumber = async (number: number) => {
    asked = number;
    return page(number);
  };
  const list = walk({ byNumber, byUrl: () => byNumber(0) }, { limit: undefined, perPage: 10 }, 2);
  let shown = 0;
  const read = async () => {
    for await (const _ of list) shown++;
  };
  await expect(read()).rejects.toMatchObject({ code: "endless_list" });
  expect(shown).toBe(maxPages);
  expect(asked).toBeLessThan(maxPages + 10);
});
