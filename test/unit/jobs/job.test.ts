import { expect, test } from "vitest";
import { attemptWhole, type Job, resultsOf } from "../../../src/jobs/job.ts";
import { Tally } from "../../../src/jobs/tally.ts";
import { contextFor } from "../../support/context.ts";

/** A job over three items that says what happens to it, in order. */
function jobOf(more: Partial<Job<number, number>> = {}) {
  const events: string[] = [];
  const task = { update: (done: number) => void events.push(`${done} done`), stop: () => void events.push("stop") };
  const context = contextFor("http://127.0.0.1:1");
  Object.assign(context.progress, {
    start: (label: string, { total, unit }: { total: number; unit: string }) => {
      events.push(`${label} ${total} ${unit}`);
      return task;
    },
  });
  const job: Job<number, number> = {
    items: [1, 2, 3],
    progress: { label: "deleting", count: 3 },
    ordered: true,
    act: async (item, emit) => emit(item * 10),
    close: async () => void events.push("close"),
    conclude: () => void events.push("conclude"),
    ...more,
  };
  return { context, job, events, task };
}

test("a job shows its progress with each result, closes its journal after the last, and then concludes", async () => {
  const { context, job, events } = jobOf();
  const rows: number[] = [];
  for await (const row of resultsOf(context, job)) rows.push(row);
  expect(rows).toEqual([10, 20, 30]);
  expect(events).toEqual(["deleting 3 items", "1 done", "2 done", "3 done", "stop", "close", "conclude"]);
});

test("a consumer that stops before the end closes the journal; the run is not concluded", async () => {
  const { context, job, events, task } = jobOf();
  for await (const _ of resultsOf(context, { ...job, progress: task })) break;
  expect(events).toEqual(["1 done", "stop", "close"]);
});

test("the limit is the job's own, or --concurrency", async () => {
  const most = async (more: Partial<Job<number, number>>) => {
    let [now, highest] = [0, 0];
    const act = async (item: number, emit: (result: number) => void) => {
      now += 1;
      highest = Math.max(highest, now);
      for (let turn = 0; turn < 10; turn++) await undefined;
      now -= 1;
      emit(item);
    };
    const { context, job } = jobOf({ items: [1, 2, 3, 4, 5, 6], act, ...more });
    Object.assign(context.config, { concurrency: 3 });
    for await (const _ of resultsOf(context, job));
    return highest;
  };
  expect(await most({})).toBe(3);
  expect(await most({ limit: 1 })).toBe(1);
});

test("an item that must not be cut off has five seconds after Ctrl-C", async () => {
  const { context } = jobOf();
  const given: unknown[] = [];
  const uninterrupted = (act: () => Promise<unknown>, graceMs: number) => {
    given.push(graceMs);
    return act();
  };
  Object.assign(context, { uninterrupted });
  expect(await attemptWhole(context, new Tally(context, 1), async () => "whole")).toEqual({ done: "whole" });
  expect(given).toEqual([5000]);
});
