import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Endpoint } from "../../src/api/endpoint.ts";
import type { FieldKind } from "../../src/api/field-options.ts";

// The client's parameters are compared with a list written from the documents alone (parameters.tsv). A place in a path
// has another name there than in the client.

const here = (path: string) => new URL(path, import.meta.url);
const modules = await Promise.all(
  readdirSync(here("../../src/api/endpoints/")).map((file) => import(here(`../../src/api/endpoints/${file}`).pathname)),
);
const endpoints = modules
  .flatMap((module) => Object.values(module as Record<string, unknown>))
  .filter((value): value is Endpoint => typeof value === "object" && value !== null && "route" in value);

const placeless = (method: string, path: string) => `${method} ${path.replace(/[:*][a-z_]+/g, ":")}`;

const kinds: Readonly<Record<string, readonly FieldKind[]>> = {
  string: ["string", "enum"],
  integer: ["integer", "id", "code"],
  "integer or string": ["string"],
  boolean: ["boolean"],
  array: ["array"],
  date: ["date"],
  file: ["file"],
};

const documented = readFileSync(here("parameters.tsv"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split("\t") as [string, string, string, string, string])
  .filter(([, path, name]) => !path.includes(`:${name}`) && !path.includes(`*${name}`));

test.each(documented)("%s %s: %s is a parameter of type %s, required: %s", (method, path, name, type, needed) => {
  const same = endpoints.filter((each) => placeless(each.method, each.path) === placeless(method, path));
  const fields = same.flatMap(({ params }) =>
    Object.entries(params).flatMap(([key, field]) => ((field.wire ?? key) === name ? [field] : [])),
  );
  expect(fields.map(({ required }) => required)).toContain(needed === "yes");
  for (const { kind } of fields) expect(kinds[type]).toContain(kind);
});
