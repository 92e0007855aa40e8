import { describe, expect, test } from "vitest";
import type { ObservedAnswer } from "../../../src/api/api.ts";
import type { Context } from "../../../src/context.ts";
import { instanceClock } from "../../../src/verbs/instance-clock.ts";

const now = Date.parse("2026-11-21T12:00:00Z");
const second = 1000;

/** The instance's time and the earlier one, in seconds from this machine's, after answers with these differences. */
function clockAfter(...answers: (number | string | undefined)[]) {
  const warnings: string[] = [];
  let observe: (answer: ObservedAnswer) => void = () => undefined;
  const context = {
    api: {
      fork: ({ observe: seen }: { observe: typeof observe }) => {
        observe = seen;
        return "the observed instance";
      },
    },
    now: () => new Date(now),
    shownTime: (time: string) => time.slice(11, 19),
    warn: (text: string) => warnings.push(text),
  } as unknown as Context;
  const clock = instanceClock(context);
  for (const each of answers) {
    const date = typeof each === "number" ? new Date(now + each * second).toISOString() : each;
    observe({ date } as ObservedAnswer);
  }
  const seconds = (time: Date) => (time.getTime() - now) / second;
  const read = () => [seconds(clock.instance()), seconds(clock.earlier())];
  return { api: clock.api, read, warnings, context };
}

describe("the time by which ages are counted", () => {
  test.each<[string, (number | string | undefined)[], number, number]>([
    ["no answer", [], 0, 0],
    ["no date in an answer", [undefined], 0, 0],
    ["a date that is none", ["yesterday"], 0, 0],
    ["a small difference, which the way of an answer explains", [30], 0, 0],
    ["a small difference behind", [-30], 0, 0],
    ["an instance ahead", [31], 31, 0],
    ["this machine ahead", [-31], -31, -31],
    ["several answers: a cache's are late, the latest tells the time", [-600, -90, -300], -90, -90],
    ["answers with and without dates", [-60, undefined, "x"], -60, -60],
  ])("with %s", (_, answers, instance, earlier) => {
    const { read, warnings } = clockAfter(...answers);
    expect(read()).toEqual([instance, earlier]);
    // An instance's clock that is ahead makes nothing old.
    expect(warnings).toHaveLength(earlier < 0 ? 1 : 0);
  });

  test("is read through the API that it observes", () => {
    expect(clockAfter().api).toBe("the observed instance");
  });
});

test("a clock of this machine that is ahead is warned of, once in a run", () => {
  const { read, warnings, context } = clockAfter(-3600);
  read();
  read();
  expect(warnings).toEqual([
    "this machine's clock (12:00:00) is ahead of the instance's (11:00:00): ages are counted by the instance's",
  ]);
  let observe: (answer: ObservedAnswer) => void = () => undefined;
  const again = {
    ...context,
    api: { fork: (seen: { observe: typeof observe }) => (observe = seen.observe) },
  } as unknown as Context;
  const other = instanceClock(again);
  observe({ date: new Date(now - 7200 * second).toISOString() } as ObservedAnswer);
  other.earlier();
  expect(warnings).toHaveLength(1);
});
