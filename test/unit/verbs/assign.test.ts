import { describe, expect, test } from "vitest";
import { assignPairs } from "../../../src/commands/api/assignment.ts";

function assigned(...keys: string[]): object {
  const root = {};
  assignPairs(
    root,
    keys.map((key, index) => [key, index] as const),
  );
  return root;
}

describe("parameters of api by their keys", () => {
  test.each<[string[], object]>([
    [["a"], { a: 0 }],
    [["a", "b"], { a: 0, b: 1 }],
    [["a[b]"], { a: { b: 0 } }],
    [["a[b]", "a[c]"], { a: { b: 0, c: 1 } }],
    [["a[b][c]", "a[b][d]", "a[e]"], { a: { b: { c: 0, d: 1 }, e: 2 } }],
    [["a[]", "a[]"], { a: [0, 1] }],
    [["a[b][]", "a[b][]"], { a: { b: [0, 1] } }],
    [["a[][b]", "a[][c]", "a[][b]"], { a: [{ b: 0, c: 1 }, { b: 2 }] }],
    [["a[][b][x]", "a[][b][y]", "a[][b][x]"], { a: [{ b: { x: 0, y: 1 } }, { b: { x: 2 } }] }],
    [["a[][b][]", "a[][b][]", "a[][c]"], { a: [{ b: [0, 1], c: 2 }] }],
    [["a[]", "a[][b]"], { a: [0, { b: 1 }] }],
    [["a[0]"], { a: { 0: 0 } }],
    [["toString", "valueOf[x]"], { toString: 0, valueOf: { x: 1 } }],
  ])("%j is %j", (keys, object) => expect(assigned(...keys)).toEqual(object));

  test.each<[string[], string]>([
    [[""], '"" is not a parameter name; nested ones are written a[b] and a[]'],
    [["[b]"], '"[b]" is not a parameter name; nested ones are written a[b] and a[]'],
    [["a]"], '"a]" is not a parameter name; nested ones are written a[b] and a[]'],
    [["a[b"], '"a[b" is not a parameter name; nested ones are written a[b] and a[]'],
    [["a[b]c"], '"a[b]c" is not a parameter name; nested ones are written a[b] and a[]'],
    [["__proto__"], '"__proto__" is not a parameter name'],
    [["a[__proto__]"], '"a[__proto__]" is not a parameter name'],
    [["a[constructor]"], '"a[constructor]" is not a parameter name'],
    [["a[prototype][x]"], '"a[prototype][x]" is not a parameter name'],
    [["a", "a"], '"a" is given twice; a list is written a[]'],
    [["a[b]", "a[b]"], '"a[b]" is given twice; a list is written a[b][]'],
    [["a[b]", "a"], '"a" is given twice; a list is written a[]'],
    [["a[]", "a[b]"], '"a[b]" makes one parameter both a list and an object'],
    [["a[b]", "a[]"], '"a[]" makes one parameter both a list and an object'],
    [["a[][b]", "a[][b][c]"], '"a[][b][c]" is given a value and parts of one'],
    [["a", "a[b]"], '"a[b]" is given a value and parts of one'],
    [["a", "a[]"], '"a[]" is given a value and parts of one'],
  ])("%j is refused: %s", (keys, message) => {
    expect(() => assigned(...keys)).toThrow(expect.objectContaining({ exit: "usage", message }));
  });

  test("a name of too many parts is refused, not a bug", () => {
    const message = "a parameter name has more than 100 parts";
    expect(() => assigned(`a${"[b]".repeat(20_000)}`)).toThrow(expect.objectContaining({ exit: "usage", message }));
    expect(JSON.stringify(assigned(`a${"[b]".repeat(99)}`))).toMatch(/^\{"a":(?:\{"b":){99}0\}{100}$/);
  });

  test("a null in the middle is a value, too", () => {
    const root = {};
    expect(() =>
      assignPairs(root, [
        ["a", null],
        ["a[b]", 1],
      ]),
    ).toThrow('"a[b]" is given a value and parts of one');
  });
});
