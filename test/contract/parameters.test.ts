import { expect, test } from "vitest";
import type { FieldKind } from "../../src/api/field-options.ts";
import { endpointsOf, linesOf } from "./documents.ts";

// The client's parameters are compared with a list written from the documents alone (parameters.tsv). A place in a path
// has another name there than in the client.

const kinds: Readonly<Record<string, readonly FieldKind[]>> = {
  string: ["string", "enum"],
  integer: ["integer", "id", "code"],
  "integer or string": ["string"],
  boolean: ["boolean"],
  array: ["array"],
  date: ["date"],
  file: ["file"],
};

const documented = (linesOf("parameters.tsv") as [string, string, string, string, string][]).filter(
  ([, path, name]) => !path.includes(`:${name}`) && !path.includes(`*${name}`),
);

test.each(documented)("%s %s: %s is a parameter of type %s, required: %s", (method, path, name, type, needed) => {
  const same = endpointsOf(method, path);
  const fields = same.flatMap(({ params }) =>
    Object.entries(params).flatMap(([key, field]) => ((field.wire ?? key) === name ? [field] : [])),
  );
  expect(fields.map(({ required }) => required)).toContain(needed === "yes");
  for (const { kind } of fields) expect(kinds[type]).toContain(kind);
});
