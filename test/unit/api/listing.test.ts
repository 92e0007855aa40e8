import { describe, expect, test } from "vitest";
import { endpoint } from "../../../src/api/endpoint.ts";
import { entity, id, required } from "../../../src/api/field.ts";
import { linkedPath, ownPath, pagesOf } from "../../../src/api/listing.ts";
import { walk } from "../../../src/api/pages.ts";
import type { ReceivedPage } from "../../../src/api/prefetch.ts";
import type { BuiltRequest } from "../../../src/api/request.ts";
import { Failure } from "../../../src/base/errors.ts";

const Thing = entity("Thing", { id: required(id()) });
const base = "https://forge.example/base";
const api = `${base}/api/v4`;
const tooFar = new Failure("refused", "no", { status: 405 });

const things = endpoint({
  route: "GET /things",
  summary: "List",
  params: {},
  returns: Thing,
  page: "offset",
  access: {},
});
const built: BuiltRequest = { method: "GET", base: "api", path: "/things", headers: { a: "b" }, body: undefined };

interface Trial {
  cursor?: "id" | "name";
  input?: object;
  path?: string;
}

/** A list whose numbered pages, each of two, end at 405; `rest` is what it answers by cursor, two pages of it. */
function listOf(numbered: unknown[], rest: unknown[], { cursor = "id", input = {}, path = "/things" }: Trial = {}) {
  const asked: string[] = [];
  const page = (rows: unknown[], next: ReceivedPage<never>["next"]): ReceivedPage<never> => ({
    next,
    total: undefined,
    totalPages: undefined,
    bytes: 1,
    empty: false,
    open: () => rows.map((row) => ({ id: row })) as never[],
  });
  const ask = async (request: BuiltRequest) => {
    asked.push(request.path);
    expect(request.headers).toEqual({ a: "b" });
    const query = new URL(request.path, api).searchParams;
    if (query.has("cursor")) return page(rest.slice(2), "end");
    if (query.get("pagination") === "keyset")
      return page(rest.slice(0, 2), rest.length > 2 ? { url: `${api}/things?cursor=a` } : "end");
    const number = Number(query.get("page") ?? 1);
    if (number * 2 > numbered.length) throw tooFar;
    return page(numbered.slice(2 * number - 2, 2 * number), { page: number + 1 });
  };
  const source = pagesOf(
    { endpoint: { ...things, cursor }, input, built: { ...built, path }, perPage: 2 },
    ask,
    () => base,
  );
  const read = async () => {
    const rows: unknown[] = [];
    for await (const row of walk(source, { limit: undefined, perPage: 2 }, 1)) rows.push((row as { id: unknown }).id);
    return rows;
  };
  return { read, asked, source };
}

describe("where page numbers end, the list continues by cursor", () => {
  test.each<[string, unknown[], unknown[], Trial, string]>([
    ["behind the last, if IDs fall", [9, 8, 7, 6], [5, 4, 3], {}, "order_by=id&sort=desc&id_before=6"],
    ["behind the last, if they rise", [1, 2, 3, 4], [5, 6, 7], {}, "order_by=id&sort=asc&id_after=4"],
    ["from the start, in another order", [1, 3, 2, 4], [5, 4, 6], {}, "order_by=id&sort=desc"],
    ["from the start, if all IDs are the same", [1, 1], [2], {}, "order_by=id&sort=desc"],
    ["from the start, without numbers", ["a", "b"], ["c"], {}, "order_by=id&sort=desc"],
    ["from the start, with one that is none", [1, "b", 3, 4], [5], {}, "order_by=id&sort=desc"],
    ["by name, from the start", [1, 2], [2, 3], { cursor: "name" }, "order_by=name&sort=asc"],
    [
      "in the order that was asked for",
      [9, 8],
      [7],
      { input: { order_by: "id" } },
      "order_by=id&sort=desc&id_before=8",
    ],
  ])("%s, and no row comes twice", async (_, numbered, rest, trial, query) => {
    const { read, asked } = listOf(numbered, rest, trial);
    expect(await read()).toEqual([...numbered, ...rest.filter((row) => !numbered.includes(row))]);
    const byCursor = asked.filter((path) => path.includes("keyset"));
    expect(byCursor).toEqual([`/things?pagination=keyset&${query}&per_page=2`]);
  });

  test("without the rows that were shown, and with all others", async () => {
    const { read, asked } = listOf([9, 7, 8, 6], [9, 5, 8, 4]);
    expect(await read()).toEqual([9, 7, 8, 6, 5, 4]);
    expect(asked.slice(-2)).toEqual(["/things?pagination=keyset&order_by=id&sort=desc&per_page=2", "/things?cursor=a"]);
  });

  test("with the rest of its query, whose order is replaced", async () => {
    const { read, asked } = listOf([9, 8], [7], { path: "/things?search=a%20b&sort=asc" });
    await read();
    expect(asked[0]).toBe("/things?search=a%20b&sort=asc&per_page=2");
    expect(asked[1]).toBe("/things?search=a%20b&sort=asc&per_page=2&page=2");
    expect(asked[2]).toBe("/things?search=a+b&sort=desc&pagination=keyset&order_by=id&id_before=8&per_page=2");
  });

  test.each<[string, Trial & { cursor?: never }]>([
    ["another order was asked for", { input: { order_by: "name" } }],
    ["it is by cursor already", { input: { pagination: "keyset" } }],
  ])("not if %s", async (_, trial) => await expect(listOf([9, 8], [7], trial).read()).rejects.toBe(tooFar));

  test("not if the list cannot be read by cursor", () => {
    const source = pagesOf(
      { endpoint: things, input: {}, built, perPage: 2 },
      () => expect.unreachable(),
      () => base,
    );
    expect(source.after).toBeUndefined();
  });

  test.each([
    [100_000, true],
    [100_001, false],
  ])("of %i rows, which are all remembered: %s", async (count, known) => {
    const open = () => Array.from({ length: count }, (_, index) => ({ id: index })) as never[];
    const page = { next: "end", total: undefined, totalPages: undefined, bytes: 1, empty: false, open } as const;
    const byCursor = { ...things, cursor: "id" } as const;
    const source = pagesOf(
      { endpoint: byCursor, input: {}, built, perPage: 2 },
      async () => page,
      () => base,
    );
    (await source.byNumber(1)).open();
    expect(source.after?.() !== undefined).toBe(known);
  });
});

describe("an address of the instance", () => {
  test.each([
    [`${api}/user?page=2`, "/user?page=2"],
    ["https://FORGE.example:443/base/api/v4/user", "/user"],
    ["/base/api/v4/user", "/user"],
    ["user", "/user"],
    [`${api}/a/../user`, "/user"],
  ])("%s is %s", (url, path) => expect([ownPath(url, base), linkedPath(url, base)]).toEqual([path, path]));

  test.each([
    "https://other.example/base/api/v4/user",
    "https://forge.example/api/v4/user",
    `${base}/api/v42/user`,
    api,
    `${api}/../../admin`,
    "http://[",
  ])("%s is none: typed, it is a usage error, in an answer the instance's fault", (url) => {
    expect(() => ownPath(url, base)).toThrow(expect.objectContaining({ exit: "usage" }));
    expect(() => linkedPath(url, base)).toThrow(
      expect.objectContaining({ exit: "refused", code: "unexpected_answer" }),
    );
  });
});
