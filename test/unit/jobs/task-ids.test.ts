import { expect, test } from "vitest";
import type { Journal } from "../../../src/jobs/journal.ts";
import { placed, recordNames } from "../../../src/jobs/task-ids.ts";

const seenOf = (...ids: string[]): Journal["seen"] => new Map(ids.map((id) => [id, { id, event: "end" as const }]));

test.each<[string, string[], string, string, { id: string; isUnplaced?: boolean }]>([
  ["shown in both runs", ["project 7"], "project 7", "project a/b", { id: "project 7" }],
  ["shown in none", ["project a/b"], "project a/b", "project a/b", { id: "project a/b" }],
  ["shown only later", ["project a/b"], "project 7", "project a/b", { id: "project a/b" }],
  ["shown only earlier", ["project 7"], "project a/b", "project a/b", { id: "project a/b", isUnplaced: true }],
  ["not shown, and new", ["project x/y"], "project a/b", "project a/b", { id: "project a/b" }],
  ["not shown in an empty journal", [], "project a/b", "project a/b", { id: "project a/b" }],
  ["typed as an ID", ["project 8"], "project 7", "project 7", { id: "project 7" }],
  ["a group beside projects", ["project 7"], "group a", "group a", { id: "group a" }],
  ["the instance itself", ["instance of x", "project 7"], "instance", "instance", { id: "instance" }],
  [
    "on another profile",
    ["project 7 of x#2"],
    "project a of x",
    "project a of x",
    { id: "project a of x", isUnplaced: true },
  ],
  ["another line", ["ab12:project 7"], "cd34:project a", "cd34:project a", { id: "cd34:project a" }],
  ["the same line", ["ab12:project 7"], "ab12:project a", "ab12:project a", { id: "ab12:project a", isUnplaced: true }],
  ["a line without a place", ["ab12:"], "cd34:", "cd34:", { id: "cd34:" }],
])("a task whose project is %s", (_, journal, id, named, found) => {
  expect([...placed([{ id, named }], seenOf(...journal))]).toEqual([{ named, ...found }]);
});

test("a task that is not recorded stays as it is", () => {
  const tasks = [{ id: undefined }, { id: "project a/b" }];
  expect([...placed(tasks, seenOf("project 7"))]).toEqual(tasks);
});

test.each<[string, string, string, object]>([
  ["the same project", "ab12:project 7", "ab12:project a/b", { id: "ab12:project 7" }],
  ["not shown now", "ab12:project a/b", "ab12:project a/b", { id: "ab12:project 7", isHidden: true }],
  ["another project", "project 9", "project A/b", { id: undefined, moved: { before: "project 7", now: "project 9" } }],
  [
    "another project, of a line",
    "ab12:project 9",
    "ab12:project a/b",
    { id: undefined, moved: { before: "ab12:project 7", now: "ab12:project 9" } },
  ],
  ["another name", "project 9", "project a/c", { id: "project 9" }],
  ["on another profile", "project 9 of x", "project a/b of x", { id: "project 9 of x" }],
  [
    "on a profile",
    "project 9 of Y",
    "project A/b of Y",
    { id: undefined, moved: { before: "project 8 of Y", now: "project 9 of Y" } },
  ],
  ["on a profile in another case", "project 9 of y", "project a/b of y", { id: "project 9 of y" }],
])("a name that the journal knows, of what is now %s", async (_, id, named, found) => {
  const seen = new Map<string, { id: string; event: "plan"; facts: object }>();
  const plan: Journal["plan"] = async (entries) => {
    for (const entry of entries) seen.set(entry.id, { ...entry, event: "plan" });
  };
  const names = [
    { id: "project 7", named: "project a/b" },
    { id: "project 8 of Y", named: "project a/b of Y" },
  ];
  await recordNames(names, { seen, plan } as unknown as Journal);
  expect([...placed([{ id, named }], seen)]).toEqual([{ named, ...found }]);
});
