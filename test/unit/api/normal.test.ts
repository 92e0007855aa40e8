import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ComparedField, canonical, normal, normalRule, subjectOf } from "../../../src/api/normal.ts";

const levels = { developer: 30, maintainer: 40 };
const item: NonNullable<ComparedField["item"]> = {
  id: { form: "id", readOnly: true },
  user_id: { form: "id" },
  access_level: { form: "level", levels },
  required_approvals: { form: "integer", absent: 1 },
  note: { form: "text" },
};
const secret = { reference: "env:TOKEN", origin: "f:1" };

/** Values in one row mean the same to the platform; those of two rows do not. */
const classes: [ComparedField, unknown[][]][] = [
  [{ form: "boolean" }, [[true, "true", "1", 1], [false, "false", "0", 0], [null, undefined], ["yes"], [2], [""]]],
  [{ form: "integer" }, [[60, "60", " 60 ", "6e1"], [0, "0"], [null, undefined], [""], ["  "], ["6o"], ["Infinity"]]],
  [{ form: "number" }, [[1.5, "1.50"], [1], [true], ["true"], [""], [null]]],
  [{ form: "id" }, [[7, "7"], ["acme/web"], [""], [null]]],
  [
    { form: "level", levels },
    [[30, "30", "developer", "Developer"], [40, "maintainer"], ["constructor"], [null], [""]],
  ],
  [
    { form: "text" },
    [
      ["", null, undefined, "\n", secret],
      ["a", "a\n"],
      ["a\nb", "a\r\nb"],
      ["A"],
      ["a\n\n"],
      [7, "7"],
      [{ reference: 1 }],
    ],
  ],
  [{ form: "text" }, [[{ origin: 1 }], [[1]], [" "]]],
  [
    { form: "time" },
    [
      ["2020-02-02T02:02:02Z", "2020-02-02T02:02:02.900Z", "2020-02-02T03:02:02+01:00"],
      ["2020-02-02T02:02:03Z"],
      ["soon"],
      [null, undefined],
    ],
  ],
  [{ form: "addresses" }, [["", null, ", "], ["a@x, b@x", "b@x\na@x", "b@x,,a@x "], ["a@x"]]],
  [
    { form: "names" },
    [
      [[], null, undefined],
      [
        ["a", "b"],
        ["b", "a"],
        ["a", "b", "a"],
      ],
      [["A", "b"]],
      ["a", ["a"]],
    ],
  ],
  [{ form: "names" }, [[[1], ["1"], 1], [[true], "true"], [[false], "false"], [[""], [null]], [[0]], [["x"]]]],
  [{ form: "names" }, [[["1.10"]], [["1.1"], [1.1]], [["010"]], [["10"], [10]], [["1e3"]], [[1000]]]],
  [{ form: "json" }, [["1.10"], ["1.1", 1.1], ["007"], ["7", 7], ["0x7"], [" 7"]]],
  [
    { form: "domains" },
    [
      [
        ["X.example", "b"],
        ["b", "x.example"],
      ],
      [["b"], "B"],
      [[7]],
    ],
  ],
  [
    { form: "list" },
    [
      [["a", "b"]],
      [["b", "a"]],
      [
        [1, 2],
        ["1", "2"],
      ],
      [[], null],
    ],
  ],
  [
    { form: "hash" },
    [
      [
        { a: ["x", "y"], b: "" },
        { b: null, a: ["y", "x"] },
      ],
      [{ a: ["x"] }],
      [{ a: { b: [1, 2] } }, { a: { b: ["2", "1"] } }],
      [{ a: { b: [1] } }],
      [{ c: { b: [1] } }],
      [
        [[1, 2], 3],
        [3, [2, 1]],
      ],
      [null, "", undefined],
    ],
  ],
  [
    { form: "keys" },
    [
      [
        [{ key: "b", value: 1 }, { key: "a" }],
        ["a", "b"],
      ],
      [["a"]],
      [[], null],
    ],
  ],
  [
    { form: "json" },
    [
      [
        { a: "1", b: ["true"] },
        { b: [true], a: 1 },
      ],
      [{ a: 1, b: ["x"] }],
      [[{ a: 1, b: 2 }], [{ b: 2, a: 1 }]],
      [[2, 1]],
      [[1, 2]],
    ],
  ],
  [
    { form: "rules", item, none: "level:0" },
    [
      [[], null, [{ access_level: 0 }]],
      [[{ access_level: 30 }], [{ id: 9, access_level: 30, user_id: null, required_approvals: 1, note: null }]],
      [[{ access_level: 30, required_approvals: 2 }]],
      [[{ access_level: 30, note: "x" }]],
      [[{ access_level: 40 }], { access_level: 40 }],
      [[{ user_id: 4, access_level: 30 }], [{ user_id: 4 }], [{ user_id: 4 }, { access_level: 0 }]],
      [
        [{ user_id: 4 }, { access_level: 40 }],
        [{ access_level: 40 }, { user_id: 4 }],
      ],
      [["text"]],
      [[null]],
    ],
  ],
  [
    { form: "rules", item, usual: "level:40" },
    [
      [[], null, [{ access_level: 40 }], [{ id: 9, access_level: 40, user_id: null }]],
      [[{ access_level: 0 }]],
      [[{ access_level: 60 }]],
      [[{ access_level: 40 }, { user_id: 4 }]],
      [[{ user_id: 4, access_level: 40 }]],
    ],
  ],
];

describe.each(classes)("compared as %j", (field, rows) => {
  const formOf = (value: unknown) => canonical(normal(field, value));

  test.each(rows)("the same, in other notations: %j", (first, ...others) => {
    expect(others.map(formOf)).toEqual(others.map(() => formOf(first)));
  });

  test("all others differ", () => {
    const forms = rows.map(([first]) => formOf(first));
    expect(new Set(forms).size).toBe(rows.length);
  });
});

test("a normal form is a value of the type, for the one who shows it", () => {
  expect(normal({ form: "boolean" }, "true")).toBe(true);
  expect(normal({ form: "boolean" }, 0)).toBe(false);
  expect(normal({ form: "boolean" }, undefined)).toBeNull();
  expect(normal({ form: "integer" }, undefined)).toBeNull();
  expect(normal({ form: "text" }, undefined)).toBe("");
  expect(normal({ form: "json" }, undefined)).toBeNull();
  expect(normal({ form: "names" }, ["b", "a", "c"])).toEqual(["a", "b", "c"]);
  expect(normal({ form: "addresses" }, "c d,a")).toEqual(["a", "c", "d"]);
  expect(normal({ form: "time" }, "1970-01-01T00:00:02.500Z")).toBe(2);
  expect(normal({ form: "time" }, undefined)).toBeNull();
});

test.each([
  [{ user_id: 4, access_level: 40 }, "user:4"],
  [{ username: "ana", access_level: 40 }, "username:ana"],
  [{ group_id: 9, user_id: null }, "group:9"],
  [{ deploy_key_id: 2, access_level: 40 }, "deploy key:2"],
  [{ access_level: 0 }, "level:0"],
  [{ user_id: undefined, id: 1 }, "nobody"],
])("the subject of %j is %s: a level is returned in addition to others", (rule, subject) => {
  expect(subjectOf(rule)).toBe(subject);
});

test("a rule is its subject and its details, without what the instance adds", () => {
  const rule = { id: 3, user_id: 4, access_level: 40, access_level_description: "Ana", required_approvals: "2" };
  expect(normalRule({ form: "rules", item }, rule)).toEqual({ subject: "user:4", required_approvals: 2, note: "" });
  expect(normalRule({ form: "rules" }, rule)).toEqual({ subject: "user:4" });
  expect(normalRule({ form: "rules" }, null)).toBeNull();
});

describe("canonical texts", () => {
  test.each([
    [{ b: 1, a: [1, "x", null] }, '{"a":[1,"x",null],"b":1}'],
    [undefined, "null"],
    [[], "[]"],
    [{}, "{}"],
  ])("%j", (value, text) => expect(canonical(value)).toBe(text));

  test("are the JSON of a value that is equal to it", () => {
    const copy = (value: unknown) => JSON.parse(JSON.stringify(value));
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonical(value))).toEqual(copy(value));
      }),
    );
  });
});
