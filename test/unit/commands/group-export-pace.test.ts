import { expect, test } from "vitest";
import type { Download } from "../../../src/api/api.ts";
import { fromChunks } from "../../../src/api/transport/byte-stream.ts";
import { Failure } from "../../../src/base/errors.ts";
import { newExport } from "../../../src/commands/groups/new-export.ts";
import type { Context } from "../../../src/context.ts";

const answer = (etag: string): Download => ({
  status: 200,
  headers: { etag },
  body: fromChunks((async function* () {})()),
  discard: async () => {},
});

/** An instance with a simulated clock, which counts refused requests too. */
function instance({ readyAtS, limited }: { readyAtS: number; limited: boolean }) {
  let nowMs = 0;
  let scheduledMs: number | undefined;
  let allowedMs = 0;
  const looks: string[] = [];
  const timers = new Set<{ at: number; ring(): void }>();
  /** Time advances when everything sleeps. */
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      const timer = { at: nowMs + ms, ring: resolve };
      timers.add(timer);
      signal?.addEventListener("abort", () => timers.delete(timer));
      setImmediate(function pass() {
        const [first] = [...timers].sort((a, b) => a.at - b.at);
        if (first === undefined) return;
        timers.delete(first);
        nowMs = Math.max(nowMs, first.at);
        first.ring();
        setImmediate(pass);
      });
    });
  const context = {
    // Set back by a day at the first 429.
    now: () => new Date(nowMs - (looks.length > 1 ? 86_400_000 : 0)),
    elapsedMs: () => nowMs,
    sleep,
    progress: { start: () => ({ update() {}, stop() {} }) },
    notice: () => {},
    closing: () => {},
    signal: new AbortController().signal,
    api: {
      call: async () => {
        scheduledMs = nowMs;
      },
      made: [],
    },
  } as unknown as Context;
  const open = async () => {
    nowMs += 100;
    const refused = limited && nowMs < allowedMs;
    looks.push(`${Math.round(nowMs / 1000)}${refused ? " 429" : ""}`);
    if (refused) throw new Failure("rateLimited", "slow down", { status: 429, method: "GET", retryable: true });
    allowedMs = nowMs + 60_000;
    return answer(scheduledMs !== undefined && nowMs >= scheduledMs + readyAtS * 1000 ? '"new"' : '"old"');
  };
  const source = { identity: "x", open, plan: () => Promise.reject(new Error("no dry run")) };
  return {
    looks,
    wait: (limitSeconds: number) => newExport(context, source, { group: "1", output: undefined, limitSeconds }),
  };
}

test("an instance that limits requests is polled every 61 seconds after the first 429", async () => {
  const { looks, wait } = instance({ readyAtS: 150, limited: true });
  expect((await wait(3600).source.open()).headers.etag).toBe('"new"');
  expect(looks).toEqual(["0", "0 429", "61", "122", "184"]);
});

test("its Retry-After is respected", async () => {
  const { looks, wait } = instance({ readyAtS: 1e6, limited: true });
  await expect(wait(100).source.open()).rejects.toMatchObject({ exit: "notReady" });
  expect(looks).toEqual(["0", "0 429", "61"]);
});

test("one that does not is polled as often as before", async () => {
  const { looks, wait } = instance({ readyAtS: 2, limited: false });
  await wait(3600).source.open();
  expect(looks).toEqual(["0", "0", "1", "2", "3"]);
});
