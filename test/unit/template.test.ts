import { expect, test } from "vitest";
import { filledLine, namesIn } from "../../src/base/template.ts";

const known = (values: Record<string, unknown>) => (name: string) => values[name];

test.each<[template: string, values: Record<string, unknown>, line: string | undefined]>([
  ["a delete {id} -p {project}", { id: 7, project: "acme/docs" }, "a delete 7 -p acme/docs"],
  ["a delete {id} -p {project}", { id: 7 }, undefined],
  ["a delete {id} -p {project}", { id: null, project: "x" }, undefined],
  ["a delete {id...}", { id: [1, 2] }, "a delete 1 2"],
  ["a delete {id...}", { id: [1, undefined] }, undefined],
  ["a delete {id...}", { id: [] }, undefined],
  ["a delete {id...}", { id: ["v1", "--yes"] }, undefined],
  ["a delete {id}", { id: [1] }, "a delete 1"],
  ["a delete {id}", { id: [1, 2] }, undefined],
  ["a set {on|on|off}", { on: false }, "a set off"],
  ["a set {on|on|off}", { on: true }, "a set on"],
  ["a set {on|on|off}", { on: "yes" }, undefined],
  ["a set --x {x}", { x: false }, "a set --x false"],
  ["a [--x {x}] [--y={y}] b", { y: "two words" }, "a '--y=two words' b"],
  ["a -m 'Delete {path}'", { path: "it's" }, `a -m "$(printf 'Delete it\\047s')"`],
  // What begins like a flag would be read as one; after an equals sign it is a value.
  ["a {uid}", { uid: "-x" }, undefined],
  ["a --uid={uid}", { uid: "-x" }, "a --uid=-x"],
])("%s with %j is %s", (template, values, line) => {
  expect(filledLine(template, known(values))).toBe(line);
});

test("the names in a template, in any syntax", () => {
  expect(namesIn("a {b} [--c {d.e}] {f...} {g.h|on|off}")).toEqual(["b", "d.e", "f", "g.h"]);
});
