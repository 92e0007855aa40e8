import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import type { Mapping, Tree } from "../../../src/state/yaml/tree.ts";
import { compose } from "../../../src/state/yaml/yaml.ts";

function plain(tree: Tree): unknown {
  if (tree.kind === "scalar") return [tree.line, tree.value];
  if (tree.kind === "sequence") return [tree.line, tree.items.map(plain)];
  return [
    tree.line,
    Object.fromEntries([...tree.entries].map(([key, { line, value }]) => [key, [line, plain(value)]])),
  ];
}

/** Without lines. */
function valueOf(tree: Tree): unknown {
  if (tree.kind === "scalar") return tree.value;
  if (tree.kind === "sequence") return tree.items.map(valueOf);
  return Object.fromEntries([...tree.entries].map(([key, { value }]) => [key, valueOf(value)]));
}

describe("a document as a tree", () => {
  test("every kind of node has the value that js-yaml itself would return", () => {
    const text = `--- # every kind of node
plain: &a value
quoted: ['it''s', "tab\\t", *a]
? explicit
: text
block: |2-
    indented
folded: >+
  one
  two

flow: { a: 1, b: , "c":[pair: 2] }
props: &b
  inner: *a
list:
- - 1
  - ~
-
same: *b
`;
    expect(valueOf(compose(text))).toEqual(load(text));
  });

  test("a key is the text that was written, not the number that it could be", () => {
    const text = `{ 2024.10: a, 1e3: b, 007: c, 9007199254740993: d, 0x1F: e, "2.0": f, 2.00: g, true: h, ~: i }`;
    const keys = ["2024.10", "1e3", "007", "9007199254740993", "0x1F", "2.0", "2.00", "true", "null"];
    expect([...(compose(text) as Mapping).entries.keys()]).toEqual(keys);
    expect([...(compose("{ True: a, FALSE: b, Null: c, &v 2.10: d }") as Mapping).entries.keys()]).toEqual([
      "True",
      "FALSE",
      "null",
      "2.10",
    ]);
    const { entries } = compose("{ first: &v 2024.10, second: { *v : a, &w 1e3: b }, third: { *w : c } }") as Mapping;
    const [, second, third] = [...entries.values()].map(({ value }) => value as Mapping);
    expect([...(second?.entries.keys() ?? [])]).toEqual(["2024.10", "1e3"]);
    expect([...(third?.entries.keys() ?? [])]).toEqual(["1e3"]);
    expect(() => compose("1.0: a\n1.0: b\n")).toThrow('has the key "1.0" twice, first on line 1');
  });

  test("every value has its first line; an omitted one has the line of its key or of the value before it", () => {
    expect(plain(compose("a: 1\nb:\nc:\n  - x\n  -\n  - { d: , e: 2 }\n"))).toEqual([
      1,
      {
        a: [1, [1, 1]],
        b: [2, [2, null]],
        c: [
          3,
          [
            4,
            [
              [4, "x"],
              [4, null],
              [6, { d: [6, [6, null]], e: [6, [6, 2]] }],
            ],
          ],
        ],
      },
    ]);
  });

  test("an alias is the latest anchor of its name above it, with the lines of that", () => {
    expect(plain(compose("a: &x [1]\nb: &x 2\nc: *x\nd: &y { e: *x }\nf: *y\n"))).toMatchObject([
      1,
      { c: [3, [2, 2]], f: [5, [4, { e: [4, [2, 2]] }]] },
    ]);
  });

  test("what JSON cannot contain is a text", () => {
    expect(plain(compose("[.inf, -.inf, .nan, 1e999, 1.5]"))).toEqual([
      1,
      [".inf", "-.inf", ".nan", "1e999", 1.5].map((value) => [1, value]),
    ]);
  });

  test.each([
    ["a: 1\nb: *x\nx: &x 1\n", 2, "has an alias whose anchor is not above it"],
    ["a: &a [1, *a]\n", 1, "has an alias whose anchor is not above it"],
    ["a:\n  b: 1\n  b: 2\n", 3, 'has the key "b" twice, first on line 2'],
    ["a: { 1: x, '1': y }\n", 1, 'has the key "1" twice, first on line 1'],
    ["a:\n- [1]: x\n", 2, "has a key that is not a string"],
    ["a:\n  __proto__: 1\n", 2, 'has the key "__proto__", which is not allowed'],
    ["a: &a { b: 1 }\nc:\n  <<: *a\n", 3, 'has the key "<<", which is not allowed'],
    ["a:\n- !!int 1\n", 2, "has the tag !!int, which is not allowed"],
  ])("%j is refused in line %i", (refused, line, message) => {
    expect(() => compose(refused)).toThrow(expect.objectContaining({ line, message }));
  });
});

describe("a comment in JSON", () => {
  const message = "has a comment, and JSON has none";
  test.each([
    ['// x\n{ "forgectl": 1 }\n', 1],
    ['/* x */\n{ "forgectl": 1 }\n', 1],
    ['{ "forgectl": 1, // x\n  "settings": {} }\n', 1],
    ['{ "forgectl": 1,\n  // x\n  "settings": {} }\n', 2],
    ['{ "forgectl": 1,\n  "settings": { /* x */ "signup_enabled": true } }\n', 2],
    ['{ "forgectl": 1,\n  "a": true // x\n}\n', 2],
    ['{ "forgectl": 1,\n  "a": "b" // x\n}\n', 2],
    ['{ "forgectl": 1 }\n// x\n', 2],
  ])("%j is named in line %i", (text, line) => {
    expect(() => compose(text)).toThrow(expect.objectContaining({ line, message }));
  });

  test.each([
    '{ "a": "x // y", "b": "https://x.example/" }\n',
    "{ a: https://x.example/, b: x // y } # z\n",
    "a: // x\n",
  ])("%j has none", (text) => {
    expect(compose(text).kind).toBe("mapping");
  });
});

test.each([
  ["!!str", "leave it out; a value in quotes is a text"],
  ["!vault", "a secret is written { env: NAME } or { file: path }"],
])("the tag %s is refused with a hint", (tag, hint) => {
  expect(() => compose(`a: ${tag} x\n`)).toThrow(expect.objectContaining({ hint }));
});

// The parser would take gigabytes of memory for them.
test.each(["-\n", "-\t-\r", "? a\n", "a:\n", '{"a":1,"b":[]}\n', "---\n", "a\n...\n"])(
  "two million of %j are refused before they are parsed",
  (unit) => {
    const message = "may contain more than 2,000,000 values";
    expect(() => compose(unit.repeat(2_000_001))).toThrow(expect.objectContaining({ line: 1, message }));
  },
);

test("a few aliases that expand to millions of values are refused", () => {
  const lines = Array.from({ length: 8 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(9)}]\n`);
  const message = "has more than 2,000,000 values";
  expect(() => compose(`a0: &a0 x\n${lines.join("")}`)).toThrow(expect.objectContaining({ line: 8, message }));
});
