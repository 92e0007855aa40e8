import { describe, expect, test } from "vitest";
import { CostlyJson, parseAnswer, roundsNumbers, wordsOf } from "../../../src/api/json.ts";
import { maxJsonDepth } from "../../../src/base/json-depth.ts";

const parse = (text: string) => parseAnswer(Buffer.from(text));
const lists = (levels: number, core = "") => "[".repeat(levels) + core + "]".repeat(levels);
const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const mib = 1024 * 1024;

test("200 levels are more than any answer has", () => expect(maxJsonDepth).toBe(200));

describe.each([
  ["a short answer", (text: string) => text],
  ["a long answer", (text: string) => text.padEnd(mib + 1)],
])("%s", (_, padded) => {
  test.each([lists, (levels: number) => lists(levels, "1"), objects])(
    "is read to the deepest level, and no further",
    (nested) => {
      expect(() => parse(padded(nested(200)))).not.toThrow();
      expect(() => parse(padded(nested(201)))).toThrow(CostlyJson);
      expect(() => parse(padded(nested(201)))).toThrow("nested too deeply");
    },
  );

  test("has its deepest value anywhere", () => {
    expect(() => parse(padded(`[1,null,{"a":null,"b":[${lists(199)}]}]`))).toThrow(CostlyJson);
    expect(() => parse(padded(`[1,null,{"a":null,"b":[${lists(197)}]}]`))).not.toThrow();
  });

  test.each(["[1", "[", '"\\x"', "", "[1]]"])("that is no JSON is that: %s", (text) => {
    expect(() => parse(padded(text))).toThrow(SyntaxError);
    expect(() => parse(padded(text))).not.toThrow(CostlyJson);
  });

  test.each([{ a: "größe €" }, { a: "plain" }, null, 7, "text", [null, { a: [] }]])("is read as UTF-8: %j", (value) => {
    expect(parse(padded(JSON.stringify(value)))).toEqual(value);
  });
});

test("a short answer may have many values, a long one up to a million", () => {
  expect(parse(`[${"1,".repeat(400_000)}1]`)).toHaveLength(400_001);
  expect(() => parse(`[${"1,".repeat(1_000_001)}1]`)).toThrow("too many values");
});

test.each([
  ["9007199254740993", true],
  ['{"a":[1,-9007199254740993]}', true],
  ["12345678901234567890123", true],
  ["9".repeat(400), true],
  ["9007199254740992", false],
  ["900719925474099", false],
  ["1.2345678901234567", false],
  ["12345678901234567.5", false],
  ["12345678901234567e3", false],
  ['"9007199254740993 \\" 9007199254740993"', false],
  ['{"9007199254740993":"\\\\","b":1}', false],
  ['{"a":"\\\\","b":9007199254740993}', true],
])("a whole number is rounded: %s", (text, rounds) => expect(roundsNumbers(Buffer.from(text))).toBe(rounds));

test("a value in a sentence is a text, or JSON", () => {
  expect([wordsOf("a"), wordsOf(7), wordsOf(null), wordsOf({ a: 1 })]).toEqual(["a", "7", "null", '{"a":1}']);
});
