import { expect, test } from "vitest";
import { parseJson } from "../../../src/base/parse-json.ts";

/** As messages are made of values. */
const wordsOf = (value: object) => `${value} ${Object.values(value)}`;

test.each(['{"toString":1}', '[{"\\u0074oString":"x","b":2}]', '{"a":{"to\\u0053tring":null}}', '[[{"toString":{}}]]'])(
  "%s has a text, and is otherwise as JSON.parse makes it",
  (text) => {
    expect(() => wordsOf(JSON.parse(text))).toThrow(TypeError);
    const value = parseJson(text) as object;
    expect(() => wordsOf(value)).not.toThrow();
    expect({ ...value }).toEqual({ ...JSON.parse(text) });
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
  },
);

test("an object without that field gets nothing", () => {
  const value = parseJson('{"a":{"b":"toString"}}') as object;
  expect(Object.getOwnPropertySymbols(value)).toEqual([]);
  expect(String(value)).toBe("[object Object]");
});
