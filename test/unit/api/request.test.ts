import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endpoint } from "../../../src/api/endpoint.ts";
import {
  array,
  boolean,
  entity,
  file,
  id,
  integer,
  json,
  map,
  object,
  required,
  string,
} from "../../../src/api/field.ts";
import { buildRequest, flattenPairs } from "../../../src/api/request.ts";
import { UsageError } from "../../../src/base/errors.ts";

const Thing = entity("Thing", { id: id() });

const read = endpoint({
  route: "GET /projects/:project/things/:name/*path",
  summary: "Read a thing",
  params: {
    project: string(),
    name: string(),
    path: string(),
    deep: boolean(),
    first: integer("", { wire: "range[start]" }),
    attributes: map(),
    kinds: array(string()),
  },
  returns: Thing,
  access: {},
});

const write = endpoint({
  route: "PUT /projects/:project/things/:name",
  summary: "Write a thing",
  params: {
    project: string(),
    name: string(),
    size: integer(),
    parts: array(object({ id: id() })),
    open: json("", { entries: true }),
  },
  returns: Thing,
  access: {},
});

describe("placement", () => {
  test("names in the route go to the path, the rest of a GET to the query", () => {
    const { path, body } = buildRequest(read, {
      project: "acme/storefront",
      name: "v1.0+x",
      path: "a b/ü/c",
      deep: true,
      first: 3,
      attributes: { team: "a&b" },
      kinds: ["x", "y"],
    });
    expect(path).toBe(
      "/projects/acme%2Fstorefront/things/v1.0%2Bx/a%20b/%C3%BC/c" +
        "?deep=true&range%5Bstart%5D=3&attributes%5Bteam%5D=a%26b&kinds%5B%5D=x&kinds%5B%5D=y",
    );
    expect(body).toBeUndefined();
  });

  test("the rest of a PUT goes to a JSON body, an open field by its entries", () => {
    const { path, body } = buildRequest(write, {
      project: "7",
      name: "a",
      size: 0,
      parts: [{ id: 1 }],
      open: { dry: 1 },
    });
    expect(path).toBe("/projects/7/things/a");
    expect(body).toEqual({ kind: "json", value: { size: 0, parts: [{ id: 1 }], dry: 1 } });
  });

  test("no input means no body, and unknown fields are not sent", () => {
    expect(buildRequest(write, { project: "7", name: "a", page: 2 }).body).toBeUndefined();
  });

  test("a form and a multipart encode nested values as a[b] and a[]", () => {
    const form = endpoint({
      route: "PATCH /x",
      summary: "X",
      params: { uid: string(), deep: object({ a: string() }) },
      encoding: "form",
      returns: "nothing",
      access: {},
    });
    expect(buildRequest(form, { uid: "a=b", deep: { a: "1" } }).body).toEqual({
      kind: "form",
      pairs: [
        ["uid", "a=b"],
        ["deep[a]", "1"],
      ],
    });
    const upload = endpoint({
      route: "POST /x",
      summary: "X",
      params: { name: string(), file: required(file()) },
      encoding: "multipart",
      returns: "nothing",
      access: {},
    });
    const source = { name: "x.bin", size: 1, stream: async function* () {} };
    expect(buildRequest(upload, { name: "n", file: source }).body).toEqual({
      kind: "multipart",
      pairs: [["name", "n"]],
      file: { name: "file", source },
    });
  });
});

describe("segments", () => {
  test.each(["", ".", ".."])("%j is not allowed", (name) => {
    expect(() => buildRequest(write, { project: "7", name })).toThrow(UsageError);
  });

  test(".. in a path of several segments is refused", () => {
    expect(() => buildRequest(read, { project: "7", name: "a", path: "a/../b" })).toThrow(UsageError);
  });

  test.each(["x/../../../../projects/5", "a/./b", "../x", "x/..", "a\\..\\b", "x/%2e%2E/y", "..\\/x"])(
    "%j is another object for a proxy that decodes slashes, and is refused",
    (name) => expect(() => buildRequest(write, { project: "7", name })).toThrow(UsageError),
  );

  test.each(["feature/a..b", "review/.hidden", "...", "a/.../b", "x/..y", "v1..v2"])("%j is a name", (name) => {
    expect(buildRequest(write, { project: "7", name }).path).toBe(`/projects/7/things/${encodeURIComponent(name)}`);
  });

  test("a name that is sent leads nowhere else, also for a proxy that decodes it", () => {
    const part = fc.constantFrom(".", "..", "%2e", "%2E.", "/", "\\", "a", "%", "?", "#", ";");
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 9 }), (parts) => {
        const name = parts.join("");
        try {
          const { path } = buildRequest(write, { project: "7", name });
          const decoded = decodeURIComponent(path).replace(/[?#]/g, encodeURIComponent);
          expect(new URL(`http://x${decoded}`).pathname).toMatch(/^\/projects\/7\/things\//);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("any name is one segment and is decoded unchanged", () => {
    const name = fc
      .string({ unit: "grapheme", minLength: 1 })
      .filter((text) => !/(?:^|[/\\])(?:\.|%2e){1,2}(?:$|[/\\])/i.test(text) && text.isWellFormed());
    fc.assert(
      fc.property(name, (text) => {
        const { path } = buildRequest(write, { project: "7", name: text });
        const segments = new URL(`http://x${path}`).pathname.split("/");
        expect(segments).toHaveLength(5);
        expect(decodeURIComponent(segments[4] ?? "")).toBe(text);
      }),
    );
  });
});

describe("a DELETE", () => {
  const remove = endpoint({
    route: "DELETE /projects/:project/tags",
    summary: "Delete tags",
    params: { project: string(), name_regex: string("", { wire: "regex" }), keep: integer(), labels: array(string()) },
    returns: "nothing",
    access: {},
  });
  const query = (length: number) => ({ project: "7", name_regex: "a".repeat(length - "?regex=".length) });

  test("has a query of up to 4,000 characters", () => {
    const { path, body } = buildRequest(remove, query(4000));
    expect([path.length - "/projects/7/tags".length, body]).toEqual([4000, undefined]);
  });

  test("has a longer one in its body, under the names in requests", () => {
    const input = { ...query(4001), keep: 0, labels: ["a"] };
    const { path, body } = buildRequest(remove, input);
    expect(path).toBe("/projects/7/tags");
    expect(body).toEqual({ kind: "json", value: { regex: input.name_regex, keep: 0, labels: ["a"] } });
  });

  test.each([
    ["that asks a registry", { base: "registry" }],
    ["that reads", { method: "GET" }],
    ["for headers", { method: "HEAD" }],
  ] as const)("not one %s", (_, more) => {
    const { path, body } = buildRequest({ ...remove, ...more }, query(4001));
    expect([path.length - "/projects/7/tags".length, body]).toEqual([4001, undefined]);
  });
});

test("a change with two directions is named by the one that is taken", () => {
  const both = { ...write, directions: { by: "open", on: "Open it", off: "Close it" } };
  const summary = (open: unknown) => buildRequest(both, { project: "7", name: "a", open }).summary;
  expect([summary(true), summary(false), summary(undefined)]).toEqual(["Open it", "Close it", "Close it"]);
  expect(buildRequest(write, { project: "7", name: "a" }).summary).toBe("Write a thing");
});

test("a list whose name is repeated has no brackets", () => {
  const repeated = { ...read, path: "/x", params: { scope: array(string(), "", { repeats: true }) } };
  expect(buildRequest(repeated, { scope: ["a b", "c"] }).path).toBe("/x?scope=a%20b&scope=c");
});

test("values in the platform's notation of pairs", () => {
  expect(flattenPairs({ a: 1, b: [true, "x"], c: { d: null, e: [2] }, f: null })).toEqual([
    ["a", "1"],
    ["b[]", "true"],
    ["b[]", "x"],
    ["c[d]", "null"],
    ["c[e][]", "2"],
    ["f", "null"],
  ]);
});

describe("a mistake names the argument as it is typed", () => {
  const place = { ...write, path: "/:project/:thing_name/*path" };
  const params = {
    project: string("", { scope: "project" }),
    thing_name: string(),
    path: string("", { placeholder: "file" }),
  };
  const good = { project: "7", thing_name: "a", path: "b/c" };
  test.each<[object, string]>([
    [{ project: undefined }, "--project: is empty"],
    [{ project: ".." }, '--project: ".." cannot be part'],
    [{ thing_name: null }, "<thing-name>: is empty"],
    [{ thing_name: "\ud800" }, "<thing-name>: "],
    [{ path: "a//b" }, '<file>: "a//b" has an empty segment'],
    [{ path: undefined }, "<file>: is empty"],
    [{ path: "a/../b" }, '<file>: ".." cannot be part'],
  ])("%j: %s", (more, problem) => {
    expect(() => buildRequest({ ...place, params }, { ...good, ...more })).toThrow(problem);
    expect(buildRequest({ ...place, params }, good).path).toBe("/7/a/b/c");
  });
});
