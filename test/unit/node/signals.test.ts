import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { watchSignals } from "../../../src/node/signals.ts";

/** A process that hears signals, and what waits for one. */
function watched() {
  const host = new EventEmitter();
  const handlers = { onInterrupt: () => {}, onWait: () => {}, onCutOff: async () => {} };
  const interruption = watchSignals(host as NodeJS.Process, handlers);
  return { ...interruption, isHeard: () => host.listenerCount("SIGTERM") === 1 };
}

test("a signal is not heard until the last of two pauses ends", () => {
  const { pause, isHeard } = watched();
  const ends = [pause(), pause()];
  expect(ends.map((end) => [isHeard(), end(), isHeard()])).toEqual([
    [false, undefined, false],
    [false, undefined, true],
  ]);
});

test("what must not be cut off is not, whether a pause begins before or during it", () => {
  const { pause, defer, isHeard } = watched();
  const before = pause();
  const release = defer();
  expect(isHeard()).toBe(true);
  before();
  pause();
  expect(isHeard()).toBe(true);
  release();
  pause();
  expect(isHeard()).toBe(false);
});
