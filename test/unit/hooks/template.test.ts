import { expect, test } from "vitest";
import { hasTemplate, isAltered } from "../../../src/commands/hooks/template.ts";

const hook = (template: unknown) => ({ custom_webhook_template: template });

test.each([
  ["no template", null, { a: 1 }, false],
  ["an empty one", "", { a: 1 }, false],
  ["an empty record: the template that made it failed, and is gone", "", {}, true],
  ["a template without references", '{"text":"push"}', { text: "push" }, false],
  ["a reference that the record lacks", '{"text":"{{object_kind}}"}', { text: "push" }, true],
  ["a part of a text", '{"project":"{{project.name}}"}', { project: "shop" }, true],
  ["an item of a list", '{"commits":["{{commits.0}}"]}', { commits: ["a"] }, true],
  [
    "the same again",
    '{"ref":"{{ref}}","id":{{id}},"p":{"name":"{{p.name}}"}}',
    { ref: 'a"b', id: 7, p: { name: "x" } },
    false,
  ],
  ["a value with something around it, twice", '{"ref":"branch {{ref}}"}', { ref: "branch main" }, true],
  ["a whole payload, recorded before there was a template", '{"kind":"{{kind}}"}', { kind: "note", user: {} }, true],
  ["a template that makes no JSON", "{{ref}}", { ref: "main" }, true],
  ["a record that is a list", "[1]", [1], false],
  ["no record", '{"kind":"{{kind}}"}', undefined, true],
  ["a record that is null", '{"kind":"{{kind}}"}', null, true],
])("%s", (_, template, record, altered) => {
  expect(isAltered(hook(template), record)).toBe(altered);
});

test("a large value that is in a template many times costs no memory", () => {
  const record = { all: "x".repeat(4_000_000) };
  expect(isAltered(hook(`["${"{{all}}".repeat(5000)}"]`), record)).toBe(true);
});

test("a hook has a template of its own if that has values of the event", () => {
  const templates = [undefined, null, "", '{"text":"push"}', '{"text":"{{ref}}"}'];
  expect(templates.map((template) => hasTemplate(hook(template)))).toEqual([false, false, false, false, true]);
});
