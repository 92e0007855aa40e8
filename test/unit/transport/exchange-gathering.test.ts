import { describe, expect, test } from "vitest";
import { Failure } from "../../../src/base/errors.ts";
import { broken, bytes, kib, opened, timeoutMs } from "./support/opened-exchange.ts";

describe("a body that is gathered", () => {
  test("is passed on as it arrives, with what had arrived before", async () => {
    const { exchange, answered, data, calls, pass } = opened();
    answered();
    data(bytes(kib * kib));
    const seen: number[] = [];
    const gathered = exchange.gather((chunk) => seen.push(chunk.length));
    expect([seen, calls]).toEqual([[kib * kib], ["pause", "resume"]]);
    for (const _ of [1, 2, 3]) {
      pass(timeoutMs - 1);
      data(bytes(kib * kib));
    }
    exchange.onResponseEnd();
    await gathered;
    expect([seen.length, calls.length, exchange.received]).toEqual([4, 2, 4 * kib * kib]);
  });

  test("may have ended or broken before", async () => {
    const ended = opened();
    ended.answered();
    ended.data(bytes(2));
    ended.exchange.onResponseEnd();
    let length = 0;
    await ended.exchange.gather((chunk) => {
      length += chunk.length;
    });
    expect(length).toBe(2);
    const failed = opened();
    failed.answered();
    failed.exchange.onResponseError(undefined, new Error("reset"));
    await expect(failed.exchange.gather(() => {})).rejects.toEqual(broken("body"));
  });

  test("has a timeout, and ends with the error of the one who takes it", async () => {
    const late = opened();
    late.answered();
    const gathered = late.exchange.gather(() => {});
    late.pass(timeoutMs);
    await expect(gathered).rejects.toEqual(broken("body", 0, true));
    const refused = opened();
    refused.answered();
    const taken = refused.exchange.gather(() => {
      throw new Failure("refused", "too large");
    });
    refused.data(bytes(1));
    await expect(taken).rejects.toThrow("too large");
    expect(refused.calls).toEqual(["abort: too large"]);
  });

  test("ends with that error too if all of it had arrived before", async () => {
    const { exchange, answered, data } = opened();
    answered();
    data(bytes(1));
    exchange.onResponseEnd();
    const gathered = exchange.gather(() => {
      throw new Failure("refused", "too large");
    });
    await expect(gathered).rejects.toThrow("too large");
  });
});
