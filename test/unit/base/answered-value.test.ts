import { expect, test } from "vitest";
import { timeIn } from "../../../src/base/answered-value.ts";

test("a time is a date, or has a zone", () => {
  const at = Date.parse("2026-01-31T08:00:00Z");
  for (const text of ["2026-01-31T08:00:00Z", "2026-01-31T09:00:00.000+01:00", "2026-01-31 08:00:00 UTC"]) {
    expect(timeIn(text)).toBe(at);
  }
  expect(timeIn("2026-01-31T08:00:00.123456789Z")).toBe(at + 123);
  expect(timeIn("2026-01-31")).toBe(Date.parse("2026-01-31T00:00:00Z"));
});

test("what Date.parse would guess is none", () => {
  for (const value of ["5", "20", "yesterday 1", "01/02/2020", "01.02.2020", "2026-01-31T08:00:00", "", "never"]) {
    expect(timeIn(value)).toBeUndefined();
  }
  for (const value of [1_577_836_800, null, undefined, {}]) expect(timeIn(value)).toBeUndefined();
  expect(timeIn("0000-00-00 00:00:00 UTC")).toBeUndefined();
});
