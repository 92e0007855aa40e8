import fc from "fast-check";
import { expect, test } from "vitest";
import { eased, fitWidths } from "../../../src/terminal/layout.ts";
import { visible } from "../../../src/terminal/sanitize.ts";
import { loadMeasure } from "../../../src/terminal/width.ts";

test("widths that fit are kept", () => {
  expect(fitWidths([3, 10], [false, false], 13)).toEqual([3, 10]);
});

test("the widest give way evenly, the narrow keep theirs", () => {
  expect(fitWidths([3, 40, 50], [false, false, false], 33)).toEqual([3, 15, 15]);
  expect(fitWidths([3, 40, 50], [false, false, false], 34)).toEqual([3, 16, 15]);
});

test("rigid columns keep theirs while the others have room", () => {
  expect(fitWidths([20, 40], [true, false], 30)).toEqual([20, 10]);
  expect(fitWidths([20, 40], [true, false], 20)).toEqual([10, 10]);
});

test("never wider than natural or than there is room, wherever there is room for one column each", () => {
  const column = fc.record({ width: fc.integer({ min: 1, max: 60 }), rigid: fc.boolean() });
  fc.assert(
    fc.property(fc.array(column, { minLength: 1, maxLength: 8 }), fc.integer({ min: 8, max: 200 }), (columns, room) => {
      const natural = columns.map(({ width }) => width);
      const widths = fitWidths(
        natural,
        columns.map(({ rigid }) => rigid),
        room,
      );
      expect(widths.reduce((a, b) => a + b)).toBeLessThanOrEqual(room);
      for (const [index, width] of widths.entries()) {
        expect(width).toBeGreaterThanOrEqual(1);
        expect(width).toBeLessThanOrEqual(natural[index] ?? 0);
      }
    }),
  );
});

test("wrapping breaks long words, keeps every character, and stays within the limit", async () => {
  const measure = await loadMeasure();
  const { width } = measure;
  const wrap = (text: string, limit: number): string[] => measure.wrap(visible(text), limit);
  expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
  expect(wrap("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
  expect(wrap("日本語テキスト", 5)).toEqual(["日本", "語テ", "キス", "ト"]);
  expect(wrap("", 5)).toEqual([""]);
  const words = fc.string({ unit: fc.constantFrom("a", "b", " ", "日", "é") });
  fc.assert(
    fc.property(words, fc.integer({ min: 2, max: 12 }), (text, limit) => {
      const lines = wrap(text, limit);
      for (const line of lines) expect(width(line.trimEnd())).toBeLessThanOrEqual(limit);
      expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
    }),
  );
});

test("pictures give first, each down to what it can do with, and no more than has to be given", () => {
  expect(eased([30, 26, 7], [30, 5, 7], 63)).toEqual([30, 26, 7]);
  expect(eased([30, 26, 7], [30, 5, 7], 50)).toEqual([30, 13, 7]);
  expect(eased([30, 26, 26], [30, 5, 5], 50)).toEqual([30, 5, 15]);
  expect(eased([30, 26, 7], [30, 5, 7], 10)).toEqual([30, 5, 7]);
});
