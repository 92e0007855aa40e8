import fc from "fast-check";
import { expect, test } from "vitest";
import { visible } from "../../../src/terminal/sanitize.ts";
import { fitWidths, leastText, leastWidths, type Need } from "../../../src/terminal/table/column-widths.ts";
import { loadMeasure } from "../../../src/terminal/width.ts";

/** Texts of these widths below headers of at most the same width. */
const texts = (...widths: number[]): Need[] =>
  widths.map((content) => ({ content, least: Math.min(content, leastText), drawn: false, header: 0, headerPart: 0 }));

test("widths that fit are kept", () => {
  expect(fitWidths(texts(3, 10), 13)).toEqual([3, 10]);
});

test("the widest are cut evenly, the narrow keep theirs", () => {
  expect(fitWidths(texts(3, 40, 50), 33)).toEqual([3, 15, 15]);
  expect(fitWidths(texts(3, 40, 50), 34)).toEqual([3, 16, 15]);
  expect(fitWidths(texts(3, 20, 50), 53)).toEqual([3, 20, 30]);
});

test("headers wrap before a text is cut, and get the remaining width", () => {
  const columns = [
    { content: 3, least: 3, drawn: false, header: 15, headerPart: 9 },
    { content: 20, least: 12, drawn: false, header: 4, headerPart: 4 },
  ];
  expect(fitWidths(columns, 35)).toEqual([15, 20]);
  expect(fitWidths(columns, 31)).toEqual([11, 20]);
  expect(fitWidths(columns, 29)).toEqual([9, 20]);
  expect(fitWidths(columns, 25)).toEqual([9, 16]);
});

test("a table does not fit if an uncuttable cell or a text of 12 columns would not", () => {
  const [text] = texts(40) as [Need];
  const whole = { ...text, least: 40 };
  expect(fitWidths([whole, text], 52)).toEqual([40, 12]);
  expect(fitWidths([whole, text], 51)).toBeUndefined();
  expect(fitWidths([text], 12)).toEqual([12]);
  expect(fitWidths([text], 11)).toBeUndefined();
  expect(fitWidths(texts(5, 5), 9)).toBeUndefined();
});

test("pictures are drawn smaller before a text is cut", () => {
  const picture = { content: 26, least: 5, drawn: true, header: 0, headerPart: 0 };
  const columns = [picture, ...texts(30)];
  expect(fitWidths(columns, 56)).toEqual([26, 30]);
  expect(fitWidths(columns, 40)).toEqual([10, 30]);
  expect(fitWidths(columns, 30)).toEqual([5, 25]);
  expect(fitWidths(columns, 16)).toBeUndefined();
});

test("widths that fit use all of the requested room, and no column has less than its minimum", () => {
  const column = fc.record({
    content: fc.integer({ min: 1, max: 60 }),
    least: fc.integer({ min: 1, max: 60 }),
    drawn: fc.boolean(),
    header: fc.integer({ min: 0, max: 30 }),
    headerPart: fc.integer({ min: 0, max: 12 }),
  });
  const sum = (widths: readonly number[]) => widths.reduce((a, b) => a + b);
  fc.assert(
    fc.property(fc.array(column, { minLength: 1, maxLength: 8 }), fc.integer({ min: 8, max: 200 }), (drawn, room) => {
      const columns = drawn.map((each) => ({
        ...each,
        least: Math.min(each.content, each.least),
        headerPart: Math.min(each.header, each.headerPart),
      }));
      const least = leastWidths(columns);
      const wanted = columns.map(({ content, header }) => Math.max(content, header));
      const widths = fitWidths(columns, room);
      if (widths === undefined) {
        expect(sum(least)).toBeGreaterThan(room);
        return;
      }
      expect(sum(widths)).toBe(Math.min(sum(wanted), room));
      for (const [index, width] of widths.entries()) {
        expect(width).toBeGreaterThanOrEqual(least[index] ?? 0);
        expect(width).toBeLessThanOrEqual(wanted[index] ?? 0);
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
