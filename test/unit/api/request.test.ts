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
import { buildRequest } from "../../../src/api/request.ts";
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

  test("any name is one segment and is decoded unchanged", () => {
    const name = fc
      .string({ unit: "grapheme", minLength: 1 })
      .filter((text) => text !== "." && text !== ".." && text.isWellFormed());
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
