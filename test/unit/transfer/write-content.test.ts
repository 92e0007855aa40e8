import { describe, expect, test } from "vitest";
import type { Context } from "../../../src/context.ts";
import type { Body } from "../../../src/transfer/body.ts";
import type { Inspector } from "../../../src/transfer/download-request.ts";
import { inspect, writeContent } from "../../../src/transfer/write-content.ts";

const kib = 1024;
const mib = 1024 * kib;
const bytes = (length: number) => new Uint8Array(length);

interface Arriving {
  start?: number;
  total?: number;
  inspectors?: Inspector[];
  /** Thrown after the last batch. */
  fails?: Error;
  /** A write ends only when this does. */
  slow?: Promise<unknown>;
}

/** Writes batches, each of which arrives this many milliseconds after the one before, and logs the steps. */
async function written(batches: [ms: number, ...chunks: Uint8Array[]][], how: Arriving = {}) {
  const { start = 0, total, inspectors = [], fails, slow } = how;
  let now = 0;
  const steps: string[] = [];
  const task = { update: (size: number) => steps.push(`shown ${size}`), stop: () => steps.push("stop") };
  const context = {
    elapsedMs: () => now,
    progress: {
      start: (label: string, of: object) => {
        steps.push(`${label} ${JSON.stringify(of)}`);
        return task;
      },
    },
  } as unknown as Context;
  async function* arriving() {
    for (const [ms, ...chunks] of batches) {
      now += ms;
      yield chunks;
    }
    if (fails !== undefined) throw fails;
  }
  const writer = {
    async write(chunks: readonly Uint8Array[]) {
      if (chunks.length > 0) steps.push(`write ${chunks.length}`);
      await slow;
      if (slow !== undefined) steps.push("written");
    },
    sync: async () => void steps.push("sync"),
    close: async () => expect.unreachable("the caller closes it"),
  };
  const body = { start, total, batches: arriving } as unknown as Body;
  const size = await writeContent(context, { body, label: "it", writer, inspectors }).catch((error: unknown) => error);
  return { size, steps, writes: steps.filter((step) => /^(write|sync)/.test(step)) };
}

describe("a content that is written", () => {
  test("shows its progress from where it begins, is synced, and has its size as the result", async () => {
    const { size, steps } = await written([[0, bytes(3), bytes(4)]], { start: 5, total: 12 });
    expect(size).toBe(12);
    expect(steps).toEqual([
      'downloading it {"unit":"bytes","done":5,"total":12}',
      "shown 12",
      "write 2",
      "sync",
      "stop",
    ]);
    expect((await written([])).steps).toEqual(['downloading it {"unit":"bytes","done":0}', "sync", "stop"]);
  });

  test("is written once a MiB is there", async () => {
    const chunk = bytes(512 * kib);
    expect(
      (
        await written([
          [0, chunk],
          [0, chunk],
          [0, chunk],
        ])
      ).writes,
    ).toEqual(["write 2", "write 1", "sync"]);
    expect(
      (
        await written([
          [0, chunk],
          [0, bytes(512 * kib - 1)],
          [0, chunk],
        ])
      ).writes,
    ).toEqual(["write 3", "sync"]);
  });

  test("is written once 512 chunks are there, of which hundreds of thousands may arrive together", async () => {
    const chunks = (count: number) => Array.from({ length: count }, () => bytes(1));
    expect(
      (
        await written([
          [0, ...chunks(511)],
          [0, ...chunks(1)],
          [0, ...chunks(1)],
        ])
      ).writes,
    ).toEqual(["write 512", ...["write 1", "sync"]]);
    expect((await written([[0, ...chunks(300_000)]])).writes).toEqual(["write 300000", "sync"]);
  });

  test("stays in memory for at most half a second", async () => {
    const one = bytes(1);
    const { writes } = await written([
      [499, one],
      [1, one],
      [499, one],
      [1, one],
      [0, one],
    ]);
    expect(writes).toEqual(["write 2", "write 2", "write 1", "sync"]);
  });

  test("is synced in steps of 32 MiB", async () => {
    const { writes } = await written(Array.from({ length: 65 }, () => [0, bytes(mib)]));
    const synced = writes.flatMap((step, place) => (step === "sync" ? [place] : []));
    // The steps before each sync: 32 writes, 32 more, the rest.
    expect(synced).toEqual([32, 65, 67]);
  });

  test("is written while more arrives; one write follows another", async () => {
    let done = () => {};
    const slow = new Promise<void>((resolve) => {
      done = resolve;
    });
    const writing = written(
      [
        [0, bytes(mib)],
        [0, bytes(1)],
        [0, bytes(mib)],
        [0, bytes(1)],
      ],
      { slow },
    );
    for (let turns = 0; turns < 9; turns++) await new Promise((resolve) => setImmediate(resolve));
    done();
    const steps = (await writing).steps.slice(1, -2);
    expect(steps.slice(0, 4)).toEqual([`shown ${mib}`, "write 1", `shown ${mib + 1}`, `shown ${2 * mib + 1}`]);
    // The last batch is taken only once the first write has ended: no more than that is held.
    expect(steps.indexOf(`shown ${2 * mib + 2}`)).toBeGreaterThan(steps.indexOf("written"));
    expect(steps.filter((step) => step.startsWith("wr"))).toEqual([
      ...["write 1", "written", "write 2", "written", "write 1", "written"],
    ]);
  });

  test("keeps what arrived before an error, which is thrown", async () => {
    const fails = new Error("broken");
    const { size, steps } = await written([[0, bytes(2)]], { fails });
    expect(size).toBe(fails);
    expect(steps.slice(1)).toEqual(["shown 2", "write 1", "stop"]);
  });

  test("fails with the error of a write, even of the last one", async () => {
    const full = new Error("full");
    const slow = Promise.reject(full);
    expect((await written([[0, bytes(1)]], { slow })).size).toBe(full);
    expect(
      (
        await written(
          [
            [0, bytes(mib)],
            [0, bytes(mib)],
          ],
          { slow },
        )
      ).size,
    ).toBe(full);
  });
});

describe("inspectors", () => {
  const inspector = (act: (chunk: Uint8Array) => Promise<void> | undefined) => ({ take: act, finish: async () => {} });

  test("see each chunk before it is written, and the content waits for those that need time", async () => {
    const seen: string[] = [];
    const first = inspector((chunk) => void seen.push(`a${chunk.length}`));
    const second = inspector(async (chunk) => {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(`b${chunk.length}`);
    });
    const { size } = await written([[0, bytes(1), bytes(2)]], { inspectors: [first, second] });
    expect([size, seen]).toEqual([3, ["a1", "b1", "a2", "b2"]]);
    expect(inspect([first], bytes(1))).toBeUndefined();
    expect(inspect([first, second], bytes(1))).toBeInstanceOf(Promise);
  });

  test("may refuse the rest", async () => {
    const refusal = new Error("not a zip");
    const refusing = inspector(() => Promise.reject(refusal));
    expect((await written([[0, bytes(1)]], { inspectors: [refusing] })).size).toBe(refusal);
  });
});
