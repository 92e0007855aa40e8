import { expect, test } from "vitest";
import type { Section } from "../../../src/state/kind.ts";
import { findKind } from "../../../src/state/kinds/index.ts";
import { SharedLists, uncounted } from "../../../src/state/patterns/shared-lists.ts";

const kind = findKind("allowlist") ?? expect.unreachable();
const scope = (name: string) => ({ at: "project" as const, name });

function pattern(name: string, file: string): Section {
  return { scope: scope(name), kind, entries: [], origin: { file, line: 2 } };
}

const wide = pattern("acme/**", "a");
const narrow = pattern("acme/m/**", "b");
const section = (...shared: Section[]): Section => ({ ...pattern("acme/x", "c"), shared });

test("what is removed from the lists of a pattern is counted over all of its projects", () => {
  const lists = new SharedLists();
  lists.add(section(wide), 3, 2);
  lists.add(section(narrow, wide), 4, 1);
  lists.add(section(wide), 5, 0);
  lists.add(section(), 9, 9);
  const at = "project";
  expect(lists.list).toEqual([
    { name: "acme/** allowlist", origin: wide.origin, at, size: 12, removals: 3, scopes: 2 },
    { name: "allowlist below patterns", origin: undefined, at, size: 12, removals: 3, scopes: 2 },
    { name: "acme/m/** allowlist", origin: narrow.origin, at, size: 4, removals: 1, scopes: 1 },
  ]);
});

test("a list that loses nothing is not among them, and two places of one pattern are two lists", () => {
  const lists = new SharedLists();
  lists.add(section(wide), 3, 0);
  lists.add(section(narrow), 3, 1);
  lists.add(section(pattern("acme/m/**", "d")), 3, 1);
  lists.add({ ...pattern("acme/x", "c") }, 3, 1);
  expect(lists.list.map(({ name, origin }) => `${name} ${origin?.file}`)).toEqual([
    "allowlist below patterns undefined",
    "acme/m/** allowlist b",
    "acme/m/** allowlist d",
  ]);
});

const removal = (name: string | null, file: string | null = "a", line: number | null = 2) => ({
  kind: "allowlist",
  scope: name,
  file,
  line,
});
const counted = {
  name: "acme/** allowlist",
  origin: wide.origin,
  at: "project" as const,
  size: 9,
  removals: 2,
  scopes: 2,
};

test.each([
  ["of one scope", [removal("acme/x"), removal("acme/x")], [], undefined],
  ["of no scope", [removal(null, null, null)], [], undefined],
  ["of two scopes", [removal("acme/x"), removal("acme/y")], [], "allowlist a:2"],
  ["of two scopes, counted", [removal("acme/x"), removal("acme/y")], [counted], undefined],
  [
    "of two scopes, counted elsewhere",
    [removal("acme/x"), removal("acme/y")],
    [{ ...counted, origin: undefined }],
    "allowlist a:2",
  ],
  ["counted in another file", [removal("acme/x", "b"), removal("acme/y", "b")], [counted], "allowlist b:2"],
  ["counted in another line", [removal("acme/x", "a", 3), removal("acme/y", "a", 3)], [counted], "allowlist a:3"],
  [
    "counted for another kind",
    [removal("acme/x"), removal("acme/y")],
    [{ ...counted, name: "acme/** hooks" }],
    "allowlist a:2",
  ],
  ["more than are counted", [removal("a/x"), removal("a/y"), removal("a/y")], [counted], "allowlist a:2"],
  ["of two places, one a scope each", [removal("acme/x"), removal("acme/y", "b")], [], undefined],
  [
    "of two places, the second of two scopes",
    [removal("a/x"), removal("a/x", "b"), removal("a/y", "b")],
    [counted],
    "allowlist b:2",
  ],
])("removals %s", (_, removals, shared, list) => {
  expect(uncounted(removals, shared)).toBe(list);
});
