import { expect, test } from "vitest";
import { withUniqueIds } from "../../../src/jobs/unique-ids.ts";

type Entry = [id: string, event: "begin" | "end", status?: string];

function idsOf(tasks: string, ...entries: Entry[]): string {
  const seen = new Map(
    entries.map(([id, event, status]) => [id, { id, event, ...(status !== undefined && { status }) }]),
  );
  return [
    ...withUniqueIds(
      [...tasks].map((id) => ({ id })),
      seen,
    ),
  ]
    .map(({ id }) => id)
    .join(" ");
}

test("tasks with the same ID are numbered from the second on", () => {
  expect(idsOf("abaca")).toBe("a b a#2 c a#3");
});

test("completed tasks take the first IDs, then started ones, whichever of the equal ones they were", () => {
  const earlier: Entry[] = [
    ["a", "end", "failed"],
    ["a#2", "begin"],
    ["a#3", "end", "done"],
  ];
  expect(idsOf("a", ...earlier)).toBe("a#3");
  expect(idsOf("aba", ...earlier)).toBe("a#3 b a#2");
  expect(idsOf("aaaaa", ...earlier)).toBe("a#3 a#2 a a#4 a#5");
});
