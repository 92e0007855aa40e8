import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Watchdog } from "../../../src/api/transport/watchdog.ts";
import { broken, bytes, kib, opened, timeoutMs } from "./support/opened-exchange.ts";

/** A body of these lengths; the source waits at `slow`. */
const bodyOf = (size: number, lengths: number[], slow?: Promise<void>) => ({
  size,
  async *stream() {
    for (const length of lengths) {
      yield bytes(length);
      await slow;
    }
  },
});

describe("a request's body", () => {
  test("is sent as it comes from its source", async () => {
    const { exchange, start } = opened();
    start();
    const lengths: number[] = [];
    for await (const chunk of exchange.upload(bodyOf(5, [2, 3]))) lengths.push(chunk.length);
    expect(lengths).toEqual([2, 3]);
  });

  test.each([
    ["shorter", [2, 2], [2, 2], "4 of the announced 5 bytes"],
    ["longer", [2, 4, 1], [2], "more than the announced 5 bytes"],
  ])("that is %s than announced is an error, and the rest is not sent", async (_, lengths, sent, words) => {
    const { exchange, start, calls } = opened();
    start();
    const seen: number[] = [];
    const send = async () => {
      for await (const chunk of exchange.upload(bodyOf(5, lengths))) seen.push(chunk.length);
    };
    await expect(send()).rejects.toThrow(words);
    await expect(exchange.head).rejects.toThrow(words);
    expect([seen, calls.length]).toEqual([sent, 1]);
  });

  test("has a timeout while the server takes it, and none while its source is slow", async () => {
    const { exchange, start, pass } = opened();
    start();
    let go = () => {};
    const slow = new Promise<void>((resolve) => {
      go = resolve;
    });
    const upload = exchange.upload(bodyOf(4, [2, 2], slow));
    expect((await upload.next()).done).toBe(false);
    const second = upload.next();
    await turn();
    pass(10 * timeoutMs);
    go();
    expect((await second).done).toBe(false);
    pass(timeoutMs - 1);
    expect((await upload.next()).done).toBe(true);
    pass(timeoutMs - 1);
    exchange.onResponseError(undefined, new Error("reset"));
    await expect(exchange.head).rejects.toEqual(broken("answer"));
  });

  test("that the server does not take ends with the timeout", async () => {
    const { exchange, start, pass } = opened();
    start();
    const upload = exchange.upload(bodyOf(4, [2, 2]));
    await upload.next();
    pass(timeoutMs);
    await expect(exchange.head).rejects.toEqual(broken("answer", 0, true));
  });

  test.each([
    ["a chunk that its source gave late", 2],
    ["all of it", 3],
  ])("the server has its time for %s", async (_, steps) => {
    const { exchange, start, pass } = opened();
    start();
    const upload = exchange.upload(bodyOf(4, [2, 2]));
    for (let step = 1; step <= steps; step++) {
      pass(timeoutMs - 1);
      await upload.next();
    }
    pass(timeoutMs - 1);
    let failed = false;
    exchange.head.catch(() => {
      failed = true;
    });
    await turn();
    expect(failed).toBe(false);
    pass(1);
    await expect(exchange.head).rejects.toEqual(broken("answer", 0, true));
  });

  test("has none once the answer is there", async () => {
    const { exchange, answered, pass } = opened();
    answered();
    const upload = exchange.upload(bodyOf(4, [2, 2]));
    await upload.next();
    pass(10 * timeoutMs);
    await upload.next();
    await upload.next();
    pass(10 * timeoutMs);
    exchange.onResponseEnd();
    expect((await exchange.next()).done).toBe(true);
  });
});

describe("the rest of an answer that is not read", () => {
  test("is drained if it is short, so that the connection can be used again", async () => {
    const { exchange, answered, data, calls } = opened();
    answered();
    data(bytes(32 * kib));
    const done = exchange.discard();
    data(bytes(64 * kib));
    await turn();
    exchange.onResponseEnd();
    await done;
    expect(calls).toEqual([]);
  });

  test("is cut past 64 KiB", async () => {
    const { exchange, answered, data, calls } = opened();
    answered();
    data(bytes(kib));
    const done = exchange.discard();
    data(bytes(64 * kib));
    await turn();
    expect(calls).toEqual([]);
    data(bytes(1));
    await done;
    expect(calls).toEqual(["abort: the reader left"]);
  });

  test("is cut after two seconds, and an error of it is none", async () => {
    const { exchange, answered, data, pass, calls } = opened();
    answered();
    const done = exchange.discard();
    for (const _ of [1, 2]) {
      pass(1000);
      data(bytes(1));
      await turn();
    }
    expect(calls).toEqual([]);
    pass(1);
    data(bytes(1));
    await done;
    expect(calls).toEqual(["abort: broken at body"]);
    const failed = opened();
    failed.answered();
    failed.exchange.onResponseError(undefined, new Error("reset"));
    await failed.exchange.discard();
  });
});

describe("a watchdog", () => {
  function watched() {
    let now = 0;
    const timers: { ms: number; act: () => void; canceled: boolean }[] = [];
    let expired = 0;
    const after = (ms: number, act: () => void) => {
      const timer = { ms, act, canceled: false };
      timers.push(timer);
      return () => {
        timer.canceled = true;
      };
    };
    const dog = new Watchdog({ elapsedMs: () => now, after }, 100, () => expired++);
    const fire = (at: number) => {
      now = at;
      timers.at(-1)?.act();
    };
    return { dog, fire, timers, at: (time: number) => (now = time), expired: () => expired };
  }

  test("serves many waits with one timer, and waits for the rest of the last one", () => {
    const { dog, fire, timers, at, expired } = watched();
    dog.wait();
    at(40);
    dog.wait();
    expect(timers.map(({ ms }) => ms)).toEqual([100]);
    fire(100);
    expect([timers.map(({ ms }) => ms), expired()]).toEqual([[100, 40], 0]);
    fire(140);
    expect([timers.length, expired()]).toEqual([2, 1]);
  });

  test("does nothing while there is no wait, and starts again with the next wait", () => {
    const { dog, fire, timers, expired } = watched();
    dog.wait();
    dog.rest();
    fire(100);
    expect([timers.length, expired()]).toEqual([1, 0]);
    dog.wait();
    expect(timers.length).toBe(2);
    fire(200);
    expect(expired()).toBe(1);
  });

  test("that was stopped is canceled, and does not start again", () => {
    const { dog, timers } = watched();
    dog.wait();
    dog.stop();
    expect(timers[0]?.canceled).toBe(true);
    dog.wait();
    expect(timers).toHaveLength(1);
    const unused = watched();
    unused.dog.stop();
    unused.dog.wait();
    expect(unused.timers).toEqual([]);
  });
});
