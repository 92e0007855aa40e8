import { expect, test } from "vitest";
import { duration, relativeDay, relativeTime } from "../../../src/terminal/time.ts";
import { now } from "./recorder.ts";

test.each([
  ["2026-03-07T11:00:00.000Z", "3 days ago"],
  ["2026-03-07T13:00:00.000+02:00", "3 days ago"],
  ["2026-03-10T11:59:59.500Z", "just now"],
  ["2026-03-10T11:59:59Z", "1 second ago"],
  ["2026-03-10T11:58:30Z", "1 minute ago"],
  ["2026-03-10T14:00:00Z", "in 2 hours"],
  ["2026-02-01T12:00:00Z", "1 month ago"],
  ["2025-04-01T12:00:00Z", "11 months ago"],
  ["2020-01-01T00:00:00Z", "6 years ago"],
  ["soon", "soon"],
])("%s is %s", (time, text) => {
  expect(relativeTime(time, now)).toBe(text);
});

test.each([
  ["2026-03-10", "today"],
  ["2026-03-09", "1 day ago"],
  ["2026-03-07", "3 days ago"],
  ["2026-03-11", "in 1 day"],
  ["2026-01-10", "1 month ago"],
  ["soon", "soon"],
])("the day %s is %s", (day, text) => {
  expect(relativeDay(day, now)).toBe(text);
});

test.each([
  [0, "0s"],
  [0.35, "0.35s"],
  [59.4, "59s"],
  [59.6, "1m"],
  [65, "1m 5s"],
  [3600, "1h"],
  [3605, "1h"],
  [90_000, "1d 1h"],
  [8_640_000, "100d"],
  [-65, "-1m 5s"],
])("%d seconds are %s", (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});
