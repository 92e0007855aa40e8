import { expect, test } from "vitest";
import { array, entity, id, integer, json, map, nullable, object, string } from "../../../src/api/field.ts";
import { shapeProblem } from "../../../src/api/shape.ts";

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
