import { expect, test } from "vitest";
import { asFinished } from "../../../src/verbs/pool.ts";

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const taken: T[] = [];
  for await (const row of rows) taken.push(row);
  return taken;
}

test("results are yielded as they finish, with limited concurrency", async () => {
  let inFlight = 0;
  let most = 0;
  const act = async (ms: number) => {
    most = Math.max(most, ++inFlight);
    await sleep(ms);
    inFlight -= 1;
    return ms;
  };
  expect(await all(asFinished([150, 10, 50, 20], act, 2))).toEqual([10, 50, 20, 150]);
  expect(most).toBe(2);
  expect(await all(asFinished([], act, 2))).toEqual([]);
});

test("a failure ends the run, after the results that finished before it", async () => {
  const taken: number[] = [];
  const act = async (item: number) => {
    await sleep(item * 10);
    if (item === 2) throw new Error("broken");
    return item;
  };
  const run = (async () => {
    for await (const item of asFinished([1, 2, 3], act, 3)) taken.push(item);
  })();
  await expect(run).rejects.toThrow("broken");
  expect(taken).toEqual([1]);
});
