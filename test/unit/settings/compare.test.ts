import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findSetting } from "../../../src/settings/catalogue.ts";
import { differsFromDefault, sameValue } from "../../../src/settings/compare.ts";

describe("sameValue", () => {
  test("ignores the order of keys, but not of items", () => {
    expect(sameValue({ a: 1, b: { c: [1], d: 2 } }, { b: { d: 2, c: [1] }, a: 1 })).toBe(true);
    expect(sameValue([1, 2], [2, 1])).toBe(false);
    expect(sameValue([{ a: 1, b: 2 }], [{ b: 2, a: 1 }])).toBe(true);
  });

  test.each([
    [1, "1"],
    [0, false],
    [null, undefined],
    [null, {}],
    ["", null],
    [[], {}],
    [[], null],
    [[1], [1, 2]],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: undefined }, { b: undefined }],
    [{ a: 1 }, { a: 2 }],
  ])("%j and %j differ, both ways", (a, b) => {
    expect(sameValue(a, b)).toBe(false);
    expect(sameValue(b, a)).toBe(false);
  });

  test("a value equals its copy with all keys reversed, and differs when wrapped", () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, item]) => [key, reversed(item)]),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(sameValue(value, reversed(value))).toBe(true);
        expect(sameValue(value, [value])).toBe(false);
      }),
    );
  });
});

describe("differsFromDefault", () => {
  test.each([
    ["signup_enabled", true, false],
    ["signup_enabled", false, true],
    ["jobqueue_job_limiter_limit_bytes", 0, false],
    ["jobqueue_job_limiter_limit_bytes", null, true],
    ["silent_mode_enabled", false, false],
    ["admin_mode", true, undefined],
  ])("%s at %j: %s", (name, value, differs) => {
    const setting = findSetting(name);
    expect(setting && differsFromDefault(setting, value)).toBe(differs);
    expect(setting?.name).toBe(name);
  });
});
