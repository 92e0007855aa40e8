import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { walk } from "../../../src/api/pages.ts";
import { Failure } from "../../../src/base/errors.ts";
import { type Given, listOf, numbered, page, read } from "./support/pages.ts";

describe("a list whose pages lead back is an error, not a loop", () => {
  const [one, two, three] = numbered(4) as [Given, Given, Given];
  test.each<[string, Given[], Record<string, Given>]>([
    ["the first to itself", [{ ...one, next: { page: 1 } }, two, { ...three, next: "end" }], {}],
    ["the second to itself", [one, { ...two, next: { page: 2 } }, { ...three, next: "end" }], {}],
    ["the second to the first", [one, { ...two, next: { page: 1 } }, { ...three, next: "end" }], {}],
    ["a link to itself", [{ ...one, next: { url: "a" } }], { a: { rows: [3], next: { url: "a" } } }],
    [
      "a link to an earlier one",
      [{ ...one, next: { url: "a" } }],
      { a: { rows: [3], next: { url: "b" } }, b: { rows: [4], next: { url: "a" } } },
    ],
  ])("%s", async (_, pages, links) => {
    const list = listOf(pages, links);
    await expect(read(list.source)).rejects.toMatchObject({ exit: "refused", code: "endless_list" });
    expect(new Set(list.asked).size).toBe(list.asked.length);
  });
});

describe("what is requested", () => {
  test("every page once, and none after the last", async () => {
    const list = listOf(numbered(3));
    expect(await read(list.source)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(list.asked).toEqual([1, 2, 3]);
  });

  test("from the page that was asked for", async () => {
    const list = listOf(numbered(4));
    expect(await read(list.source, { page: 3 })).toEqual([4, 5, 6, 7]);
    expect(list.asked).toEqual([3, 4]);
  });

  test("none beyond the number of pages that the instance tells, unless the last of them announces another", async () => {
    const list = listOf(numbered(3, { totalPages: 3 }));
    expect(await read(list.source, {}, 6)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(list.asked).toEqual([1, 2, 3]);
    // Rows may have been added since the first page, and a count may be wrong.
    for (const counts of [[2, 2, 3, 3], [2, 2, 2, 2], [1]]) {
      const longer = listOf(numbered(4).map((each, at) => ({ ...each, totalPages: counts[at] ?? 1 })));
      expect(await read(longer.source, {}, 6)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      expect(longer.asked).toEqual([1, 2, 3, 4]);
    }
  });

  test.each([2, 100])(
    "at a limit of three pages, the other two at once; of %i rows each, it was asked",
    async (perPage) => {
      const list = listOf(numbered(9));
      expect(await read(list.source, { limit: 6, perPage }, 6)).toEqual([0, 1, 2, 3, 4, 5]);
      expect([list.asked, list.most()]).toEqual([[1, 2, 3], 2]);
    },
  );

  test("as many as it takes, if later pages are smaller, up to the last", async () => {
    const pages: Given[] = [
      { rows: [0, 1], next: { page: 2 }, totalPages: 3 },
      { rows: [2], next: { page: 3 } },
      { rows: [3], next: "end" },
    ];
    const list = listOf(pages);
    expect(await read(list.source, { limit: 4 }, 6)).toEqual([0, 1, 2, 3]);
    expect(list.asked).toEqual([1, 2, 3]);
    const short = listOf(pages);
    expect(await read(short.source, { limit: 9, perPage: 9 }, 1)).toEqual([0, 1, 2, 3]);
  });

  test("nothing more once the reader has left", async () => {
    const list = listOf(numbered(50));
    for await (const row of walk(list.source, { limit: undefined, perPage: 2 }, 6)) if (row === 2) break;
    const asked = list.asked.length;
    for (let turns = 0; turns < 10; turns++) await turn();
    expect(list.asked).toHaveLength(asked);
  });

  test("a page that fails behind the place where the reader left is not an error", async () => {
    const broken = new Failure("network", "broken");
    const [one, two] = numbered(3) as [Given, Given];
    const byNumber = listOf([one, two, broken]);
    expect(await read(byNumber.source, { limit: 3 }, 4)).toEqual([0, 1, 2]);
    const byLink = listOf([{ ...one, next: { url: "a" } }], { a: { rows: [2], next: { url: "gone" } } });
    expect(await read(byLink.source, { limit: 3 })).toEqual([0, 1, 2]);
    await turn();
  });
});

describe("what is the same page", () => {
  test("one row that is repeated is the end", async () => {
    const list = listOf([...numbered(3).map(({ next }) => ({ rows: [7], next }))]);
    expect(await read(list.source, { perPage: 1 })).toEqual([7]);
  });

  test.each([
    ["another length", [0]],
    ["another second row", [0, 7]],
    ["another first row", [7, 1]],
  ])("a page of %s is not", async (_, rows) => {
    const [one] = numbered(2) as [Given];
    expect(await read(listOf([one, { rows, next: "end" }]).source)).toEqual([0, 1, ...rows]);
  });

  test("an empty page that announces another is not the end of all", async () => {
    const list = listOf([
      { rows: [], next: { page: 2 } },
      { rows: [1], next: "end" },
    ]);
    expect(await read(list.source)).toEqual([1]);
  });

  test.each([1, 6])("nor are a few in the middle of a list that is not counted, %i at once", async (concurrency) => {
    const pages = numbered(13).map((each, at) => (at > 1 && at < 11 ? { ...each, rows: [] } : each));
    expect(await read(listOf(pages).source, {}, concurrency)).toEqual([0, 1, 2, 3, 22, 23, 24, 25]);
  });

  test("a page that is the one before it again, after two different ones, is an error: page numbers were obeyed", async () => {
    const [one, two, , four] = numbered(4) as [Given, Given, Given, Given];
    const list = listOf([one, two, { ...two, next: { page: 4 } }, four]);
    await expect(read(list.source)).rejects.toMatchObject({
      exit: "refused",
      details: { code: "repeated_page", reason: "after 4 rows, a page is the one before it again" },
    });
  });
});

describe("a list that the instance counts", () => {
  const counted = { total: 6, totalPages: 3 };

  test("is not whole if a page is the one before it again", async () => {
    const [one, _, three] = numbered(3, counted) as [Given, Given, Given];
    const list = listOf([one, { ...one, next: { page: 3 } }, three]);
    await expect(read(list.source)).rejects.toMatchObject({
      exit: "refused",
      details: { code: "repeated_page", reason: "after 2 of 6 rows, a page is the one before it again" },
    });
    expect(
      await read(listOf([one, { ...one, next: { page: 3 } }].map((each) => ({ ...each, total: 2 }))).source),
    ).toEqual([0, 1]);
  });

  test.each([1, 6])(
    "continues after a page of which nothing is shown to this user, %i at once",
    async (concurrency) => {
      const [one, two, three] = numbered(3, counted) as [Given, Given, Given];
      const list = listOf([one, { ...two, rows: [] }, three]);
      expect(await read(list.source, {}, concurrency)).toEqual([0, 1, 4, 5]);
    },
  );
});

describe("where page numbers end", () => {
  const tooFar = new Failure("refused", "no", { status: 405 });
  const continued =
    (next: Given["next"], links = {}) =>
    () => ({
      first: async () => page({ rows: [8], next }),
      byUrl: listOf([], links).source.byUrl,
    });

  test.each<[string, Given["next"], unknown[]]>([
    ["the rest", "end", [1, 8]],
    ["more links", { url: "a" }, [1, 8, 9]],
    ["a page number, which would not be read", { page: 3 }, [1, 8]],
  ])("it continues by cursor: with %s", async (_, next, rows) => {
    const { source } = listOf([{ rows: [1], next: { page: 2 } }, tooFar]);
    expect(await read({ ...source, after: continued(next, { a: { rows: [9], next: "end" } }) })).toEqual(rows);
  });

  test("not before the first row, and not after another error", async () => {
    const broken = new Failure("refused", "no", { status: 500 });
    const first = listOf([tooFar]).source;
    await expect(read({ ...first, after: continued("end") })).rejects.toBe(tooFar);
    const empty = listOf([{ rows: [], next: { page: 2 } }, tooFar]).source;
    await expect(read({ ...empty, after: continued("end") })).rejects.toBe(tooFar);
    const later = listOf([numbered(2)[0] as Given, broken]).source;
    await expect(read({ ...later, after: continued("end") })).rejects.toBe(broken);
  });

  test("links are followed whatever the length of a page", async () => {
    const list = listOf([{ rows: [0, 1, 2], next: { url: "a" } }], { a: { rows: [3], next: "end" } });
    expect(await read(list.source)).toEqual([0, 1, 2, 3]);
  });
});

describe("what is counted", () => {
  test.each<[number | undefined, number | undefined, unknown[]]>([
    [
      5,
      undefined,
      [
        [2, 5],
        [4, 5],
        [6, 5],
        [0, undefined],
      ],
    ],
    [
      undefined,
      undefined,
      [
        [2, undefined],
        [4, undefined],
        [6, undefined],
        [0, undefined],
      ],
    ],
    [
      6,
      3,
      [
        [2, 3],
        [3, 3],
        [0, undefined],
      ],
    ],
    [
      1,
      3,
      [
        [2, 1],
        [3, 1],
        [0, undefined],
      ],
    ],
    [
      undefined,
      3,
      [
        [2, undefined],
        [3, undefined],
        [0, undefined],
      ],
    ],
  ])("of %s rows in all, at a limit of %s", async (total, limit, counts) => {
    const seen: unknown[] = [];
    const { source } = listOf(numbered(3, total === undefined ? {} : { total }));
    await read({ ...source, counted: (...count) => seen.push(count) }, { limit });
    expect(seen).toEqual(counts);
  });

  test("an empty list has no batch, and nothing is cut before it is read", async () => {
    const list = walk(listOf([{ rows: [], next: "end" }]).source, { limit: 3, perPage: 2 }, 1);
    expect(list.cut()).toBeUndefined();
    for await (const batch of list.batches()) expect.unreachable(String(batch));
    expect(list.cut()).toBeUndefined();
  });
});

describe("a list without paging headers, which a proxy may have removed", () => {
  const unsaid = (...pages: unknown[][]) => listOf(pages.map((rows) => ({ rows, next: "unsaid" as const })));

  test("that is shorter than a page, or longer, is whole", async () => {
    for (const rows of [[], [1], [1, 2, 3]]) {
      const list = unsaid(rows);
      expect(await read(list.source, {}, 6)).toEqual(rows);
      expect(list.asked).toEqual([1]);
    }
  });

  test("that is exactly a page, and is not paged, repeats it and ends", async () => {
    const list = unsaid([1, 2], [1, 2]);
    expect(await read(list.source, {}, 6)).toEqual([1, 2]);
    expect(list.asked).toEqual([1, 2]);
  });

  test("is read to its end, one page after another", async () => {
    for (const last of [[], [5]]) {
      const list = unsaid([1, 2], [3, 4], last);
      expect(await read(list.source, {}, 6)).toEqual([1, 2, 3, 4, ...last]);
      expect([list.asked, list.most()]).toEqual([[1, 2, 3], 1]);
    }
  });

  test("continues where only a later page has none", async () => {
    const [one, two] = numbered(3, { total: 5 }) as [Given, Given];
    const list = listOf([one, { ...two, next: "unsaid" }, { rows: [4], next: "unsaid" }]);
    expect(await read(list.source)).toEqual([0, 1, 2, 3, 4]);
  });

  test("is not said to have more rows after a limit", async () => {
    const list = walk(unsaid([1, 2], [3, 4]).source, { limit: 2, perPage: 2 }, 1);
    for await (const _ of list);
    expect(list.cut()).toBeUndefined();
  });
});

describe("a list without them whose pages may be short", () => {
  const open = (...pages: unknown[][]) => listOf(pages.map((rows) => ({ rows, next: "open" as const })));

  test.each([
    ["short pages", [[1], [2, 3], [4], [], []], [1, 2, 3, 4]],
    ["an empty page among them", [[], [1], [], [2], [], []], [1, 2]],
    ["no rows", [[], []], []],
  ])("is read until two pages in a row are empty, one after another: %s", async (_, pages, rows) => {
    const list = open(...pages);
    expect(await read(list.source, {}, 6)).toEqual(rows);
    expect([list.asked, list.most()]).toEqual([pages.map((_, at) => at + 1), 1]);
  });

  test("ends at the first one if it is not paged", async () => {
    const longer = open([1, 2, 3]);
    expect(await read(longer.source)).toEqual([1, 2, 3]);
    expect(await read(open([1], [1]).source)).toEqual([1]);
  });

  test("is not said to have more rows after a limit", async () => {
    const list = walk(open([1, 2], [3, 4]).source, { limit: 2, perPage: 2 }, 1);
    for await (const _ of list);
    expect(list.cut()).toBeUndefined();
  });
});
