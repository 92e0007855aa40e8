import { describe, expect, test } from "vitest";
import { DryRunStop } from "../../../src/api/api.ts";
import { Failure } from "../../../src/base/errors.ts";
import { bulk, distinct } from "../../../src/jobs/bulk.ts";
import { contextFor } from "../../support/context.ts";

type Manner = Parameters<typeof bulk>[4];

/** The rows, and the error that ended them. */
async function outcome(act: (item: string) => Promise<object>, items = ["a", "b", "c", "d"], how: Manner = {}) {
  const context = contextFor("http://127.0.0.1:1");
  Object.assign(context.config, { concurrency: 2 });
  const rows: object[] = [];
  const label = (item: string) => ({ item, of: "all" });
  const error = await (async () => {
    for await (const row of await bulk(context, items, act, label, how)) rows.push(row);
  })().catch((thrown: unknown) => thrown);
  return { rows, error, notices: context.notices };
}

const statusesOf = (rows: readonly object[]) => rows.map((row) => (row as { status: string }).status);

test("a bug ends the run, and every item has its row", async () => {
  const bug = new TypeError("x is not a function");
  const { rows, error } = await outcome(async (item) => {
    if (item === "b") throw bug;
    return { item, status: "deleted" };
  });
  expect(rows).toMatchObject([
    { item: "a", status: "deleted" },
    { item: "b", status: "unknown", error: "x is not a function" },
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
  expect(statusesOf(rows)).toEqual(["failed", "unknown", "made", "failed"]);
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

test("what is left, by its first name, are the items that were not made and can be tried again", async () => {
  const ends = {
    a: {},
    b: { status: 404 },
    c: { outcome: "unknown" },
    d: { outcome: "made" },
    e: { outcome: "altered" },
    f: { exit: "interrupted" },
  } as const;
  const { rows, error } = await outcome(async (item) => {
    const { exit = "refused", ...details } = ends[item as keyof typeof ends] as { exit?: "interrupted" };
    throw new Failure(exit, "no", details);
  }, Object.keys(ends));
  expect(statusesOf(rows)).toEqual(["failed", "refused", "unknown", "made", "altered", "not_tried"]);
  expect(error).toMatchObject({ exit: "partial", details: { left: ["a", "b", "f"] } });
});

describe("the manner of a job", () => {
  const refusing = async () => {
    throw new Failure("refused", "no", { status: 403 });
  };

  test("names the command that completes the rest, in place of the items", async () => {
    const { error } = await outcome(refusing, ["a", "b"], { again: "forgectl prune" });
    expect((error as Failure).details).toMatchObject({ hint: "forgectl prune" });
    expect((error as Failure).details.left).toBeUndefined();
  });

  test("can be one after another; otherwise as many as --concurrency are in progress", async () => {
    const most = async (how: Manner) => {
      let [now, highest] = [0, 0];
      const { rows } = await outcome(
        async (item) => {
          now += 1;
          highest = Math.max(highest, now);
          for (let turn = 0; turn < 10; turn++) await undefined;
          now -= 1;
          return { item };
        },
        undefined,
        how,
      );
      expect(rows).toEqual([{ item: "a" }, { item: "b" }, { item: "c" }, { item: "d" }]);
      return highest;
    };
    expect(await most({ throttled: true })).toBe(1);
    expect(await most({})).toBe(2);
  });

  test("one that is throttled may be cut off within an item; any other has time to end it", async () => {
    const graced = async (how: Manner) => {
      const context = contextFor("http://127.0.0.1:1");
      let count = 0;
      const uninterrupted = (act: () => Promise<unknown>) => {
        count += 1;
        return act();
      };
      Object.assign(context, { uninterrupted });
      const label = (item: string) => ({ item });
      for await (const _ of await bulk(context, ["a", "b"], async (item) => ({ item }), label, how));
      return count;
    };
    expect(await graced({ throttled: true })).toBe(0);
    expect(await graced({})).toBe(2);
  });

  test("a failure can end the whole run, and is then its error", async () => {
    const { rows, error } = await outcome(refusing, ["a", "b", "c"], { throttled: true, ends: () => true });
    expect(statusesOf(rows)).toEqual(["refused", "not_tried", "not_tried"]);
    expect(error).toMatchObject({ exit: "refused", details: { status: 403 } });
    const all = await outcome(refusing, ["a", "b", "c"], { throttled: true, ends: () => false });
    expect(statusesOf(all.rows)).toEqual(["refused", "refused", "refused"]);
  });
});

test("items that wait or are skipped are not called done; others are, with a status or without", async () => {
  const statuses = { a: "waiting", b: "skipped", c: "deleted", d: undefined };
  const { notices } = await outcome(async (item) => ({ item, status: statuses[item as keyof typeof statuses] }));
  expect(notices).toEqual(["2 of 4 done, 1 waiting, 1 skipped"]);
});

test("a dry run plans every item, and an error that is no plan ends it", async () => {
  const context = contextFor("http://127.0.0.1:1");
  Object.assign(context.config, { dryRun: true });
  const planned: string[] = [];
  const plan = async (item: string): Promise<object> => {
    planned.push(item);
    throw item === "c" ? new Failure("notFound", "gone") : new DryRunStop();
  };
  const label = (item: string) => ({ item });
  await expect(bulk(context, ["a", "b"], plan, label)).rejects.toBeInstanceOf(DryRunStop);
  expect(planned).toEqual(["a", "b"]);
  await expect(bulk(context, ["c", "d"], plan, label)).rejects.toThrow("gone");
  expect(planned).toEqual(["a", "b", "c"]);
});
