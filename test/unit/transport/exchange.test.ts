import { describe, expect, test } from "vitest";
import { Broken } from "../../../src/api/transport/broken-exchange.ts";
import { broken, bytes, kib, opened, timeoutMs } from "./support/opened-exchange.ts";

describe("the head of an answer", () => {
  test("has its status, and repeated headers as one; interim answers are none", async () => {
    const { exchange, start, answer } = opened();
    expect(exchange.started).toBe(false);
    start();
    answer(103, { link: "early" });
    answer(200, { a: "b", "set-cookie": ["c", "d"] });
    expect(await exchange.head).toEqual({ status: 200, headers: { a: "b", "set-cookie": "c, d" } });
    expect(exchange.started).toBe(true);
  });

  test.each([
    ["before a connection is there", false, "connect"],
    ["before it arrives", true, "answer"],
  ])("fails %s", async (_, isStarted, stage) => {
    const { exchange, start, settled } = opened();
    if (isStarted) start();
    exchange.onResponseError(undefined, new Error("reset"));
    await expect(exchange.head).rejects.toEqual(broken(stage));
    await expect(exchange.head).rejects.toMatchObject({ cause: { message: "reset" } });
    await expect(exchange.next()).rejects.toBeInstanceOf(Broken);
    expect(settled()).toBe(1);
  });

  test("fails with the reason that is known already", async () => {
    const { exchange } = opened();
    const known = new Broken("connect");
    exchange.onResponseError(undefined, known);
    await expect(exchange.head).rejects.toBe(known);
  });

  test("is waited for until the timeout, which interim answers do not prolong", async () => {
    const { exchange, start, answer, pass, calls, timers } = opened();
    pass(10 * timeoutMs);
    start();
    pass(timeoutMs - 1);
    answer(103);
    expect(calls).toEqual([]);
    pass(1);
    await expect(exchange.head).rejects.toEqual(broken("answer", 0, true));
    expect(calls).toEqual(["abort: broken at answer"]);
    expect(timers()).toEqual([]);
  });
});

describe("the body of an answer", () => {
  test("comes in batches of what arrived in one turn, then ends", async () => {
    const { exchange, answered, data, settled } = opened();
    answered();
    const [a, b, c] = [bytes(1, 1), bytes(1, 2), bytes(1, 3)];
    const waiting = exchange.next();
    data(a);
    data(b);
    expect(await waiting).toEqual({ value: [a, b], done: false });
    data(c);
    exchange.onResponseEnd();
    expect(exchange.received).toBe(3);
    expect(await exchange.next()).toEqual({ value: [c], done: false });
    for (const _ of [1, 2]) expect(await exchange.next()).toEqual({ value: undefined, done: true });
    expect(settled()).toBe(1);
  });

  test("can be iterated", async () => {
    const { exchange, answered, data } = opened();
    answered();
    data(bytes(2));
    exchange.onResponseEnd();
    const seen: number[] = [];
    for await (const chunks of exchange) seen.push(...chunks.map(({ length }) => length));
    expect(seen).toEqual([2]);
  });

  test("ends for a reader that waits, without a batch or after the last one", async () => {
    for (const chunks of [[], [bytes(1)]]) {
      const { exchange, answered, data } = opened();
      answered();
      const waiting = exchange.next();
      for (const chunk of chunks) data(chunk);
      exchange.onResponseEnd();
      expect((await waiting).done).toBe(chunks.length === 0);
      expect((await exchange.next()).done).toBe(true);
    }
  });

  test("that breaks gives what arrived before, then the reason", async () => {
    const { exchange, answered, data } = opened();
    answered();
    data(bytes(5));
    exchange.onResponseError(undefined, new Error("reset"));
    expect((await exchange.next()).value).toHaveLength(1);
    await expect(exchange.next()).rejects.toEqual(broken("body", 5));
    const both = opened();
    both.answered();
    const first = both.exchange.next();
    both.data(bytes(1));
    both.exchange.onResponseError(undefined, new Error("reset"));
    expect((await first).value).toHaveLength(1);
    await expect(both.exchange.next()).rejects.toEqual(broken("body", 1));
    const waiting = opened();
    waiting.answered();
    const next = waiting.exchange.next();
    waiting.exchange.onResponseError(undefined, new Error("reset"));
    await expect(next).rejects.toEqual(broken("body"));
  });

  test("has a timeout while it is waited for, again after each chunk, and none while it is not read", async () => {
    const { exchange, answered, data, pass } = opened();
    answered();
    pass(10 * timeoutMs);
    data(bytes(1));
    expect((await exchange.next()).done).toBe(false);
    const waiting = exchange.next();
    pass(timeoutMs - 1);
    data(bytes(1));
    expect((await waiting).done).toBe(false);
    pass(10 * timeoutMs);
    const late = exchange.next();
    pass(timeoutMs);
    await expect(late).rejects.toEqual(broken("body", 2, true));
  });

  test("is paused from a MiB on that are not read yet, and resumed when it is", async () => {
    const { exchange, answered, data, calls } = opened();
    answered();
    data(bytes(kib * kib - 1));
    expect(calls).toEqual([]);
    data(bytes(1));
    expect(calls).toEqual(["pause"]);
    data(bytes(0));
    expect((await exchange.next()).value).toHaveLength(2);
    expect(calls).toEqual(["pause", "resume"]);
    exchange.resume();
    data(bytes(kib * kib - 1));
    expect(calls).toEqual(["pause", "resume"]);
  });

  test.each([
    [399, false],
    [400, true],
    [500, true],
  ])("of a %i must arrive within ten seconds: %s", async (status, limited) => {
    const { exchange, answered, data, pass } = opened();
    answered(status);
    data(bytes(1));
    pass(10_000);
    expect((await exchange.next()).done).toBe(false);
    data(bytes(1));
    pass(1);
    if (limited) await expect(exchange.next()).rejects.toEqual(broken("body", 2, true));
    else expect((await exchange.next()).done).toBe(false);
  });
});

describe("what ends an exchange early", () => {
  test("its reader gets the reason, and what has arrived is dropped; only the first counts", async () => {
    const { exchange, answered, data, calls, settled } = opened();
    answered();
    data(bytes(1));
    exchange.abort("stop");
    exchange.abort(new Error("again"));
    data(bytes(0));
    exchange.onResponseError(undefined, new Error("aborted"));
    await expect(exchange.next()).rejects.toBe("stop");
    expect([calls, settled()]).toEqual([["abort: aborted"], 1]);
  });

  test("before a connection is there, its request is not sent", async () => {
    const { exchange, start, calls, pass } = opened();
    exchange.abort(new Error("stop"));
    expect(calls).toEqual([]);
    start();
    pass(timeoutMs);
    expect(calls).toEqual(["abort: aborted"]);
    await expect(exchange.head).rejects.toThrow("stop");
  });

  test("after its end, nothing", async () => {
    const { exchange, answered, calls, settled } = opened();
    answered();
    exchange.onResponseEnd();
    exchange.abort(new Error("stop"));
    exchange.onResponseError(undefined, new Error("reset"));
    expect([(await exchange.next()).done, calls, settled()]).toEqual([true, [], 1]);
    const unread = opened();
    unread.answered();
    unread.data(bytes(1));
    unread.exchange.onResponseEnd();
    unread.exchange.abort(new Error("stop"));
    expect((await unread.exchange.next()).value).toHaveLength(1);
  });

  test("a reader that leaves", async () => {
    const { exchange, answered, calls } = opened();
    answered();
    expect(await exchange.return()).toEqual({ value: undefined, done: true });
    expect(calls).toEqual(["abort: the reader left"]);
  });
});
