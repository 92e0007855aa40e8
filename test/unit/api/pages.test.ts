import { describe, expect, test } from "vitest";
import { countOf, linkTo, nextOf } from "../../../src/api/page-headers.ts";
import { walk } from "../../../src/api/pages.ts";
import type { ReceivedPage } from "../../../src/api/prefetch.ts";
import { Failure } from "../../../src/base/errors.ts";

interface Page {
  rows: number[];
  next: ReceivedPage<number>["next"];
  total: number | undefined;
  totalPages: number | undefined;
}

/** A received page: its rows are not parsed yet. */
function received({ rows, ...page }: Page): ReceivedPage<number> {
  return { ...page, bytes: rows.length, empty: rows.length === 0, open: () => rows };
}

/** A list of numbers in pages, as from an instance; records the requested pages, and how many at once. */
function pagesOf(count: number, perPage: number, tells: "next" | "more" = "next") {
  const asked: number[] = [];
  let under = 0;
  let most = 0;
  const last = Math.max(1, Math.ceil(count / perPage));
  return {
    asked,
    most: () => most,
    source: {
      async byNumber(page: number): Promise<ReceivedPage<number>> {
        asked.push(page);
        under += 1;
        most = Math.max(most, under);
        // Later pages are answered sooner, so that the order must come from the walk.
        for (let tick = 0; tick < 20 - Math.min(page, 20); tick++) await undefined;
        under -= 1;
        const first = (page - 1) * perPage;
        const rows = Array.from({ length: Math.max(0, Math.min(perPage, count - first)) }, (_, index) => first + index);
        const next = page < last ? { page: page + 1 } : ("end" as const);
        return received({
          rows,
          next: tells === "next" ? next : { page: page + 1 },
          total: undefined,
          totalPages: undefined,
        });
      },
      byUrl: async (): Promise<ReceivedPage<number>> => {
        throw new Error("no page is asked for by URL here");
      },
    },
  };
}

async function all(rows: AsyncIterable<number>): Promise<number[]> {
  const given: number[] = [];
  for await (const row of rows) given.push(row);
  return given;
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("a list in pages", () => {
  test.each(["next", "more"] as const)(
    "in order, complete, several pages ahead; the headers give %s",
    async (tells) => {
      const list = pagesOf(95, 10, tells);
      const rows = walk(list.source, { limit: undefined, perPage: 10 }, 4);
      expect(await all(rows)).toEqual(upTo(95));
      expect(list.most()).toBe(4);
      expect(rows.cut()).toBeUndefined();
    },
  );

  test("if every page announces another, ten empty ones in a row are the end", async () => {
    const list = pagesOf(20, 10, "more");
    expect(await all(walk(list.source, { limit: undefined, perPage: 10 }, 1))).toEqual(upTo(20));
    // Two more were requested ahead.
    expect(list.asked).toEqual(upTo(14).map((page) => page + 1));
  });

  test("one page is one request, at any concurrency", async () => {
    const list = pagesOf(7, 10);
    expect(await all(walk(list.source, { limit: undefined, perPage: 10 }, 6))).toEqual(upTo(7));
    expect(list.asked).toEqual([1]);
  });

  test("a limit requests no page beyond it and says that there is more", async () => {
    const list = pagesOf(1000, 10);
    const rows = walk(list.source, { limit: 25, perPage: 10 }, 6);
    expect(await all(rows)).toEqual(upTo(25));
    expect(list.asked).toEqual([1, 2, 3]);
    expect(rows.cut()).toEqual({ shown: 25, total: undefined });
  });

  test("a limit equal to the length cuts nothing", async () => {
    const rows = walk(pagesOf(20, 10).source, { limit: 20, perPage: 10 }, 6);
    expect(await all(rows)).toEqual(upTo(20));
    expect(rows.cut()).toBeUndefined();
  });

  test.each([
    ["than requested", [10], 25, [1, 2, 3]],
    ["page by page", [50, 20, 10], 100, [1, 2, 3, 4, 5]],
  ])("a limit is reached over pages smaller %s", async (_how, sizes, limit, asked) => {
    const seen: number[] = [];
    const byNumber = async (page: number): Promise<ReceivedPage<number>> => {
      seen.push(page);
      const size = (number: number) => sizes[Math.min(number, sizes.length) - 1] as number;
      const start = upTo(page - 1).reduce((sum, index) => sum + size(index + 1), 0);
      const rows = upTo(size(page)).map((index) => start + index);
      return received({ rows, next: { page: page + 1 }, total: 1000, totalPages: undefined });
    };
    const source = { ...pagesOf(0, 1).source, byNumber };
    const rows = walk(source, { limit, perPage: 100 }, 6);
    expect(await all(rows)).toEqual(upTo(limit));
    expect(seen).toEqual(asked);
    expect(rows.cut()).toEqual({ shown: limit, total: 1000 });
  });

  test("a page that fails is the list's error, after the rows before it", async () => {
    const list = pagesOf(50, 10);
    const source = {
      ...list.source,
      byNumber: (page: number) => (page === 3 ? Promise.reject(new Error("broken")) : list.source.byNumber(page)),
    };
    const given: number[] = [];
    await expect(async () => {
      for await (const row of walk(source, { limit: undefined, perPage: 10 }, 4)) given.push(row);
    }).rejects.toThrow("broken");
    expect(given).toEqual(upTo(20));
  });

  test.each([
    ["has more rows than requested", upTo(12)],
    ["is the same as the one before", upTo(10)],
  ])("a page that %s is the end, whatever is announced", async (_how, rows) => {
    const asked: number[] = [];
    const byNumber = async (page: number): Promise<ReceivedPage<number>> => {
      asked.push(page);
      return received({ rows, next: { page: page + 1 }, total: undefined, totalPages: undefined });
    };
    const list = walk({ ...pagesOf(0, 1).source, byNumber }, { limit: undefined, perPage: 10 }, 2);
    expect([await all(list), list.cut()]).toEqual([rows, undefined]);
    expect(asked.length).toBeLessThan(12);
  });

  test("an instance that stops numbered pages is read by cursor, if the list can", async () => {
    const list = pagesOf(50, 10);
    const tooFar = new Failure("refused", "could not list", { status: 405 });
    const source = {
      ...list.source,
      byNumber: (page: number) => (page > 2 ? Promise.reject(tooFar) : list.source.byNumber(page)),
    };
    const whole = { limit: undefined, perPage: 10 };
    await expect(all(walk(source, whole, 4))).rejects.toBe(tooFar);
    const end = { next: "end", total: undefined, totalPages: undefined } as const;
    const after = () => ({
      first: async () => received({ ...end, rows: [20], next: { url: "more" } }),
      byUrl: async () => received({ ...end, rows: [21] }),
    });
    expect(await all(walk({ ...source, after }, whole, 4))).toEqual(upTo(22));
  });

  test("the shown part of a page is reported with its number", async () => {
    const cutOf = async (window: Parameters<typeof walk>[1]) => {
      const rows = walk(pagesOf(100, 10).source, window, 4);
      await all(rows);
      return rows.cut();
    };
    expect(await cutOf({ page: 2, limit: 10, perPage: 10 })).toMatchObject({ shown: 10, page: 2, nextPage: 3 });
    const further = await cutOf({ page: 2, limit: 25, perPage: 10 });
    expect(further).toMatchObject({ shown: 25, page: 2 });
    expect(further).not.toHaveProperty("nextPage");
  });

  test("a cursor is followed", async () => {
    const byUrl = async (url: string): Promise<ReceivedPage<number>> =>
      received({
        rows: [Number(url)],
        next: url === "3" ? "end" : { url: String(Number(url) + 1) },
        total: undefined,
        totalPages: undefined,
      });
    const byNumber = () => byUrl("1");
    expect(await all(walk({ byNumber, byUrl }, { limit: undefined, perPage: 1 }, 6))).toEqual([1, 2, 3]);
  });
});

describe("where a list continues", () => {
  test.each([
    [{ "x-next-page": "3" }, { page: 3 }],
    [{ "x-next-page": "" }, "end"],
    [{ link: '<https://x/y?page=4&per_page=2>; rel="next", <https://x/y?page=1>; rel="first"' }, { page: 4 }],
    [{ link: '<https://x/y?id_after=9>; rel="next"' }, { url: "https://x/y?id_after=9" }],
    [
      { link: '<https://x/y?id_after=9&page=1&pagination=keyset>; rel="next"' },
      { url: "https://x/y?id_after=9&page=1&pagination=keyset" },
    ],
    [{ link: '<https://x/y?page=1>; rel="prev"' }, "end"],
    [{ "x-next-page": "", link: '<https://x/y?cursor=a>; rel="next"' }, { url: "https://x/y?cursor=a" }],
    [{ "x-page": "1", "x-total-pages": "2" }, { page: 2 }],
    [{ "x-page": "2", "x-total-pages": "2" }, "end"],
    [{ "x-page": "1" }, "unsaid"],
    [{ "x-total-pages": "2" }, "unsaid"],
    [{ "x-page": "1", "x-total-pages": "many" }, "unsaid"],
    [{ "x-page": "1", "x-total-pages": "2", "x-next-page": "" }, "end"],
    [{ "x-page": "1", "x-total-pages": "2", link: '<https://x/y>; rel="first"' }, "end"],
    [{ link: '<https://x/y?page=last>; rel="next"' }, { url: "https://x/y?page=last" }],
    [{ link: '<https://x/y?page=4>; REL="Next"' }, { page: 4 }],
    [{ "x-total": "7" }, "unsaid"],
    [{}, "unsaid"],
  ])("%j", (headers, next) => {
    expect(nextOf(headers as Record<string, string>)).toEqual(next);
  });

  test("a count is a number, or it is not known", () => {
    expect([countOf("7"), countOf("0"), countOf("many"), countOf("-1"), countOf(undefined)]).toEqual([
      7,
      0,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("relations are whole words", () => {
    expect(linkTo('<a>; rel="nextish"', "next")).toBeUndefined();
    expect(linkTo("<a>; rel=prev, <b>; title=x; rel=next", "next")).toBe("b");
  });
});

test("a page of any length comes in parts, each in a turn of its own", async () => {
  const { source } = pagesOf(250_000, 250_000);
  let turns = 0;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const all: number[] = [];
  // As everything that collects a list does: too many at once are more than a call takes.
  for await (const batch of walk(source, { limit: undefined, perPage: 100 }, 10).batches()) all.push(...batch);
  clearImmediate(timer);
  expect([all.length, all[249_999], turns >= 249]).toEqual([250_000, 249_999, true]);
});
