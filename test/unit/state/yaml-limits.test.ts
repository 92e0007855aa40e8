import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { bare } from "../../../src/state/fields/field-value.ts";
import { compose, toStateYaml } from "../../../src/state/yaml/yaml.ts";

describe("a value is what YAML 1.2 makes of it", () => {
  test.each([
    "true",
    "True",
    "yes",
    "false",
    "~",
    "null",
    "''",
    '""',
    "12",
    "-12",
    "0o17",
    "0x1F",
    "012",
    "1_000",
    "1.50",
    "1e3",
    ".5",
    "2026-11-21",
    "'true'",
    '"12"',
    '"\\u00e9\\n"',
    "a b # c",
    "|\n  a\n  b\n",
    ">-\n  a\n  b\n",
    "[1, true, ~, x]",
    "{ a: , b: ~ }",
  ])("%j", (text) => {
    expect(bare(compose(`x: ${text}\n`))).toEqual(load(`x: ${text}\n`));
    expect(bare(compose(`${text}\n`))).toEqual(load(`${text}\n`));
  });
});

test("the line of every value is that of its text, in any document", () => {
  for (let count = 1; count < 40; count++) {
    const lines = Array.from({ length: count }, (_, at) => `${at % 3 === 0 ? "\n# comment\n" : ""}k${at}: v${at}`);
    const text = lines.join("\n");
    const tree = compose(text);
    if (tree.kind !== "mapping") throw new Error("no mapping");
    const all = text.split("\n");
    expect(tree.line).toBe(all.indexOf("k0: v0") + 1);
    for (const [key, { line, value }] of tree.entries)
      expect([all[line - 1], value.line]).toEqual([`${key}: v${key.slice(1)}`, line]);
  }
});

describe("a file that is not one document of YAML is refused, with its line", () => {
  const one = "documents; one is allowed";
  test.each([
    ["a: 1\n---\nb: 2\n", 2, `has 2 ${one}`, "write each to its own file"],
    ["---\na: 1\n\n---\nb: 2\n---\nc: 3\n", 4, `has 3 ${one}`, "write each to its own file"],
    ["a: 1\n...\n---\nb: 2\n", 2, `has 2 ${one}`, "write each to its own file"],
    ["", 1, "is empty", "leave the file out, or write a section"],
    ["# only a comment\n", 1, "is empty", "leave the file out, or write a section"],
    ["a:\n\t- 1\n", 2, /^is not YAML: .*tab/, "indent with spaces"],
    ["# a comment\n---\na: 1\n---\nb: 2\n", 4, `has 2 ${one}`, "write each to its own file"],
    ["---\n---\nb: 2\n", 2, `has 2 ${one}`, "write each to its own file"],
    ["a: 1\nb: 2\nc: ]\n", 3, /^is not YAML: /, undefined],
    ['a: 1\nb: "\\ud800"\n', 2, /^has a text that is not valid Unicode text/, undefined],
    ["a: '\\ud800'\n[", 2, /^is not YAML: /, undefined],
  ])("%j", (text, line, message, hint) => {
    expect(() => compose(text)).toThrow(
      expect.objectContaining({
        line,
        hint,
        message: typeof message === "string" ? message : expect.stringMatching(message),
      }),
    );
  });

  test.each(["---\na: 1\n", "a: 1\n...\n", "--- # a comment\na: 1\n", "a: '\\ud800'\n", "a: \\ud800\n"])(
    "%j is one",
    (text) => {
      expect(compose(text).kind).toBe("mapping");
    },
  );

  test("collections are within 58 others at most", () => {
    const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    expect(compose(nested(59)).kind).toBe("sequence");
    expect(() => compose(nested(60))).toThrow("is not YAML");
  });
});

describe("aliases are counted as what they name", () => {
  const items = (count: number) => "x, ".repeat(count);
  /** A list of 1,000 values, aliases of it, and more values: with itself the list has 1,001 values and more. */
  const values = (aliases: number, more: number) =>
    `[\n&a [${items(999)}],\n${"*a, ".repeat(aliases)}\n${items(more)}]`;

  test("2,000,000 values are the most", () => {
    expect(compose(values(1998, 999)).kind).toBe("sequence");
    const message = "has more than 2,000,000 values";
    expect(() => compose(values(1998, 1000))).toThrow(expect.objectContaining({ line: 4, message }));
    expect(() => compose(values(1999, 0))).toThrow(expect.objectContaining({ line: 3, message }));
  });

  test("also where one is within another", () => {
    const text = (aliases: number) => `- y\n- &a [${items(997)} z]\n- &b [*a, x]\n- [${"*b, ".repeat(aliases)}]\n`;
    // The lists have 1,000 values and one more, the document has two besides.
    const fits = Math.floor((2_000_000 - 4 - 999 - 1001) / 1001);
    expect(compose(text(fits)).kind).toBe("sequence");
    expect(() => compose(text(fits + 1))).toThrow("has more than 2,000,000 values");
  });

  const mebibyte = "q".repeat(1024 * 1024);
  const hint = "leave aliases out";
  test("they add 16 MiB of text at most", () => {
    const text = (aliases: number) => `- before\n- &a ${mebibyte}\n-\n  [${"*a, ".repeat(aliases)}]\n`;
    expect(compose(text(16)).kind).toBe("sequence");
    const message = "repeats more than 16 MiB with aliases";
    expect(() => compose(text(17))).toThrow(expect.objectContaining({ line: 4, message, hint }));
  });

  test("also of a list, with what its own aliases add", () => {
    const text = (aliases: number) => `- &a ${mebibyte}\n- &b [*a, *a]\n- [${"*b, ".repeat(aliases)}]\n`;
    expect(compose(text(7)).kind).toBe("sequence");
    expect(() => compose(text(8))).toThrow("repeats more than 16 MiB with aliases");
  });
});

describe("more indicators of values than 2,000,000 are refused before they are parsed", () => {
  test("a text without as many is read, however long it is", () => {
    expect(compose(`x: ${"q".repeat(2_100_000)}`).kind).toBe("mapping");
  });

  test("a text with as many is not", () => {
    const message = "may contain more than 2,000,000 values";
    const hint = "split it into several files";
    expect(() => compose(",".repeat(2_000_001))).toThrow(expect.objectContaining({ line: 1, message, hint }));
    expect(() => compose(`"${",".repeat(2_000_000)}"`)).not.toThrow();
  });

  test.each(["\n", "\r\n", "\r"])(
    "nor one of more lines, which are taken apart even if they are one value: %j",
    (end) => {
      const text = (lines: number) => `a: |${end}${` b${end}`.repeat(lines - 2)} b`;
      expect(compose(text(2_000_000)).kind).toBe("mapping");
      const hint = "split it into several files";
      const error = { line: 1, message: "has more than 2,000,000 lines", hint };
      expect(() => compose(text(2_000_002))).toThrow(expect.objectContaining(error));
    },
  );
});

test("YAML is written with double quotes, without anchors, and in lines of 100 characters and their indentation", () => {
  const list = ["yes", "a: b", "12", "plain", `${"word ".repeat(40)}end`];
  const text = toStateYaml({ list, again: list });
  expect(load(text)).toEqual({ list, again: list });
  expect(text.split("\n").slice(0, 5)).toEqual(["list:", '  - "yes"', '  - "a: b"', '  - "12"', "  - plain"]);
  expect(text).not.toMatch(/[&*']/);
  const longest = Math.max(...text.split("\n").map((line) => line.trim().length));
  expect([longest > 90, longest <= 100]).toEqual([true, true]);
});
