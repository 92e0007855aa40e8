import { expect, expectTypeOf, test } from "vitest";
import * as field from "../../../src/api/field.ts";
import {
  array,
  entity,
  id,
  integer,
  json,
  map,
  nullable,
  object,
  type Row,
  required,
  string,
} from "../../../src/api/field.ts";
import { rowProblem, shapeProblem } from "../../../src/api/shape.ts";

const { shape } = entity("Rule", {
  id: id(),
  name: string(),
  note: nullable(string()),
  headers: map(),
  extra: json(),
  owner: object({ id: id(), tags: array(string()) }),
  steps: array(object({ id: id(), level: integer() })),
});

const whole = { id: 1, name: "a", headers: {}, owner: { id: 2, tags: ["x"] }, steps: [{ id: 3, level: 40 }] };

test.each([
  [{}],
  [{ name: null, note: null, owner: null, steps: null }],
  [{ unknown: [1], extra: { any: ["thing"] } }],
  [{ name: 7, id: "7" }],
  [{ headers: [] }],
])("%j is tolerated", (more) => expect(shapeProblem(shape, { ...whole, ...more })).toBeUndefined());

test.each([
  [{ id: { text: [] } }, "id is not a single value"],
  [{ name: ["a"] }, "name is not a single value"],
  [{ headers: "a" }, "headers is not an object"],
  [{ owner: [1] }, "owner is not an object"],
  [{ owner: { tags: "x" } }, "owner.tags is not a list"],
  [{ owner: { tags: [["x"]] } }, "owner.tags.0 is not a single value"],
  [{ steps: {} }, "steps is not a list"],
  [{ steps: [{ id: 3 }, null] }, "steps.1 is null"],
  [{ steps: [7] }, "steps.0 is not an object"],
])("%j: %s", (more, problem) => expect(shapeProblem(shape, { ...whole, ...more })).toBe(problem));

const needed = entity("Needed", {
  id: required(id()),
  name: required(string()),
  rules: required(array(object({ key: required(string()) }))),
  owner: object({ id: required(id()) }),
}).shape;

const problemIn = (row: object) => rowProblem(needed, { ...row });
const there = { id: 1, name: "a", rules: [{ key: "k" }], owner: { id: 2 } };

test.each([
  [{}],
  [{ name: "" }],
  [{ id: 0 }],
  [{ id: "12" }],
  [{ rules: [] }],
  [{ owner: null }],
  [{ owner: undefined }],
])("required fields are there: %j", (more) => expect(problemIn({ ...there, ...more })).toBeUndefined());

test.each([
  [{ id: undefined }, "id is missing"],
  [{ id: null }, "id is null"],
  [{ id: "one" }, "id is not a number"],
  [{ id: [1] }, "id is not a number"],
  [{ id: 1.5 }, "id is not an ID"],
  [JSON.parse('{ "id": 9007199254740993 }'), "id is not an ID"],
  [{ name: 7 }, "name is not a text"],
  [{ rules: null }, "rules is null"],
  [{ rules: "k" }, "rules is a single value"],
  [{ rules: {} }, "rules is not a list"],
  [{ rules: [{}] }, "rules.0.key is missing"],
  [{ owner: { id: null } }, "owner.id is null"],
])("required, and %j: %s", (more, problem) => expect(problemIn({ ...there, ...more })).toBe(problem));

test.each([id, integer, field.number, field.bytes, field.seconds, () => field.code({ a: 1 })])(
  "a required number of each kind: %#",
  (kind) => {
    const { shape } = entity("One", { of: required<unknown>(kind() as field.Field) });
    expect(rowProblem(shape, { of: 1 })).toBeUndefined();
    expect(rowProblem(shape, { of: "1" })).toBeUndefined();
    expect(rowProblem(shape, { of: "one" })).toBe("of is not a number");
  },
);

test("an ID that is not required is none either if it is rounded, at any depth", () => {
  const { shape } = entity("One", { of: id(), rules: field.array(object({ id: id(), level: integer() })) });
  const large = JSON.parse('{ "of": 9007199254740993 }');
  expect(rowProblem(shape, large)).toBe("of is not an ID");
  expect(rowProblem(shape, { rules: [{ id: large.of }] })).toBe("rules.0.id is not an ID");
  expect(rowProblem(shape, { of: null, rules: [{ id: 7, level: 1e300 }], other: large.of })).toBeUndefined();
});

test("a required object is an object", () => {
  const { shape } = entity("One", { of: required(object({ id: id() })) });
  expect(rowProblem(shape, { of: {} })).toBeUndefined();
  expect(rowProblem(shape, { of: 7 })).toBe("of is a single value");
  expect(rowProblem(shape, { of: [7] })).toBe("of is not an object");
});

test("a row can be null or missing in every field that is not required", () => {
  type Typed = Row<typeof needed>;
  expectTypeOf<Typed["id"]>().toEqualTypeOf<number>();
  expectTypeOf<Typed["rules"]>().toEqualTypeOf<{ key: string }[]>();
  expectTypeOf<Typed["owner"]>().toEqualTypeOf<{ id: number } | null | undefined>();
});
