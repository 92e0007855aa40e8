import { load } from "js-yaml";
import { expect, test } from "vitest";
import { Commented, Remark, toCommentedYaml } from "../../../src/state/yaml/yaml-comment.ts";

test("a value has its note behind it, and a remark has a line of its own", async () => {
  const content = {
    list: [new Commented(4, "acme/mobile"), 5, { user_id: new Commented(7, "Ana") }],
    name: new Commented("a: b", "text"),
    part: { first: 1, "": new Remark("not in the API documents"), second: [true, null] },
  };
  const yaml = await toCommentedYaml(content);
  expect(yaml.split("\n")).toEqual([
    "list:",
    "  - 4 # acme/mobile",
    "  - 5",
    "  - user_id: 7 # Ana",
    'name: "a: b" # text',
    "part:",
    "  first: 1",
    "  # not in the API documents",
    "  second:",
    "    - true",
    "    - null",
    "",
  ]);
});

test("what has no notes is plain YAML", async () => {
  const content = { a: ["note-1", "4 # x"], b: { c: null } };
  expect(load(await toCommentedYaml(content))).toEqual(content);
});

test("no name ends its comment, however it is written", async () => {
  const names = ["a\nforgectl: 2", "b\r\n\u0085c", "d\u2028e\u2029f", "g\u0000h"];
  const yaml = await toCommentedYaml({
    list: names.map((name) => new Commented(1, name)),
    "": new Remark(names[0] ?? ""),
  });
  expect(load(yaml)).toEqual({ list: [1, 1, 1, 1] });
  expect(yaml).toContain("# a forgectl: 2");
  expect(yaml).toContain("# b c");
  expect(yaml).not.toMatch(/[\u0085\u2028\u2029\0]/);
});

test("a note has 200 characters at most", async () => {
  const yaml = await toCommentedYaml({ id: new Commented(1, "n".repeat(300)) });
  expect(yaml).toBe(`id: 1 # ${"n".repeat(200)}\n`);
});
