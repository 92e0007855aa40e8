import { describe, expect, test } from "vitest";
import { isGatewayError } from "../../../src/api/outcome.ts";
import { announcement, backoff, isRetryable, statusWords, waitAfter } from "../../../src/api/transport/retry.ts";

const now = Date.UTC(2030, 0, 1);
const clock = (random = 0.5) => ({ now: () => now, random: () => random });
const own = { "content-type": "application/json" };
const after = { ...own, "retry-after": "1" };

test.each([
  [429, true, true, true],
  [500, false, false, false],
  [501, false, false, false],
  [502, true, false, false],
  [503, true, false, true],
  [504, true, false, false],
  [505, false, false, false],
  [519, false, false, false],
  [520, true, false, false],
  [530, true, false, false],
  [531, false, false, false],
  [404, false, false, false],
  [200, false, false, false],
])("%i: retried if idempotent: %s, if not: %s, with Retry-After: %s", (status, repeatable, once, onceAfter) => {
  expect([isRetryable(true, status, own), isRetryable(false, status, own), isRetryable(false, status, after)]).toEqual([
    repeatable,
    once,
    onceAfter,
  ]);
});

test.each([408, 501, 502, 503, 504, 505, 519, 520, 530, 531])(
  "%i may be a proxy's, after the instance acted",
  (status) => {
    expect(isGatewayError(status, own)).toBe([408, 502, 504, 520, 530].includes(status));
  },
);

test.each([{}, { "content-type": "text/html; charset=utf-8" }, { "content-type": "text/plain" }])(
  "a 503 that is no JSON may be a cache's, after the instance acted: %o",
  (headers) => {
    expect(isGatewayError(503, headers)).toBe(true);
    const asked = { ...headers, "retry-after": "5" };
    expect([isRetryable(true, 503, asked), isRetryable(false, 503, asked)]).toEqual([true, false]);
  },
);

describe("milliseconds that the server asked for", () => {
  test.each<[string, number, Record<string, string>, number | undefined]>([
    ["seconds", 503, { "retry-after": "7" }, 7000],
    ["a fraction", 503, { "retry-after": "1.5" }, 1500],
    ["repeated: the longest", 429, { "retry-after": "2, 9, 3" }, 9000],
    ["with blanks", 503, { "retry-after": " 2 " }, 2000],
    ["a date", 503, { "retry-after": new Date(now + 90_000).toUTCString() }, 90_000],
    ["a reset in seconds from now", 429, { "ratelimit-reset": "30" }, 30_000],
    ["a reset since 1970", 429, { "ratelimit-reset": ` ${now / 1000 + 45} ` }, 45_000],
    ["both: Retry-After", 429, { "retry-after": "3", "ratelimit-reset": "30" }, 3000],
    ["an unusable one: the reset", 429, { "retry-after": "soon", "ratelimit-reset": "30" }, 30_000],
    ["ten minutes", 503, { "retry-after": "600" }, 600_000],
    ["longer: no further attempt", 503, { "retry-after": "601" }, undefined],
  ])("%s", (_, status, headers, ms) => expect(waitAfter(status, headers, 1, clock())).toBe(ms));
});

describe("without that", () => {
  test.each<[string, number, Record<string, string>]>([
    ["nothing", 503, {}],
    ["a time that is over", 503, { "retry-after": new Date(now - 1000).toUTCString() }],
    ["no wait", 503, { "retry-after": "0" }],
    ["a reset of another status", 503, { "ratelimit-reset": "30" }],
    ["a partly numeric one", 503, { "retry-after": "2, soon" }],
    ["a reset that is now", 429, { "ratelimit-reset": String(now / 1000) }],
  ])("the usual pause: %s", (_, status, headers) => expect(waitAfter(status, headers, 2, clock(0))).toBe(500));

  test("a limit per minute is over after a minute, and not for all at once", () => {
    expect(waitAfter(429, {}, 1, clock(0))).toBe(60_000);
    expect(waitAfter(429, { "ratelimit-reset": "soon" }, 1, clock(1))).toBe(65_000);
  });

  test("pauses double up to half a minute, and half of each is random", () => {
    const pauses = (random: number) => [1, 2, 3, 7, 20].map((attempt) => backoff(attempt, clock(random)));
    expect(pauses(1)).toEqual([500, 1000, 2000, 30_000, 30_000]);
    expect(pauses(0)).toEqual([250, 500, 1000, 15_000, 15_000]);
  });
});

test("a wait is announced in whole seconds, rounded up, with its reason", () => {
  expect(announcement(statusWords(503), 1001, 2, 5)).toBe("the instance answered 503; next attempt in 2 s (2 of 5)");
  expect(statusWords(429)).toBe("rate limited by the instance (429)");
});
