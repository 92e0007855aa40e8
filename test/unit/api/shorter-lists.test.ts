import { expect, test } from "vitest";
import type { PageSource } from "../../../src/api/pages.ts";
import { watchingTotal } from "../../../src/api/shorter-lists.ts";

/** Pages of which each counts these rows. */
const counting = (totals: readonly (number | undefined)[]): PageSource<never> => {
  const page = (total: number | undefined) => ({
    next: "end" as const,
    total,
    totalPages: undefined,
    bytes: 2,
    empty: false,
    open: () => [],
  });
  return { byNumber: async (number) => page(totals[number - 1]), byUrl: async () => page(undefined) };
};

test.each([
  ["fewer rows than before", [5, 4], [], 1],
  ["fewer rows than in a page that came earlier", [5, undefined, 4], [], 1],
  ["as many rows, or more", [5, 5, 6], [], 0],
  ["no rows", [undefined, undefined], [], 0],
  ["fewer rows, after this run has deleted", [5, 4], ["DELETE /projects/1/uploads/2"], 0],
  ["fewer rows, after this run has made another change", [5, 4], ["POST /projects/1/uploads"], 1],
] as const)("a list that counts %s", async (_, totals, made, count) => {
  let times = 0;
  const source = watchingTotal(counting(totals), made, () => times++);
  for (let page = 1; page <= totals.length; page += 1) await source.byNumber(page);
  expect(times).toBe(count);
});

test("pages that were requested ahead may count what came into the list in any order", async () => {
  const answers = new Map<number, (total: number) => void>();
  const page = counting([undefined]).byNumber;
  const slow: PageSource<never> = {
    ...counting([]),
    byNumber: async (number) => ({
      ...(await page(1)),
      total: await new Promise<number>((done) => answers.set(number, done)),
    }),
  };
  let times = 0;
  const source = watchingTotal(slow, [], () => times++);
  const pages = [source.byNumber(2), source.byNumber(3)];
  await expect.poll(() => answers.size).toBe(2);
  answers.get(3)?.(6);
  await pages[1];
  answers.get(2)?.(5);
  await pages[0];
  expect(times).toBe(0);
});
