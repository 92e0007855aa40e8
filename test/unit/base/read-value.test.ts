import { expect, test } from "vitest";
import { readWord } from "../../../src/base/read-value.ts";

test.each([
  ["true", true],
  ["false", false],
  ["null", null],
  ["0", 0],
  ["-12.5", -12.5],
  // Numbers that JSON would write differently, or lose, remain texts.
  ["TRUE", "TRUE"],
  ["yes", "yes"],
  ["007", "007"],
  ["1.50", "1.50"],
  ["-0", "-0"],
  ["1e5", "1e5"],
  ["12345678901234567890", "12345678901234567890"],
  ["", ""],
])("%j is %j", (text, value) => {
  expect(readWord(text)).toStrictEqual(value);
});
