import { describe, expect, test } from "vitest";
import { readValue } from "../../../src/state/fields/field-value.ts";
import type { StateField } from "../../../src/state/kind.ts";
import { fieldOf, placeOf, treeOf } from "../../support/state-text.ts";

const levelWords = "must be one of guest, maintainer, owner, or the number of a level";
const oneOf = "give exactly one of user_id, username, group_id, deploy_key_id, access_level";
const levels = { guest: 10, maintainer: 40, owner: 50 };
const item = {
  user_id: fieldOf("id"),
  username: fieldOf("text"),
  group_id: fieldOf("id"),
  deploy_key_id: fieldOf("id"),
  access_level: fieldOf("level", { levels }),
};
const rules = fieldOf("rules", { item: { ...item, id: fieldOf("id", { readOnly: true }) } });
const headers = fieldOf("keys", { item: { key: fieldOf("text", { required: true }), value: fieldOf("text") } });

/** What is read of a value, and its problems; both of `x`, in line 2. */
function read(text: string, field: StateField, strict = false) {
  const { spot, problems } = placeOf({ strict });
  return { value: readValue(treeOf(`x:\n  ${text}`).value, field, spot), problems: problems() };
}

describe("a value that has the form of its field is read", () => {
  test.each<[string, StateField, unknown]>([
    ["true", fieldOf("boolean"), true],
    ["false", fieldOf("boolean"), false],
    ["-3", fieldOf("integer"), -3],
    ["0", fieldOf("integer", { min: 0, max: 5 }), 0],
    ["5", fieldOf("integer", { min: 0, max: 5 }), 5],
    ["1.5", fieldOf("number"), 1.5],
    ["1", fieldOf("id"), 1],
    ["maintainer", fieldOf("level", { levels }), 40],
    ["40", fieldOf("level", { levels }), 40],
    ["15", fieldOf("level", { levels }), 15],
    ["0", fieldOf("level", { levels }), 0],
    ["60", fieldOf("level", { levels }), 60],
    ["7", fieldOf("level", { levels: { odd: 7 } }), 7],
    ["100", fieldOf("level", { levels: { top: 100 } }), 100],
    ["some text", fieldOf("text"), "some text"],
    ["~", fieldOf("text"), ""],
    ["~", fieldOf("addresses"), ""],
    ['""', fieldOf("text", { values: ["on", "off"] }), ""],
    ["off", fieldOf("text", { values: ["on", "off"] }), "off"],
    ["HTTPS://x.example", fieldOf("text", { schemes: ["http", "https"] }), "HTTPS://x.example"],
    ["10.0.0.0/8", fieldOf("addresses"), "10.0.0.0/8"],
    ["[a, 1, ~]", fieldOf("names"), ["a", 1, null]],
    ["[a]", fieldOf("domains"), ["a"]],
    ["[{ a: [1] }]", fieldOf("list"), [{ a: [1] }]],
    ["[a, b]", fieldOf("names", { values: ["a", "b"] }), ["a", "b"]],
    ["[push]", fieldOf("names", { suggested: ["push"] }), ["push"]],
    ["{ a: { b: [1, x] } }", fieldOf("hash"), { a: { b: [1, "x"] } }],
    ["[1, { a: ~ }]", fieldOf("json"), [1, { a: null }]],
    ["[{ user_id: 4 }, { access_level: guest }]", rules, [{ user_id: 4 }, { access_level: 10 }]],
    [
      "[{ key: A, value: b }, { key: B, value: b }]",
      headers,
      [
        { key: "A", value: "b" },
        { key: "B", value: "b" },
      ],
    ],
  ])("%s as %j", (text, field, value) => {
    expect(read(text, field)).toEqual({ value, problems: [] });
  });
});

describe("a value of another form is refused in its line, with what it must be", () => {
  test.each<[string, StateField, string]>([
    ["1", fieldOf("boolean"), "must be true or false, not a number"],
    ["~", fieldOf("boolean"), "must be true or false, not null"],
    ["yes", fieldOf("boolean"), "must be true or false; yes is a string: YAML 1.2 knows true and false"],
    ["maybe", fieldOf("boolean"), "must be true or false, not a text"],
    ["'True'", fieldOf("boolean"), "must be true or false, not a text | write it without quotes"],
    ["'3'", fieldOf("boolean"), "must be true or false, not a text"],
    ["yes", fieldOf("integer"), "must be an integer, not a text"],
    ["'3'", fieldOf("integer"), "must be an integer, not a text | write it without quotes"],
    ["'3'", fieldOf("number"), "must be a number, not a text | write it without quotes"],
    ["'3'", fieldOf("id"), "must be an ID (a whole number of at least 1), not a text | write it without quotes"],
    ["'true'", fieldOf("id"), "must be an ID (a whole number of at least 1), not a text"],
    ["1.5", fieldOf("integer"), "must be an integer, not a number"],
    ["1e300", fieldOf("integer"), "must be an integer, not a number"],
    ["1.5", fieldOf("id"), "must be an ID (a whole number of at least 1), not a number"],
    ["0", fieldOf("id"), "must be an ID (a whole number of at least 1), not a number"],
    ["~", fieldOf("integer"), "must be an integer, not null"],
    ["-1", fieldOf("integer", { min: 0 }), "must be at least 0, not -1"],
    ["6", fieldOf("number", { max: 5 }), "must be at most 5, not 6"],
    ["true", fieldOf("text"), "must be a text, not true | write it in quotes"],
    ["1", fieldOf("text"), "must be a text, not a number | write it in quotes"],
    ["1", fieldOf("addresses"), "must be a text with addresses, not a number"],
    ["[a]", fieldOf("text"), "must be a text, not a list"],
    ["{ a: 1 }", fieldOf("text"), "must be a text, not a mapping"],
    ["{ env: A }", fieldOf("integer"), "must be an integer, not a mapping"],
    ["no", fieldOf("text", { values: ["on", "off"] }), '"no" is not one of its values | one of on, off'],
    ["ftp://a", fieldOf("text", { schemes: ["http", "https"] }), "must begin with http:// or https://"],
    ["https:a", fieldOf("text", { schemes: ["https"] }), "must begin with https://"],
    ["a", fieldOf("names"), "must be a list, not a text"],
    ["a", fieldOf("domains"), "must be a list of domains, not a text"],
    ["{ a: 1 }", fieldOf("list"), "must be a list, not a mapping"],
    ["[a]", fieldOf("hash"), "must be a mapping, not a list"],
    ["a", rules, "must be a list of rules, not a text"],
    ["a", headers, "must be a list of keys and values, not a text"],
    ["guset", fieldOf("level", { levels }), `${levelWords} | did you mean guest?`],
    ["constructor", fieldOf("level", { levels }), levelWords],
    ["41", fieldOf("level", { levels }), levelWords],
    ["-5", fieldOf("level", { levels }), levelWords],
    ["65", fieldOf("level", { levels }), levelWords],
    ["true", fieldOf("level", { levels }), levelWords],
    ["~", fieldOf("level", { levels }), "must be a level, by name or number, not null"],
    ["[a]", fieldOf("level", { levels }), "must be a level, by name or number, not a list"],
  ])("%s as %j", (text, field, problem) => {
    expect(read(text, field)).toEqual({ value: undefined, problems: [`f:2 error x: ${problem}`] });
  });
});

describe("of a list the items that are right are read, and each other one is named by its place", () => {
  test.each<[string, StateField, unknown, string[]]>([
    [
      "[on, of]",
      fieldOf("names", { values: ["on"] }),
      ["on"],
      ["error x[1]: a text is not one of its values | did you mean on?"],
    ],
    [
      "[1, on]",
      fieldOf("names", { values: ["on"] }),
      ["on"],
      ["error x[0]: a number is not one of its values | one of on"],
    ],
    [
      "[zebra]",
      fieldOf("names", { values: ["on", "at"] }),
      [],
      ["error x[0]: a text is not one of its values | one of on, at"],
    ],
    [
      "[pusch]",
      fieldOf("names", { suggested: ["push"] }),
      ["pusch"],
      ["warning x[0]: is not named by the API documents | did you mean push?"],
    ],
    [
      "[quite_new]",
      fieldOf("names", { suggested: ["push"] }),
      ["quite_new"],
      ["warning x[0]: is not named by the API documents"],
    ],
    ["[push, 1]", fieldOf("names", { suggested: ["push"] }), ["push"], ["error x[1]: must be a text, not a number"]],
    ["[4, { user_id: 4 }]", rules, [{ user_id: 4 }], ["error x[0]: must be a mapping, not a number"]],
    [
      "[{ user_id: 4 }, { user_id: 4 }]",
      rules,
      [{ user_id: 4 }, { user_id: 4 }],
      ["error x[1]: user:4 is already in the list | leave one out"],
    ],
    [
      "[{ key: A, value: b }, { key: a, value: c }]",
      headers,
      [
        { key: "A", value: "b" },
        { key: "a", value: "c" },
      ],
      ["error x[1]: a is already in the list | leave one out"],
    ],
    ["[{ value: b }]", headers, [{ value: "b" }], ["error x[0]: key is missing"]],
    ["[{}]", rules, [{}], [`error x[0]: names no user, group, or level | ${oneOf}`]],
    ["[{ user_id: 4, access_level: ~ }]", rules, [{ user_id: 4 }], []],
    [
      "[{ user_id: 4, access_level: guest }]",
      rules,
      [{ user_id: 4, access_level: 10 }],
      [`error x[0]: names user_id and access_level | ${oneOf}`],
    ],
  ])("%s", (text, field, value, problems) => {
    expect(read(text, field)).toEqual({ value, problems: problems.map((each) => `f:2 ${each}`) });
  });
});
