import { expect, test } from "vitest";
import { Failure } from "../../../src/base/errors.ts";
import { bulk, distinct } from "../../../src/jobs/bulk.ts";
import { contextFor } from "../../support/context.ts";

/** The rows, and the error that ended them. */
async function outcome(act: (item: string) => Promise<object>, items = ["a", "b", "c", "d"]) {
  const context = contextFor("http://127.0.0.1:1");
  Object.assign(context.config, { concurrency: 2 });
  const rows: object[] = [];
  const label = (item: string) => ({ item });
  const error = await (async () => {
    for await (const row of await bulk(context, items, act, label)) rows.push(row);
  })().catch((thrown: unknown) => thrown);
  return { rows, error };
}

test("a bug ends the run, and every item has its row", async () => {
  const bug = new TypeError("x is not a function");
  const { rows, error } = await outcome(async (item) => {
    if (item === "b") throw bug;
    return { item, status: "deleted" };
  });
  expect(rows).toMatchObject([
    { item: "a", status: "deleted" },
    { item: "b", status: "failed", error: "x is not a function" },
    { item: "c", status: "not_tried", error: "the run ended before its turn" },
    { item: "d", status: "not_tried" },
  ]);
  expect(error).toBe(bug);
});

test("a failed change is described by its status; if all fail, it is exit 9 too", async () => {
  const outcomes = { a: undefined, b: "unknown", c: "made", d: "none" } as const;
  const { rows, error } = await outcome(async (item) => {
    throw new Failure("refused", "no", { outcome: outcomes[item as keyof typeof outcomes] } as object);
  });
  expect(rows.map((row) => (row as { status: string }).status)).toEqual(["failed", "unknown", "made", "failed"]);
  expect(error).toMatchObject({
    exit: "partial",
    message: "2 of 4 failed, 1 made, but not confirmed as complete, 1 unknown",
  });
});

test("duplicates count once; if only one item remains, it has its own exit code", async () => {
  expect(distinct([3, 1, 3, 2, 1])).toEqual([3, 1, 2]);
  const failure = new Failure("notFound", "gone");
  const { rows, error } = await outcome(() => Promise.reject(failure), ["a", "a"]);
  expect([rows, error]).toEqual([[], failure]);
});
