import { expect, test } from "vitest";
import { byteSize, counted, groupDigits, someOf } from "../../src/base/wording.ts";

test.each([
  [0, "0 B"],
  [1023, "1023 B"],
  [1024, "1.0 KiB"],
  [1536, "1.5 KiB"],
  [102_400, "100 KiB"],
  [1_048_575, "1.0 MiB"],
  [12_345_678, "11.8 MiB"],
  [1024 ** 5, "1.0 PiB"],
  [-2048, "-2.0 KiB"],
])("%d bytes are %s", (bytes, text) => {
  expect(byteSize(bytes)).toBe(text);
});

test.each([
  [7, "7"],
  [999, "999"],
  [2431, "2,431"],
  [1_234_567, "1,234,567"],
])("%d is written %s", (count, text) => {
  expect(groupDigits(count)).toBe(text);
});

test.each([
  [0, "0 objects"],
  [1, "1 object"],
  [2, "2 objects"],
  [2431, "2,431 objects"],
])("%d objects read %s", (count, text) => {
  expect(counted(count, "object")).toBe(text);
});

test("of many names, the first ones are written, and how many more there are", () => {
  expect(someOf([])).toBe("");
  expect(someOf(["a", "b"], 2)).toBe("a, b");
  expect(someOf(["a", "b", "c"], 2)).toBe("a, b and 1 more");
  expect(someOf(Array.from({ length: 1011 }, () => "x"))).toMatch(/^(?:x, ){9}x and 1,001 more$/);
});
