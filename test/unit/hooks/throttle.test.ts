import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { throttle } from "../../../src/commands/hooks/throttle.ts";
import type { Context } from "../../../src/context.ts";

/** A clock that advances only by sleeping and acting. */
function clock(dryRun = false) {
  let now = 1_000_000;
  const notices: string[] = [];
  const context = {
    config: { dryRun },
    elapsedMs: () => now,
    sleep: async (ms: number) => {
      now += ms;
    },
    notice: (text: string) => notices.push(text),
    closing: (text: string) => notices.push(text),
  } as unknown as Context;
  return { context, notices, now: () => now, pass: (ms: number) => (now += ms) };
}

const limit = { max: 5, windowMs: 60_000, why: "5 a minute" };

describe("throttle", () => {
  test("allows the first five, then one for each that is a minute old", async () => {
    const { context, notices, now, pass } = clock();
    const act = throttle(context, limit);
    const started: number[] = [];
    const start = now();
    for (let n = 0; n < 7; n += 1) {
      await act(async () => {
        started.push(now() - start);
        pass(200);
      });
    }
    expect(started).toEqual([0, 200, 400, 600, 800, 60_200, 60_400]);
    // The second wait is too short for a notice.
    expect(notices).toEqual(["waiting 60 s: 5 a minute"]);
  });

  test("continues after a failure, which counts", async () => {
    const { context, now, pass } = clock();
    const act = throttle(context, { ...limit, max: 2 });
    const started: number[] = [];
    for (const name of ["a", "b", "c"]) {
      const done = act(async () => {
        started.push(now() - 1_000_000);
        pass(10);
        if (name === "a") throw new Error("no");
      });
      if (name === "a") await expect(done).rejects.toThrow("no");
      else await done;
    }
    expect(started).toEqual([0, 10, 60_010]);
  });

  test("never exceeds the limit in any window", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 30 }),
        fc.integer({ min: 1, max: 6 }),
        async (durations, max) => {
          const { context, now, pass } = clock();
          const act = throttle(context, { max, windowMs: 60_000, why: "" });
          const seen: number[] = [];
          for (const ms of durations) {
            await act(async () => {
              // The instance may receive it at any time between its start and its end.
              seen.push(now() + Math.floor(ms / 2));
              pass(ms);
            });
          }
          for (const at of seen) {
            expect(seen.filter((other) => other > at - 60_000 && other <= at).length).toBeLessThanOrEqual(max);
          }
        },
      ),
    );
  });

  test("does not wait in a dry run", async () => {
    const { context, now } = clock(true);
    const act = throttle(context, { ...limit, max: 1 });
    await act(async () => undefined);
    await act(async () => undefined);
    expect(now()).toBe(1_000_000);
  });
});
