import { afterEach, describe, expect, test } from "vitest";
import { accessLevel } from "../../../src/api/endpoints/access-level.ts";
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
    [timestamp(), "2026-01-31T08:00:00.5+02:00", "2026-01-31T06:00:00.500Z"],
    [timestamp(), "2026-01-31 08:00Z", "2026-01-31T08:00:00Z"],
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
  const { TZ } = process.env;
  afterEach(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });

  test.each([
    ["UTC", "3h", "2026-03-01T07:20:30Z", "2026-03-01"],
    ["UTC", "90min", "2026-03-01T08:50:30Z", "2026-03-01"],
    ["UTC", "12h", "2026-02-28T22:20:30Z", "2026-02-28"],
    ["UTC", "7d", "2026-02-22T10:20:30Z", "2026-02-22"],
    ["UTC", "2w", "2026-02-15T10:20:30Z", "2026-02-15"],
    ["UTC", "1 month ago", "2026-01-30T10:20:30Z", "2026-01-30"],
    ["UTC", "Yesterday", "2026-02-28T00:00:00Z", "2026-02-28"],
    ["UTC", "today", "2026-03-01T00:00:00Z", "2026-03-01"],
    ["America/New_York", "today", "2026-03-01T05:00:00Z", "2026-03-01"],
    ["America/New_York", "yesterday", "2026-02-28T05:00:00Z", "2026-02-28"],
    ["America/New_York", "12h", "2026-02-28T22:20:30Z", "2026-02-28"],
    ["Pacific/Auckland", "today", "2026-02-28T11:00:00Z", "2026-03-01"],
    ["Pacific/Auckland", "12h", "2026-02-28T22:20:30Z", "2026-03-01"],
  ])("in %s, %s is before now: a time in UTC, or its local day", (zone, text, time, day) => {
    process.env.TZ = zone;
    expect(parseValue(timestamp(), text, "--x", now)).toBe(time);
    expect(parseValue(date(), text, "--x", now)).toBe(day);
  });

  test.each([
    ["UTC", "yesterday", "2026-02-28", "2026-02-28"],
    // The bounds are exclusive: what was twelve hours ago is of the list.
    ["America/New_York", "12h", "2026-02-27", "2026-03-01"],
    ["UTC", "1.5d", "2026-02-26", "2026-02-28"],
    ["UTC", "24h", "2026-02-27", "2026-03-01"],
    ["UTC", "1d", "2026-02-28", "2026-02-28"],
    ["UTC", "2 weeks", "2026-02-15", "2026-02-15"],
    ["UTC", "36h ago", "2026-02-26", "2026-02-28"],
    // It is 23:20 there, on the first of March: its yesterday began on the 27th in UTC.
    ["Pacific/Auckland", "yesterday", "2026-02-27", "2026-02-28"],
    ["Pacific/Auckland", "12h", "2026-02-27", "2026-03-02"],
    // The last of February there.
    ["America/Los_Angeles", "3h", "2026-02-27", "2026-03-02"],
    ["Pacific/Auckland", "2026-02-28", "2026-02-28", "2026-02-28"],
  ])("in %s, %s as a bound in UTC leaves out less than either day alone", (zone, text, after, before) => {
    process.env.TZ = zone;
    expect(parseValue(date("", { bound: "after" }), text, "--x", now)).toBe(after);
    expect(parseValue(date("", { bound: "before" }), text, "--x", now)).toBe(before);
  });

  test.each([
    ["UTC", "2026-01-31", "2026-01-31T00:00:00Z"],
    ["America/New_York", "2026-01-31", "2026-01-31T05:00:00Z"],
    ["America/New_York", "2026-01-31T03:00", "2026-01-31T08:00:00Z"],
    ["America/New_York", "2026-07-31T03:00", "2026-07-31T07:00:00Z"],
    ["America/New_York", "2026-01-31T03:00:00Z", "2026-01-31T03:00:00Z"],
    ["Asia/Kolkata", "2026-01-31 03:00:15.25", "2026-01-30T21:30:15.250Z"],
    ["Asia/Kolkata", "2026-01-31T03:00+01:00", "2026-01-31T02:00:00Z"],
  ])("in %s, %s is %s: local time without a zone", (zone, text, time) => {
    process.env.TZ = zone;
    expect(parseValue(timestamp(), text, "--x", now)).toBe(time);
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
    [timestamp(), "2026-02-30T00:00:00Z", "--x: must be a time such as"],
    [timestamp(), "tomorrow", "--x: must be a time such as"],
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

test("a level between those that are documented is one of a newer release", () => {
  const field = accessLevel();
  expect(parseValue(field, "25", "--access-level")).toBe(25);
  for (const text of ["0", "61", "-5", "1e1"])
    expect(() => parseValue(field, text, "--access-level")).toThrow("must be one of");
});
