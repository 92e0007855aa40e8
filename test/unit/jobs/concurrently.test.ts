import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concurrently, forEachConcurrently, streamed } from "../../../src/jobs/concurrently.ts";

/** Items that end only when the test says so. */
class Gates {
  readonly started: number[] = [];
  readonly #open = new Map<number, { resolve: () => void; reject: (error: unknown) => void }>();

  readonly act = (item: number) =>
    new Promise<number>((resolve, reject) => {
      this.started.push(item);
      this.#open.set(item, { resolve: () => resolve(item), reject });
    });

  async end(...items: number[]): Promise<void> {
    for (const item of items) this.#open.get(item)?.resolve();
    await turns();
  }

  async fail(item: number): Promise<void> {
    this.#open.get(item)?.reject(new Error(`broken: ${item}`));
    await turns();
  }
}

/** Lets everything that is ready run. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await undefined;
}

/** Takes results as soon as they are ready. */
function taking<T>(rows: AsyncIterable<T>) {
  const taken: T[] = [];
  const ended = (async () => {
    for await (const row of rows) taken.push(row);
  })();
  ended.catch(() => undefined);
  return { taken, ended };
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("a slow item", () => {
  test("does not delay the start of others, and in order only what comes after it", async () => {
    const gates = new Gates();
    const { taken, ended } = taking(concurrently(range(10), gates.act, { limit: 3, ordered: true }));
    await turns();
    expect(gates.started).toEqual([0, 1, 2]);
    await gates.end(1, 2);
    expect(gates.started).toEqual([0, 1, 2, 3, 4]);
    for (const item of range(10).slice(3)) await gates.end(item);
    expect(gates.started).toEqual(range(10));
    expect(taken).toEqual([]);
    await gates.end(0);
    await ended;
    expect(taken).toEqual(range(10));
  });

  test("that never ends holds back nothing, where order does not matter", async () => {
    const gates = new Gates();
    const { taken } = taking(concurrently(range(100), gates.act, { limit: 2 }));
    for (const item of range(100).slice(1)) await gates.end(item);
    expect(taken).toEqual(range(100).slice(1));
  });
});

test("no more items than allowed are in progress, and all of them while there are any", async () => {
  const run = fc.asyncProperty(
    fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 40 }),
    fc.integer({ min: 1, max: 6 }),
    fc.boolean(),
    async (pauses, limit, ordered) => {
      let inProgress = 0;
      let most = 0;
      const act = async ([index, pause]: [number, number]) => {
        most = Math.max(most, ++inProgress);
        for (let turn = 0; turn < pause * 7; turn++) await undefined;
        inProgress -= 1;
        return index;
      };
      const taken: number[] = [];
      for await (const index of concurrently(pauses.entries(), act, { limit, ordered })) taken.push(index);
      expect(ordered ? taken : taken.sort((a, b) => a - b)).toEqual([...pauses.keys()]);
      expect(most).toBe(Math.min(limit, pauses.length));
    },
  );
  await fc.assert(run, { numRuns: 200 });
});

test("only a consumer that does not take what is ready delays the start of further items", async () => {
  const gates = new Gates();
  const rows = concurrently(range(10), gates.act, { limit: 2 });
  const first = rows.next();
  await gates.end(0, 1);
  expect(await first).toMatchObject({ value: 0 });
  await gates.end(2, 3);
  expect(gates.started).toEqual([0, 1, 2, 3]);
  for (let taken = 1; taken <= 3; taken++) await rows.next();
  expect(gates.started).toEqual([0, 1, 2, 3, 4, 5]);
});

test.each([{ ordered: true }, { ordered: false }])("after a failure nothing is started: %o", async ({ ordered }) => {
  const gates = new Gates();
  const { taken, ended } = taking(concurrently(range(10), gates.act, { limit: 2, ordered }));
  await gates.end(0);
  await gates.fail(2);
  await gates.end(1);
  await expect(ended).rejects.toThrow("broken: 2");
  expect(taken).toEqual(ordered ? [0, 1] : [0]);
  expect(gates.started).toEqual([0, 1, 2]);
});

test("results of one item go out as they come; in order, those of an item stay together", async () => {
  const act = async (item: number, emit: (result: string) => void) => {
    emit(`${item} begun`);
    for (let turn = 0; turn < 9 - item; turn++) await undefined;
    emit(`${item} ended`);
  };
  const all = async (ordered: boolean) => {
    const { taken, ended } = taking(streamed([1, 2], act, { limit: 2, ordered }));
    await ended;
    return taken;
  };
  expect(await all(false)).toEqual(["1 begun", "2 begun", "2 ended", "1 ended"]);
  expect(await all(true)).toEqual(["1 begun", "1 ended", "2 begun", "2 ended"]);
});

test("without results to keep, each item is done once", async () => {
  const seen: string[] = [];
  await forEachConcurrently(["a", "b", "c"], 2, async (item, index) => {
    seen.push(`${index}${item}`);
  });
  expect(seen).toEqual(["0a", "1b", "2c"]);
});
