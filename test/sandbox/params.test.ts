import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  anyHash,
  array,
  boolean,
  date,
  dateTime,
  fallback,
  hash,
  integer,
  nullable,
  number,
  oneOf,
  required,
  string,
} from "../../src/sandbox/server/params.ts";
import { ok } from "../../src/sandbox/server/reply.ts";
import type { Area } from "../../src/sandbox/server/router.ts";
import { openWith, type Session } from "./session.ts";

const params = {
  id: required(integer()),
  name: required(string({ min: 2, max: 5 })),
  count: integer({ min: 1, max: 9 }),
  ratio: number(),
  active: boolean(),
  sort: fallback(oneOf(["asc", "desc"]), "desc"),
  day: date(),
  since: dateTime(),
  tags: array(string(), { commas: true }),
  headers: array(hash({ key: required(string()), value: string() })),
  range: hash({ start: integer({ min: 1 }), end: integer() }),
  custom: anyHash(),
  limit: nullable(integer()),
};

const area: Area = {
  name: "echo",
  routes(router) {
    for (const method of ["POST", "DELETE", "GET"] as const) {
      router.on(`${method} /echo/:id`, { params }, (call) => ok(call.params));
    }
  },
};

let session: Session;
beforeAll(async () => {
  session = await openWith(area);
});
afterAll(() => session.sandbox.close());

const wanted = {
  id: 5,
  name: "Ada",
  count: 3,
  active: true,
  sort: "asc",
  tags: ["a", "b"],
  headers: [
    { key: "X-A", value: "1" },
    { key: "X-B", value: "2" },
  ],
  range: { start: 10, end: 20 },
};

describe("the same parameters", () => {
  const pairs =
    "name=Ada&count=3&active=True&sort=asc&tags[]=a&tags[]=b&headers[][key]=X-A&headers[][value]=1" +
    "&headers[][key]=X-B&headers[][value]=2&range[start]=10&range[end]=20";

  test("as JSON", async () => {
    expect((await session.ask("POST /echo/5", { json: wanted })).json).toEqual(wanted);
  });
  test("as a form", async () => {
    expect((await session.ask("POST /echo/5", { form: pairs })).json).toEqual(wanted);
  });
  test("in the query", async () => {
    expect((await session.ask(`POST /echo/5?${pairs}`)).json).toEqual(wanted);
  });
  test("as a multipart form", async () => {
    const form = new FormData();
    for (const [name, value] of new URLSearchParams(pairs)) form.append(name, value);
    expect((await session.ask("POST /echo/5", { body: form })).json).toEqual(wanted);
  });
  test("as JSON in the body of a DELETE", async () => {
    expect((await session.ask("DELETE /echo/5", { json: wanted })).json).toEqual(wanted);
  });
  test("from all places at once: the path overrides the body, the body the query", async () => {
    const { json } = await session.ask("POST /echo/5?name=Bo&count=2", { json: { id: 6, name: "Ada" } });
    expect(json).toEqual({ id: 5, name: "Ada", count: 2, sort: "desc" });
  });
});

describe("types", () => {
  const read = async (pair: string) => (await session.ask(`GET /echo/1?name=Ada&${pair}`)).json;

  test.each([
    ["active=true", true],
    ["active=False", false],
    ["active=1", true],
    ["active=0", false],
  ])("%s", async (pair, value) => {
    expect((await read(pair)).active).toBe(value);
  });
  test("JSON booleans and numbers", async () => {
    const { json } = await session.ask("POST /echo/1", { json: { name: 77, active: 0, ratio: 1.5, count: 4 } });
    expect(json).toMatchObject({ name: "77", active: false, ratio: 1.5, count: 4 });
  });
  test("an array as a text with commas, and with positions", async () => {
    expect((await read("tags=a, b,c")).tags).toEqual(["a", "b", "c"]);
    expect((await read("headers[0][key]=k&headers[1][key]=l")).headers).toEqual([{ key: "k" }, { key: "l" }]);
  });
  test("hashes with arbitrary names, also built-in ones", async () => {
    expect((await read("custom[a b]=1&custom[__proto__][x]=2")).custom).toEqual(
      JSON.parse('{"a b":"1","__proto__":{"x":"2"}}'),
    );
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
  test("null means not given, except where it is a value", async () => {
    const { json } = await session.ask("POST /echo/1", { json: { name: "Ada", count: null, limit: null } });
    expect(json).toEqual({ id: 1, name: "Ada", sort: "desc", limit: null });
  });
  test("characters count, not bytes or surrogates", async () => {
    expect((await session.ask("POST /echo/1", { json: { name: "🚀🚀🚀🚀🚀" } })).status).toBe(200);
  });
});

describe("the 400", () => {
  const refuse = async (body: unknown) => {
    const { status, json } = await session.ask("POST /echo/1", { json: body });
    return [status, json];
  };

  test("names a missing attribute in a sentence", async () => {
    expect(await refuse({})).toEqual([400, { message: '400 (Bad request) "name" not given' }]);
    expect(await refuse({ name: "Ada", headers: [{ value: "x" }] })).toEqual([
      400,
      { message: '400 (Bad request) "headers[key]" not given' },
    ]);
  });
  test("maps every invalid property to its errors", async () => {
    expect(await refuse({ name: "Ada Lovelace", count: 10, sort: "up", day: "2024-02-30", active: "maybe" })).toEqual([
      400,
      {
        message: {
          name: ["is too long (maximum is 5 characters)"],
          count: ["must be less than or equal to 9"],
          active: ["is invalid"],
          sort: ["does not have a valid value"],
          day: ["is invalid"],
        },
      },
    ]);
  });
  test("nests for nested properties", async () => {
    expect(await refuse({ name: "Ada", range: { start: 0, end: "x" } })).toEqual([
      400,
      { message: { range: { start: ["must be greater than or equal to 1"], end: ["is invalid"] } } },
    ]);
  });
  test("of a path parameter", async () => {
    expect((await session.ask("GET /echo/x?name=Ada")).json).toEqual({ message: { id: ["is invalid"] } });
  });
  test.each([["{"], ["[1]"], ['"text"'], ['{"name": "\u0001"']])(
    "of a body that is not a JSON object: %s",
    async (body) => {
      const { status, json } = await session.ask("POST /echo/1", {
        body,
        headers: { "content-type": "application/json" },
      });
      expect([status, json.message]).toEqual([400, expect.stringContaining("JSON")]);
    },
  );
  test("of bytes that are not UTF-8", async () => {
    const { status, json } = await session.ask("POST /echo/1", {
      body: new Uint8Array([0x7b, 0xff, 0x7d]),
      headers: { "content-type": "application/json" },
    });
    expect([status, json.message]).toEqual([400, expect.stringContaining("UTF-8")]);
  });
  test.each([
    ["without a boundary", "multipart/form-data", "x"],
    [
      "that is incomplete",
      "multipart/form-data; boundary=b",
      '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nAd',
    ],
  ])("of a multipart form %s", async (_, type, body) => {
    const { status, json } = await session.ask("POST /echo/1", { body, headers: { "content-type": type } });
    expect([status, json.message]).toEqual([400, expect.stringContaining("multipart")]);
  });
});
