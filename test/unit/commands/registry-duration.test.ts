import fc from "fast-check";
import { expect, test } from "vitest";
import { readDuration } from "../../../src/base/duration.ts";
import { UsageError } from "../../../src/base/errors.ts";

const hour = 3600;
const day = 24 * hour;
const read = (text: string) => readDuration(text, "--older-than");

test.each([
  ["1h", hour],
  ["1d", day],
  ["1month", 30 * day],
  ["2 weeks", 14 * day],
  ["1 year", 365.25 * day],
  ["90s", 90],
  ["30min", 1800],
  ["1.5 h", 5400],
  ["1h30min", 5400],
  ["1 day 12 hours", 1.5 * day],
  ["1 day, 12 hours", 1.5 * day],
  ["1 day and 12 hours", 1.5 * day],
  ["  3 Months ", 90 * day],
])("%s is %d seconds", (text, seconds) => {
  expect(read(text)).toBe(seconds);
});

test.each([
  "3 fortnights",
  "1",
  "h",
  "",
  " ",
  "0d",
  "-1d",
  "1d ago",
  "tomorrow",
  "1h 2",
  "1h,,2h",
  "1dd",
  "1e3h",
  "P1D",
  // A minute to the platform, a month to many users.
  "1m",
  "1M",
])("%j is refused", (text) => {
  expect(() => read(text)).toThrow(UsageError);
  expect(() => read(text)).toThrow(`--older-than: "${text}" is not a duration`);
});

test("shows the position of an error in a longer text", () => {
  expect(() => read("1 day 3 fortnights")).toThrow('"1 day 3 fortnights" is not a duration (at "3 fortnights")');
});

test("parts are added, and any other text is refused as a whole", () => {
  const unit = fc.constantFrom("h", "d", "weeks", "month");
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 99 }), unit), { minLength: 1, maxLength: 4 }), (parts) => {
      const texts = parts.map(([count, name]) => `${count}${name}`);
      expect(read(texts.join(" "))).toBe(texts.map(read).reduce((sum, each) => sum + each, 0));
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        expect(read(text)).toBeGreaterThan(0);
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError);
      }
    }),
  );
});
