import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { after, nodeTimers } from "../../../src/node/timers.ts";

// A timer of Node that is longer than 24 days ends at once, with a warning on stderr.

const monthMs = 31 * 86_400_000;

test("a pause of a month does not end at once", async () => {
  const stop = new AbortController();
  const paused = nodeTimers().pause(monthMs, stop.signal);
  expect(await Promise.race([paused, sleep(50, "waiting")])).toBe("waiting");
  stop.abort(new Error("stopped"));
  await expect(paused).rejects.toThrow("stopped");
});

test("what is to happen after a month does not happen at once", async () => {
  let happened = false;
  const cancel = after(monthMs, () => {
    happened = true;
  });
  await sleep(50);
  cancel();
  expect(happened).toBe(false);
});
