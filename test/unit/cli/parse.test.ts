import { describe, expect, test } from "vitest";
import {
  array,
  boolean,
  date,
  id,
  integer,
  json,
  map,
  number,
  oneOf,
  string,
  timestamp,
} from "../../../src/api/field.ts";
import { parseMany, parseValue } from "../../../src/cli/parse.ts";

describe("text becomes a value", () => {
  test.each([
    [integer(), "0", 0],
    [integer("", { suggests: ["all"] }), "all", "all"],
    [id(), "42", 42],
    [number(), "0.5", 0.5],
    [boolean("", { valued: true }), "TRUE", true],
    [boolean("", { valued: true }), "off", false],
    [oneOf(["asc", "desc"]), "asc", "asc"],
    [oneOf(["asc", "desc"]), "Desc", "desc"],
    [integer("", { suggests: ["all"] }), "ALL", "all"],
    [timestamp(), "2026-01-31", "2026-01-31"],
    [timestamp(), "2026-01-31T08:00:00.5+02:00", "2026-01-31T08:00:00.5+02:00"],
    [date(), "2024-02-29", "2024-02-29"],
    [json(), '{"a":[1]}', { a: [1] }],
    [string(), "", ""],
  ])("%o reads %j", (field, text, value) => {
    expect(parseValue(field, text, "--x")).toEqual(value);
  });

  test("many: a list, and pairs that keep everything after the first =", () => {
    expect(parseMany(array(integer()), ["1", "2"], "--x")).toEqual([1, 2]);
    expect(parseMany(map(), ["a=b=c", "d="], "--x")).toEqual({ a: "b=c", d: "" });
  });

  const now = new Date("2026-03-01T10:20:30.456Z");
  test.each([
    ["3h", "2026-03-01T07:20:30Z", "2026-03-01"],
    ["90min", "2026-03-01T08:50:30Z", "2026-03-01"],
    ["12h", "2026-02-28T22:20:30Z", "2026-02-28"],
    ["7d", "2026-02-22T10:20:30Z", "2026-02-22"],
    ["2w", "2026-02-15T10:20:30Z", "2026-02-15"],
    ["1 month ago", "2026-01-30T10:20:30Z", "2026-01-30"],
    ["Yesterday", "2026-02-28T00:00:00Z", "2026-02-28"],
    ["today", "2026-03-01T00:00:00Z", "2026-03-01"],
  ])("%s is before now, in UTC: a time, or its day", (text, time, day) => {
    expect(parseValue(timestamp(), text, "--x", now)).toBe(time);
    expect(parseValue(date(), text, "--x", now)).toBe(day);
  });
});

describe("invalid text names the flag, the allowed values, and the text", () => {
  test.each([
    [integer(), "1.5", '--x: must be a whole number, not "1.5"'],
    [integer(), "1e3", '--x: must be a whole number, not "1e3"'],
    [integer(), "99999999999999999999", "--x: must be a whole number"],
    [integer("", { min: 1, max: 100 }), "101", '--x: must be a whole number from 1 to 100, not "101"'],
    [integer("", { max: 5 }), "6", "--x: must be a whole number of at most 5"],
    [id(), "0", "--x: must be an ID (a whole number) of at least 1"],
    [number(), "x", "--x: must be a number"],
    [boolean("", { valued: true }), "maybe", "--x: must be true or false"],
    [oneOf(["asc", "desc"]), "des", "--x: must be one of asc, desc"],
    [timestamp(), "2026-02-30T00:00:00Z", "--x: must be an ISO 8601 time"],
    [timestamp(), "tomorrow", "--x: must be an ISO 8601 time"],
    [date(), "2026-1-1", "--x: must be a day"],
    [date(), "7x", '--x: "7x" is not a duration'],
    [timestamp(), "7m", '--x: "7m" is not a duration'],
    [timestamp(), "99999999y", '--x: "99999999y" ago is before 1970'],
    [date(), "2023-02-29", "--x: must be a day"],
    [json(), "{", "--x: is not valid JSON"],
    [string("", { min: 1 }), "", "--x: is empty"],
    [string("", { max: 2 }), "abc", "--x: has 3 characters; at most 2 are allowed"],
  ])("%o refuses %j", (field, text, message) => {
    expect(() => parseValue(field, text, "--x")).toThrow(message);
  });

  test("characters are counted as graphemes, not as UTF-16 units", () => {
    expect(parseValue(string("", { max: 2 }), "😀😀", "--x")).toBe("😀😀");
  });

  test("a pair without a key", () => {
    expect(() => parseMany(map(), ["=x"], "--x")).toThrow('--x: must be key=value, not "=x"');
  });

  test("a repeated key, of which only one could be sent", () => {
    expect(() => parseMany(map(), ["a=1", "b=1", "a=2"], "--x")).toThrow("--x: a is given twice");
  });
});
