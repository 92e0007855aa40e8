import { EVENT_ID, type Event, parseEvents } from "js-yaml";
import { describe, expect, test } from "vitest";
import { PackedEvents } from "../../../src/state/packed-events.ts";
import type { Tree } from "../../../src/state/tree.ts";
import { compose } from "../../../src/state/yaml.ts";

const text = `--- # every kind of node
plain: &a value
quoted: ['it''s', "tab\\t", *a]
? explicit
: !!str tagged
block: |2-
    indented
folded: >+
  one
  two

flow: { a: 1, b: , [pair: 2] : x }
props: &b
  inner: *a
list:
- - 1
  - ~
-
`;

function plain(tree: Tree): unknown {
  if (tree.kind === "scalar") return [tree.line, tree.value];
  if (tree.kind === "sequence") return [tree.line, tree.items.map(plain)];
  return [
    tree.line,
    Object.fromEntries([...tree.entries].map(([key, { line, value }]) => [key, [line, plain(value)]])),
  ];
}

describe("packed events", () => {
  const events = parseEvents(text, {});
  const packed = () => {
    const made = new PackedEvents();
    for (const event of events) made.push(event);
    return made;
  };
  const all = (made: PackedEvents) => Array.from({ length: made.length }, (_, index) => made.at(index));
  /** Document directives are not stored. */
  const known = (list: readonly (Event | undefined)[]) =>
    list.map((event) => (event?.type === EVENT_ID.DOCUMENT ? EVENT_ID.DOCUMENT : event));

  test("are read as they were written, and nothing follows the last", () => {
    expect(known(all(packed()))).toEqual(known(events));
    expect(packed().at(events.length)).toBeUndefined();
  });

  test("one is inserted before others, also across the end of an array of them", () => {
    const made = new PackedEvents();
    const expected: Event[] = [];
    const scalar = events.find(({ type }) => type === EVENT_ID.SCALAR) as Extract<Event, { type: 4 }>;
    for (let at = 0; at < 8195; at++) {
      made.push({ ...scalar, valueStart: at });
      expected.push({ ...scalar, valueStart: at });
    }
    const mapping = events.find(({ type }) => type === EVENT_ID.MAPPING) as Event;
    for (const list of [made, expected]) list.splice(8189, 0, mapping);
    expect(all(made)).toEqual(expected);
  });

  test("the last are dropped and replaced", () => {
    const made = packed();
    made.length = 3;
    made.push({ type: EVENT_ID.POP });
    expect(known(all(made))).toEqual(known([...events.slice(0, 3), { type: EVENT_ID.POP }]));
  });
});

describe("a document as a tree", () => {
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
    ["a:\n- !!int 1\n", 2, "has the tag !!int, which is not allowed"],
  ])("%j is refused in line %i", (refused, line, message) => {
    expect(() => compose(refused)).toThrow(expect.objectContaining({ line, message }));
  });
});
