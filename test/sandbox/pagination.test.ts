import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { page, pageParams } from "../../src/sandbox/server/pagination.ts";
import type { Area } from "../../src/sandbox/server/router.ts";
import { type Answer, openSession, openWith, type Session } from "./session.ts";

const area: Area = {
  name: "numbers",
  routes(router) {
    for (const count of [0, 45, 10_000, 10_001]) {
      const rows = Array.from({ length: count }, (_, index) => index + 1);
      router.on(`GET /numbers/${count}`, { params: pageParams }, (call) => page(call, rows, (row) => row));
    }
  },
};

let session: Session;
beforeAll(async () => {
  session = await openWith(area);
});
afterAll(() => session.sandbox.close());

const headers = ({ headers }: Answer) =>
  ["x-total", "x-total-pages", "x-page", "x-per-page", "x-prev-page", "x-next-page"].map((name) => headers.get(name));

const links = (answer: Answer) =>
  Object.fromEntries(
    [...(answer.headers.get("link") ?? "").matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, url = "", rel = ""]) => [
      rel,
      url.replace(`http://127.0.0.1`, "").replace(/^:\d+\/api\/v4/, ""),
    ]),
  );

describe("pages", () => {
  test("have 20 rows by default", async () => {
    const answer = await session.ask("GET /numbers/45");
    expect(answer.json).toHaveLength(20);
    expect(headers(answer)).toEqual(["45", "3", "1", "20", "", "2"]);
  });
  test("in the middle link both ways and keep the query", async () => {
    const answer = await session.ask("GET /numbers/45?page=2&per_page=10&search=a%20b");
    expect(answer.json[0]).toBe(11);
    expect(headers(answer)).toEqual(["45", "5", "2", "10", "1", "3"]);
    expect(links(answer)).toEqual({
      prev: "/numbers/45?page=1&per_page=10&search=a+b",
      next: "/numbers/45?page=3&per_page=10&search=a+b",
      first: "/numbers/45?page=1&per_page=10&search=a+b",
      last: "/numbers/45?page=5&per_page=10&search=a+b",
    });
  });
  test("end with a short one that links back", async () => {
    const answer = await session.ask("GET /numbers/45?page=3");
    expect(answer.json).toEqual([41, 42, 43, 44, 45]);
    expect(headers(answer)).toEqual(["45", "3", "3", "20", "2", ""]);
    expect(links(answer)).not.toHaveProperty("next");
  });
  test("past the end are empty", async () => {
    const answer = await session.ask("GET /numbers/45?page=9");
    expect([answer.json, answer.headers.get("x-next-page")]).toEqual([[], ""]);
  });
  test("of an empty list", async () => {
    const answer = await session.ask("GET /numbers/0");
    expect([answer.json, ...headers(answer)]).toEqual([[], "0", "1", "1", "20", "", ""]);
  });
  test("have at most 100 rows", async () => {
    const answer = await session.ask("GET /numbers/10000?per_page=500");
    expect([answer.json.length, answer.headers.get("x-per-page")]).toEqual([100, "100"]);
  });
  test.each([["page=0"], ["page=x"], ["per_page=0"], ["per_page=-1"], ["per_page=2.5"]])(
    "%s is refused",
    async (pair) => {
      const answer = await session.ask(`GET /numbers/45?${pair}`);
      expect([answer.status, Object.keys(answer.json.message)]).toEqual([400, [pair.split("=")[0]]]);
    },
  );
  test("omit the totals and the last link beyond 10,000 rows", async () => {
    const counted = await session.ask("GET /numbers/10000");
    expect([headers(counted)[0], links(counted).last]).toEqual(["10000", "/numbers/10000?page=500&per_page=20"]);
    const uncounted = await session.ask("GET /numbers/10001?page=2");
    expect(headers(uncounted)).toEqual([null, null, "2", "20", "1", "3"]);
    expect(Object.keys(links(uncounted))).toEqual(["prev", "next", "first"]);
  });
  test("of one list are found by following next", async () => {
    const seen: number[] = [];
    let next: string | undefined = "/numbers/45?per_page=7";
    while (next !== undefined) {
      const answer: Answer = await session.ask(`GET ${next}`);
      seen.push(...answer.json);
      next = links(answer).next;
    }
    expect(seen).toEqual(Array.from({ length: 45 }, (_, index) => index + 1));
  });
});

describe("keyset", () => {
  let users: Session;
  beforeAll(async () => {
    users = await openSession();
  });
  afterAll(() => users.sandbox.close());

  const walk = async (query: string, as: "administrator" | "developer") => {
    const ids: number[] = [];
    let pages = 0;
    let next: string | undefined = `/users?${query}`;
    while (next !== undefined) {
      const answer: Answer = await users.ask(`GET ${next}`, { as });
      expect(headers(answer).slice(0, 3)).toEqual([null, null, null]);
      ids.push(...answer.json.map((user: { id: number }) => user.id));
      next = links(answer).next;
      pages += 1;
    }
    return { ids, pages };
  };

  test("reads all users once, ascending", async () => {
    const { ids, pages } = await walk("pagination=keyset&order_by=id&sort=asc&per_page=70", "developer");
    expect(ids).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
    expect(pages).toBe(5);
  });
  test("reads descending, filtered", async () => {
    const { ids } = await walk("pagination=keyset&order_by=id&sort=desc&per_page=50&external=true", "administrator");
    expect(ids.length).toBeGreaterThan(5);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
  });
  test("sorts only by id", async () => {
    const answer = await users.ask("GET /users?pagination=keyset&order_by=name");
    expect([answer.status, Object.keys(answer.json.message)]).toEqual([400, ["order_by"]]);
  });
});
