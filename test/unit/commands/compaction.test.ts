import fc from "fast-check";
import { expect, test } from "vitest";
import { isBelow } from "../../../src/base/group-paths.ts";
import { type Allowed, accessBy, compact } from "../../../src/commands/job-token/compaction.ts";

// Small trees with few names, so that groups often cover the same projects.
const name = fc.constantFrom("a", "b", "c");
const groupPath = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const projectPath = fc.tuple(groupPath, fc.constantFrom("p", "q", "r")).map(([group, last]) => `${group}/${last}`);
const project = projectPath.map((path): Allowed => ({ kind: "project", id: 1, path }));
const groupEntry = groupPath.map((path): Allowed => ({ kind: "group", id: 2, path }));
const allowlists = fc.record({
  entries: fc.uniqueArray(fc.oneof({ weight: 4, arbitrary: project }, groupEntry), {
    selector: ({ kind, path }) => `${kind} ${path}`,
    maxLength: 12,
  }),
  atLeast: fc.integer({ min: 1, max: 5 }),
  excluded: fc.array(groupPath, { maxLength: 2 }),
});
/** Every project that the names allow. */
const universe = ["a", "b", "c"].flatMap((one) => [
  ...["p", "q", "r"].map((last) => `${one}/${last}`),
  ...["a", "b", "c"].flatMap((two) => [
    ...["p", "q", "r"].map((last) => `${one}/${two}/${last}`),
    ...["a", "b", "c"].flatMap((three) => ["p", "q", "r"].map((last) => `${one}/${two}/${three}/${last}`)),
  ]),
]);

function applied(entries: readonly Allowed[], { add, remove }: ReturnType<typeof compact>): Allowed[] {
  const kept = entries.filter((entry) => !remove.some((each) => each.entry === entry));
  return [...kept, ...add.map((path): Allowed => ({ kind: "group", id: 3, path }))];
}

test("nothing that had access loses it, and what is let in is exactly what is below the new groups", () => {
  fc.assert(
    fc.property(allowlists, ({ entries, atLeast, excluded }) => {
      const plan = compact(entries, atLeast, excluded);
      const after = applied(entries, plan);
      for (const path of universe) {
        const before = accessBy(entries)(path);
        const listed = !before && plan.add.some((group) => isBelow(path, group));
        expect([path, accessBy(after)(path)]).toEqual([path, before || listed]);
      }
    }),
  );
});

test("each new group covers enough entries and none is excluded; no entry remains below a group", () => {
  fc.assert(
    fc.property(allowlists, ({ entries, atLeast, excluded }) => {
      const plan = compact(entries, atLeast, excluded);
      const after = applied(entries, plan);
      for (const group of plan.add) {
        expect(entries.filter(({ path = "" }) => isBelow(path, group)).length).toBeGreaterThanOrEqual(atLeast);
        expect(excluded).not.toContain(group);
      }
      for (const { path = "" } of after) {
        expect(after.filter((each) => each.kind === "group" && isBelow(path, each.path ?? ""))).toEqual([]);
      }
      expect(compact(after, atLeast + entries.length, excluded)).toEqual({ add: [], remove: [] });
    }),
  );
});

test("the deepest group that covers the same is taken; personal projects and hidden groups stay", () => {
  const at = (path: string, more: Partial<Allowed> = {}): Allowed => ({ kind: "project", id: 1, path, ...more });
  const hidden: Allowed = { kind: "group", id: 9, path: undefined };
  const entries = [
    at("a/b/p"),
    at("a/b/q"),
    at("A/b/r"),
    at("u/x", { personal: true }),
    at("u/y", { personal: true }),
    hidden,
  ];
  const { add, remove } = compact(entries, 2, []);
  expect(add).toEqual(["a/b"]);
  expect(remove.map(({ entry }) => entry.path)).toEqual(["a/b/p", "a/b/q", "A/b/r"]);
  expect(compact(entries, 2, ["a/b"]).add).toEqual(["a"]);
});

test("a path of any length costs no more than its length", () => {
  const entry = { kind: "project", id: 1, path: `${"a/".repeat(200_000)}b` } as const;
  expect(compact([entry, { kind: "project", id: 2, path: "acme/x" }], 1, [])).toEqual({
    add: ["acme"],
    remove: [{ entry: { kind: "project", id: 2, path: "acme/x" }, by: "acme" }],
  });
});

test("a group whose path is digits is not added: it could not be looked up", () => {
  const entries = ["5/a", "5/b", "5/x/c", "5/x/d"].map((path): Allowed => ({ kind: "project", id: 1, path }));
  expect(compact(entries, 2, [])).toMatchObject({ add: ["5/x"] });
});

test("a path of more levels than the platform has is left alone: its costs would grow faster than its length", () => {
  const of = (levels: number) =>
    [1, 2, 3].map((id): Allowed => ({ kind: "project", id, path: `${"a/".repeat(levels)}p${id}` }));
  expect(compact(of(20), 2, []).add).toEqual(["a/".repeat(20).slice(0, -1)]);
  expect(compact(of(120), 2, [])).toMatchObject({ add: [], remove: [] });
});
