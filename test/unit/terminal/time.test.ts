import { afterEach, expect, test } from "vitest";
import { duration, shortTime } from "../../../src/terminal/time.ts";
import { now } from "./recorder.ts";

const { TZ } = process.env;
afterEach(() => {
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

// It is Tuesday, 10 March 2026, 12:00 in UTC.
test.each([
  ["UTC", "2026-03-07T11:00:00.000Z", "Sat 11:00"],
  ["UTC", "2026-03-07T13:00:00.000+02:00", "Sat 11:00"],
  ["UTC", "2026-03-10T11:59:59.500Z", "Tue 11:59"],
  ["UTC", "2026-03-04T00:00:00Z", "Wed 00:00"],
  ["UTC", "2026-03-03T23:59:59Z", "2026-03-03"],
  ["UTC", "2026-03-16T14:05:00Z", "Mon 14:05"],
  ["UTC", "2026-03-17T14:00:00Z", "2026-03-17"],
  ["UTC", "2020-01-01T00:00:00Z", "2020-01-01"],
  ["America/New_York", "2026-03-04T04:59:00Z", "2026-03-03"],
  ["America/New_York", "2026-03-04T05:01:00Z", "Wed 00:01"],
  ["America/New_York", "2026-03-08T07:30:00Z", "Sun 03:30"],
  ["Asia/Tokyo", "2026-03-09T15:00:00Z", "Tue 00:00"],
  ["UTC", "soon", "soon"],
])("in %s, %s is %s", (zone, time, text) => {
  process.env.TZ = zone;
  expect(shortTime(time, now)).toBe(text);
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
