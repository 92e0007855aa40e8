import { describe, expect, test } from "vitest";
import type { Declared, Values } from "../../../src/state/kind.ts";
import { findKind } from "../../../src/state/kinds/index.ts";
import { match, unreadKey } from "../../../src/state/live/match.ts";

const origin = { file: "f", line: 1 };
const kindOf = (name: string) => findKind(name) ?? expect.unreachable();
const reference = { reference: "env", name: "NAME", origin, folder: undefined };

/** For each entry the number of the live object that it means, or of those that it may mean; and what is left. */
function matched(kind: string, declared: readonly Values[], live: readonly Values[]) {
  const all = live.map((values) => ({ values }));
  const entries = declared.map((values): Declared => ({ values, origin }));
  const { pairs, left } = match({ kind: kindOf(kind), scope: { at: "group", name: "acme" }, entries }, all);
  expect(pairs.map(({ entry }) => entry)).toEqual(entries);
  const found = pairs.map(({ held, among }) => (held ? all.indexOf(held) : among.map((each) => all.indexOf(each))));
  return [found, left.map((each) => all.indexOf(each))];
}

const hook = (name: string | undefined, url: string, id?: number) => ({
  ...(name !== undefined && { name }),
  url: `https://${url}.example`,
  ...(id !== undefined && { id }),
});

describe("a record is the one that there is", () => {
  test.each([
    [[{ active: true }], [{ active: false }], [[0], []]],
    [[{ active: true }], [], [[[]], []]],
  ])("%j with %j", (declared, live, found) => {
    expect(matched("error_tracking", declared, live)).toEqual(found);
  });
});

describe("a hook is matched by its ID, then by its name, then by a URL that is unique on both sides", () => {
  test.each<[string, Values[], Values[], unknown[]]>([
    ["by its name", [hook("A", "x")], [hook("B", "x", 1), hook("A", "y", 2)], [[1], [0]]],
    ["by its URL, if it has no name", [hook(undefined, "x")], [hook(undefined, "x", 1)], [[0], []]],
    [
      "the one that is on, of two",
      [hook("A", "x")],
      [hook("A", "x", 1), { ...hook("A", "x", 2), push_events: true }],
      [[1], [0]],
    ],
    [
      "its own address before another that is on",
      [hook("A", "y")],
      [{ ...hook("A", "x", 1), push_events: true }, hook("A", "y", 2)],
      [[1], [0]],
    ],
    [
      "none of two, if neither has its address",
      [hook("A", "z")],
      [{ ...hook("A", "x", 1), push_events: true }, hook("A", "y", 2)],
      [[[0, 1]], []],
    ],
    ["renamed", [hook("New", "x")], [hook("Old", "x", 1)], [[0], []]],
    ["none", [hook("A", "x")], [hook("B", "y", 1)], [[[]], [0]]],
    ["by its ID before all", [hook("A", "x", 2)], [hook("A", "x", 1), hook("B", "y", 2)], [[1], [0]]],
    ["an ID that does not exist is nothing", [hook("A", "x", 3)], [hook("A", "x", 1)], [[[]], [0]]],
    [
      "an ID takes its hook from an entry with its name",
      [hook("A", "x"), hook("B", "y", 1)],
      [hook("A", "x", 1)],
      [[[], 0], []],
    ],
    [
      "a name is stronger than a URL, in whatever order",
      [hook(undefined, "x"), hook("A", "x")],
      [hook("A", "x", 1), hook(undefined, "x", 2)],
      [[1, 0], []],
    ],
    [
      "a hook without a name is meant rather than a named one of the URL",
      [hook(undefined, "x")],
      [hook("A", "x", 1), hook(undefined, "x", 2)],
      [[1], [0]],
    ],
    [
      "two named ones of its URL, if it has no name",
      [hook(undefined, "x")],
      [hook("A", "x", 1), hook("B", "x", 2)],
      [[[0, 1]], []],
    ],
    ["of one name the one of the URL", [hook("A", "y")], [hook("A", "x", 1), hook("A", "y", 2)], [[1], [0]]],
    ["of one name and other URLs none", [hook("A", "z")], [hook("A", "x", 1), hook("A", "y", 2)], [[[0, 1]], []]],
    ["two of one name and URL", [hook("A", "x")], [hook("A", "x", 1), hook("A", "x", 2)], [[[0, 1]], []]],
    [
      "a URL that two live hooks have is not unique",
      [hook("N", "x")],
      [hook("A", "x", 1), hook("B", "x", 2)],
      [[[]], [0, 1]],
    ],
    [
      "a URL that two entries have is not unique",
      [hook("M", "x"), hook("N", "x")],
      [hook("A", "x", 1)],
      [[[], []], [0]],
    ],
    [
      "a URL of an entry that is matched counts no more",
      [hook("A", "x"), hook("N", "x")],
      [hook("A", "x", 1), hook("B", "x", 2)],
      [[0, 1], []],
    ],
  ])("%s", (_, declared, live, found) => {
    expect(matched("hooks", declared, live)).toEqual(found);
  });
});

describe("where no live hook has a name, a hook is matched by its URL, and is never created again", () => {
  const [main, tags] = [hook("Main", "x"), hook("Tags", "x")];
  const [first, second, other] = [hook(undefined, "x", 1), hook(undefined, "x", 2), hook(undefined, "y", 3)];
  test.each<[string, Values[], Values[], unknown[]]>([
    ["the only one", [main], [first, other], [[0], [1]]],
    ["the one that is on, of two", [main], [first, { ...second, push_events: true }], [[1], [0]]],
    ["one of two", [main], [first, second], [[[0, 1]], []]],
    ["two of one", [main, tags], [first], [[[0], [0]], []]],
    [
      "two of two",
      [main, tags],
      [first, second, other],
      [
        [
          [0, 1],
          [0, 1],
        ],
        [2],
      ],
    ],
    ["one with a name, and one without", [main, hook(undefined, "x")], [first], [[[0], [0]], []]],
    ["one by its ID, the other by its URL", [{ ...main, id: 1 }, tags], [first, second], [[0, 1], []]],
    ["of another URL", [main], [other], [[[]], [0]]],
  ])("%s", (_, declared, live, found) => {
    expect(matched("hooks", declared, live)).toEqual(found);
  });
});

describe("a link is matched by its name, and by its provider where both have one", () => {
  const link = (name: string, provider?: string | null) => ({ name, ...(provider !== undefined && { provider }) });
  test.each<[string, Values[], Values[], unknown[]]>([
    ["its own", [link("A", "p")], [link("A", "q"), link("A", "p")], [[1], [0]]],
    ["another provider", [link("A", "p")], [link("A", "q")], [[[]], [0]]],
    ["an instance that shows none", [link("A", "p")], [link("A")], [[0], []]],
    ["a link of no provider", [link("A", "p")], [link("A", null)], [[[]], [0]]],
    ["an entry without one", [link("A")], [link("A", "p")], [[0], []]],
    ["an entry without one, and the link without one", [link("A")], [link("A", "p"), link("A", null)], [[1], [0]]],
    ["an entry without one, and two", [link("A")], [link("A", "p"), link("A", "q")], [[[0, 1]], []]],
    ["entries with one come first", [link("A"), link("A", "p")], [link("A", "p"), link("A", "q")], [[1, 0], []]],
  ])("%s", (_, declared, live, found) => {
    expect(matched("saml_group_links", declared, live)).toEqual(found);
  });

  test("an LDAP link has one of two keys, and all of it counts", () => {
    const declared = [
      { provider: "p", cn: "a" },
      { provider: "p", filter: "f" },
      { provider: "q", cn: "a" },
    ];
    const live = [
      { provider: "q", cn: "b", filter: null },
      { provider: "p", cn: null, filter: "f" },
      { provider: "p", cn: "a", filter: "" },
    ];
    expect(matched("ldap_group_links", declared, live)).toEqual([[2, 1, []], [0]]);
  });
});

test("keys are compared by the normal form of their field", () => {
  expect(matched("allowlist", [{ id: 3 }], [{ id: "3" }])).toEqual([[0], []]);
  expect(matched("protected_environments", [{ name: "a" }], [{ name: "A" }])).toEqual([[[]], [0]]);
});

test("an entry whose key could not be read is matched with nothing", () => {
  const entry = { name: reference, url: "https://x.example" };
  expect(matched("hooks", [entry], [hook(undefined, "x", 1)])).toEqual([[[]], [0]]);
  expect(unreadKey(kindOf("hooks"), { values: entry, origin })).toBe("name");
  expect(unreadKey(kindOf("hooks"), { values: { ...entry, id: 4 }, origin })).toBeUndefined();
  expect(unreadKey(kindOf("hooks"), { values: { name: "A", url: reference }, origin })).toBeUndefined();
  expect(matched("hooks", [{ id: 1, name: reference }], [hook("A", "x", 1)])).toEqual([[0], []]);
});
