import { describe, expect, test } from "vitest";
import { type ExitName, Failure, type FailureDetails } from "../../../src/base/errors.ts";
import { secondsToWait, waitFlags, waitFor, waitTimeout } from "../../../src/verbs/poll.ts";
import { contextFor } from "../../support/context.ts";

type Check = () => Promise<{ done: string } | { progress?: string } | undefined>;

/** Waits with a clock that only pauses move, and returns the outcome, the pauses in seconds, and what was shown. */
async function waited(checks: Check[], { limitSeconds = 60, made = [] as string[] } = {}) {
  const context = contextFor("http://127.0.0.1:1");
  let ms = 0;
  const pauses: number[] = [];
  const shown: string[] = [];
  const sleep = (pause: number, signal?: AbortSignal) => {
    if (signal) return new Promise<void>(() => undefined);
    pauses.push(pause / 1000);
    ms += pause;
    return Promise.resolve();
  };
  const task = {
    update: (_: number, { label }: { label: string }) => void shown.push(label),
    stop: () => void shown.push("stop"),
  };
  const start = (label: string) => {
    shown.push(label);
    return task;
  };
  Object.assign(context, { elapsedMs: () => ms, sleep, api: { made }, progress: { start } });
  const check = () => (checks.length > 1 ? checks.shift() : checks[0])?.() ?? Promise.resolve(undefined);
  const wait = { label: "exporting", check, resume: "groups status acme", limitSeconds };
  const outcome = await waitFor(context, wait).catch((error: unknown) => error);
  return { outcome, pauses, shown };
}

const notYet: Check = async () => undefined;
const done: Check = async () => ({ done: "ready" });
const failing =
  (exit: ExitName, details: FailureDetails = {}) =>
  () =>
    Promise.reject(new Failure(exit, "no", details));

describe("a wait", () => {
  test("that is over at once has no pause", async () => {
    expect(await waited([done])).toEqual({ outcome: "ready", pauses: [], shown: ["exporting", "stop"] });
  });

  test("pauses half as long again each time, from half a second to ten", async () => {
    const { outcome, pauses } = await waited([...Array(10).fill(notYet), done], { limitSeconds: 100 });
    expect(outcome).toBe("ready");
    expect(pauses.map((each) => Number(each.toFixed(3)))).toEqual([
      ...[0.5, 0.75, 1.125, 1.688, 2.531, 3.797, 5.695, 8.543],
      ...[10, 10],
    ]);
  });

  test("shows its progress", async () => {
    const { shown } = await waited([async () => ({ progress: "3 of 5" }), notYet, done]);
    expect(shown).toEqual(["exporting", "exporting: 3 of 5", "stop"]);
  });

  test("ends with exit 8 and the command that continues it", async () => {
    const { outcome, pauses } = await waited([notYet], { limitSeconds: 1 });
    expect(outcome).toMatchObject({
      exit: "notReady",
      message: "not ready after 1 second (exporting)",
      details: { hint: "forgectl groups status acme", retryable: true },
    });
    expect((outcome as Failure).details).not.toHaveProperty("reason");
    expect(pauses).toEqual([0.5, 0.5]);
  });

  test("after a change is not to be repeated: the operation continues", async () => {
    const { outcome } = await waited([notYet], { limitSeconds: 2, made: ["POST /export"] });
    expect(outcome).toMatchObject({
      message: "not ready after 2 seconds (exporting)",
      details: { outcome: "made", retryable: false },
    });
  });

  test("ends in time though a check does not", async () => {
    const context = contextFor("http://127.0.0.1:1");
    let ms = 0;
    const sleep = async (pause: number) => {
      ms += pause;
    };
    Object.assign(context, { elapsedMs: () => ms, sleep, api: { made: [] } });
    const never = () => new Promise<undefined>(() => undefined);
    const wait = waitFor(context, { label: "exporting", check: never, resume: "x", limitSeconds: 5 });
    await expect(wait).rejects.toMatchObject({ exit: "notReady" });
    expect(ms).toBe(5000);
  });
});

describe("a check that fails", () => {
  test.each<[ExitName, FailureDetails]>([
    ["network", {}],
    ["network", { method: "GET", retryable: true }],
    ["refused", { status: 500 }],
    ["refused", { status: 503, method: "HEAD" }],
    ["rateLimited", { status: 429 }],
    ["refused", { status: 499 }],
  ])("with %s %j may succeed later", async (exit, details) => {
    const { outcome, shown } = await waited([failing(exit, details), done]);
    expect(outcome).toBe("ready");
    expect(shown).toContain("exporting: checking again after: no");
  });

  test.each<[ExitName, FailureDetails]>([
    ["network", { retryable: false }],
    ["network", { unreached: true }],
    ["network", { method: "POST" }],
    ["refused", { status: 498 }],
    ["refused", {}],
    ["notFound", { status: 404 }],
    ["rateLimited", { status: 429, method: "POST" }],
    ["interrupted", {}],
  ])("with %s %j ends the wait", async (exit, details) => {
    expect((await waited([failing(exit, details), done])).outcome).toMatchObject({ exit, message: "no" });
  });

  test("as a bug does, ends the wait too", async () => {
    expect((await waited([() => Promise.reject(new TypeError("x"))])).outcome).toBeInstanceOf(TypeError);
  });

  test("because of a rate limit is repeated after a minute, since limits are per minute", async () => {
    const { pauses } = await waited([failing("rateLimited"), notYet, done], { limitSeconds: 200 });
    expect(pauses).toEqual([60, 0.75]);
    expect((await waited([failing("rateLimited"), done], { limitSeconds: 20 })).pauses).toEqual([20]);
  });

  test("last is the reason of the timeout, in its own words or the server's", async () => {
    const reasons = async (check: Check, ...more: Check[]) => {
      const { outcome } = await waited([check, ...more], { limitSeconds: 1 });
      return (outcome as Failure).details.reason;
    };
    expect(await reasons(failing("network"))).toBe("the last check failed: no");
    expect(await reasons(failing("refused", { status: 502, reason: "bad gateway" }))).toBe(
      "the last check failed: no: bad gateway",
    );
    expect(await reasons(failing("network"), notYet)).toBeUndefined();
  });
});

test("--wait-timeout has a default, and needs --wait", () => {
  expect(secondsToWait({ wait: true }, 600)).toBe(600);
  expect(secondsToWait({ wait: true, wait_timeout: 5 }, 600)).toBe(5);
  expect(secondsToWait({}, 600)).toBeUndefined();
  expect(() => secondsToWait({ wait_timeout: 5 }, 600)).toThrow("--wait-timeout needs --wait");
  expect(waitTimeout(600)).toMatchObject({ default: 600, min: 1, placeholder: "seconds" });
  expect(waitFlags("Wait", 600)).toMatchObject({ wait: { description: "Wait" }, wait_timeout: { default: 600 } });
});
