import { expect } from "vitest";
import { Exchange } from "../../../../src/api/transport/exchange.ts";

export const timeoutMs = 30_000;
export const bytes = (length: number, of = 1) => new Uint8Array(length).fill(of);
export const kib = 1024;

/** An exchange with a clock that the test moves, and what it asked of its connection. */
export function opened() {
  let now = 0;
  let timers: { at: number; act: () => void }[] = [];
  const clock = {
    elapsedMs: () => now,
    after(ms: number, act: () => void) {
      const timer = { at: now + ms, act };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
  };
  /** Moves the clock in steps, as time passes. */
  const pass = (ms: number) => {
    for (const end = now + ms; now < end; ) {
      now = Math.min(end, ...timers.map(({ at }) => Math.max(at, now + 1)));
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { act } of due) act();
    }
  };
  const calls: string[] = [];
  const controller = {
    pause: () => calls.push("pause"),
    resume: () => calls.push("resume"),
    abort: (error: Error) => calls.push(`abort: ${error.message}`),
  } as never;
  const exchange = new Exchange(clock, timeoutMs);
  let settled = 0;
  exchange.onSettled = () => {
    settled += 1;
  };
  const start = () => exchange.onRequestStart(controller);
  const answer = (status = 200, headers = {}) => exchange.onResponseStart(controller, status, headers);
  const data = (chunk: Uint8Array) => exchange.onResponseData(controller, chunk);
  const answered = (status?: number) => {
    start();
    answer(status);
  };
  return {
    exchange,
    pass,
    calls,
    controller,
    start,
    answer,
    answered,
    data,
    settled: () => settled,
    timers: () => timers,
  };
}

export const broken = (stage: string, received = 0, timedOut = false) =>
  expect.objectContaining({ stage, received, timedOut });
