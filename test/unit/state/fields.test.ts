import { describe, expect, test } from "vitest";
import { bare, readFields, readReference, readValue } from "../../../src/state/fields/field-value.ts";
import type { Origin } from "../../../src/state/finding.ts";
import type { StateField } from "../../../src/state/kind.ts";
import { fieldOf, placeOf, treeOf } from "../../support/state-text.ts";

/** The problems of the value of `x`, in line 2. */
function read(text: string, field: StateField, strict = false) {
  const { spot, problems } = placeOf({ strict });
  return { value: readValue(treeOf(`x:\n  ${text}`).value, field, spot), problems: problems() };
}

describe("a secret is written as a reference", () => {
  const origin = { file: "f", line: 2 };
  test.each(["env", "file"] as const)("{ %s: Name } is one in a text", (word) => {
    const reference = { reference: word, name: "Name", origin, folder: "/state" };
    expect(read(`{ ${word}: Name }`, fieldOf("text"), true)).toEqual({ value: reference, problems: [] });
    expect(read(`{ ${word}: Name }`, fieldOf("addresses"))).toEqual({ value: reference, problems: [] });
    expect(read(`{ ${word}: Name }`, fieldOf("json"))).toEqual({ value: { [word]: "Name" }, problems: [] });
  });

  test.each(["{ envs: A }", "{ env: A, file: B }", "{}", "A", "[env]"])("%s is none", (text) => {
    const { spot, problems } = placeOf();
    expect(readReference(treeOf(`x: ${text}`).value, spot)).toBeUndefined();
    expect(problems()).toEqual([]);
  });

  test.each([
    ["{ env: 1 }", "{ env: ... } must name a variable"],
    ["{ file: [a] }", "{ file: ... } must name a file"],
    ["{ env: a-b }", '"a-b" is not the name of a variable'],
  ])("%s is one that is refused, once", (text, problem) => {
    const { value, problems } = read(text, fieldOf("text"));
    expect(value).toMatchObject({ origin });
    expect(problems).toEqual([`f:2 error x: ${problem}`]);
  });

  const hint = "write { env: NAME } or { file: path }";
  test.each<[string, StateField, string | undefined]>([
    ["token", fieldOf("text", { secret: true }), "is a secret in plain text"],
    ["https://me:pw@x.example", fieldOf("text"), "contains credentials in plain text"],
    ["https://x.example", fieldOf("text"), undefined],
    ['""', fieldOf("text", { secret: true }), undefined],
    ["12", fieldOf("json", { secret: true }), undefined],
    ["[token]", fieldOf("names", { secret: true }), undefined],
  ])("%s in %j, where validation is strict", (text, field, problem) => {
    const strictly = problem === undefined ? [] : [`f:2 error x: ${problem} | ${hint}`];
    expect(read(text, field, true).problems).toEqual(strictly);
    expect(read(text, field, false).problems).toEqual([]);
  });
});

describe("the fields of a mapping", () => {
  const fields = {
    name: fieldOf("text", { required: true }),
    open: fieldOf("boolean"),
    needed: fieldOf("boolean", { required: true }),
    id: fieldOf("id", { readOnly: true }),
    note: fieldOf("text"),
    from: fieldOf("addresses"),
    made: fieldOf("text", { readOnly: true }),
  };
  function fieldsIn(text: string, names: Parameters<typeof readFields>[3] = {}, strict = false) {
    const { spot, problems } = placeOf({ strict, pattern: "acme/**" });
    return { values: readFields(treeOf(text).top, fields, spot, names), problems: problems() };
  }

  test("each value has the place of its key, with the pattern that it is declared for", () => {
    const places: Record<string, Origin> = {};
    fieldsIn("name: a\nneeded: 1\nopen:\n\n  true\n", { places });
    expect(places).toEqual({
      name: { file: "f", line: 1, pattern: "acme/**" },
      open: { file: "f", line: 3, pattern: "acme/**" },
    });
  });

  test.each<[string, string, Parameters<typeof readFields>[3], object, string[]]>([
    [
      "null is a value that was never set, with a warning, but for a text and what is required",
      "name: ~\nopen: ~\nneeded: ~\nnote: ~\nfrom: ~",
      {},
      { name: "", note: "", from: "" },
      [
        "f:2 warning x.open: is null, and counts as left out | write a value, or leave it out",
        "f:3 error x.needed: must be true or false, not null",
      ],
    ],
    [
      "what is required is missed",
      "open: true",
      {},
      { open: true },
      ["f:1 error x: name is missing", "f:1 error x: needed is missing"],
    ],
    ["what another scope may declare is not missed", "open: true", { partial: true }, { open: true }, []],
    [
      "an unknown field has the nearest name",
      "nam: a",
      { partial: true },
      {},
      ["f:1 error x.nam: is not allowed here | did you mean name?"],
    ],
    [
      "an unknown field far from all others has the list",
      "elsewhere: a",
      { partial: true },
      {},
      ["f:1 error x.elsewhere: is not allowed here | one of name, open, needed, id, note, from, made"],
    ],
    [
      "names of objects in general are not fields",
      "toString: a",
      { partial: true },
      {},
      ["f:1 error x.toString: is not allowed here | one of name, open, needed, id, note, from, made"],
    ],
    [
      "a kind may know more of them",
      "push_events: true",
      { partial: true, more: () => fieldOf("boolean") },
      { push_events: true },
      [],
    ],
    [
      "a name of requests is an error",
      "enabled: true",
      { partial: true, write: { enabled: "open" } },
      {},
      ["f:1 error x.enabled: is the name of requests; in files it is open"],
    ],
    [
      "also where answers have the name",
      "made: a",
      { partial: true, write: { made: "name" } },
      {},
      ["f:1 error x.made: is the name of requests; in files it is name"],
    ],
    [
      "a name of requests that is a field too is read",
      "open: true",
      { partial: true, write: { open: "name" } },
      { open: true },
      [],
    ],
    [
      "what the instance sets is ignored with a warning",
      "id: 4\nmade: a",
      { partial: true },
      {},
      ["f:1 warning things: id, made: set by the instance, ignored"],
    ],
  ])("%s", (_law, text, names, values, problems) => {
    expect(fieldsIn(text, names)).toEqual({ values, problems });
  });

  test("where validation is strict, what the instance sets is an error", () => {
    const { problems } = fieldsIn("id: 4\nmade: a", { partial: true }, true);
    expect(problems).toEqual(["f:1 error x: id, made: set by the instance | leave it out"]);
    const one = fieldsIn("made: a", { partial: true }, true).problems;
    expect(one).toEqual(["f:1 error x: made: set by the instance | leave it out"]);
  });

  test("at most 20 names are listed", () => {
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`field_${at}`, fieldOf("text")]));
    const { spot, problems } = placeOf();
    readFields(treeOf("z: 1").top, many, spot);
    expect(problems()[0]?.split("one of ")[1]?.split(", ")).toHaveLength(20);
  });
});

test("the plain value of a tree is what YAML makes of it", () => {
  expect(bare(treeOf("x: { a: [1, ~, { b: true }], c: text }").value)).toEqual({
    a: [1, null, { b: true }],
    c: "text",
  });
});
