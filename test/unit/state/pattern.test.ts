import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compare, matches, overlap, type Pattern, readPattern } from "../../../src/state/pattern.ts";

function pattern(text: string): Pattern {
  const read = readPattern(text);
  if ("problem" in read) throw new Error(`${text}: ${read.problem}`);
  return read;
}

test.each([
  ["acme/**/**", "** is a whole segment, once in a row"],
  ["acme/web-**", "** is a whole segment, once in a row"],
  ["acme/[ab]*", "* and ** are the only wildcards"],
  ["acme/a?", "* and ** are the only wildcards"],
  ["acme/*/", "begins and ends without a slash"],
  ["**", "the first segment has no wildcard: name a group"],
  ["*/x", "the first segment has no wildcard: name a group"],
  ["ac*/x", "the first segment has no wildcard: name a group"],
])("%s is refused: %s", (text, problem) => {
  expect(readPattern(text)).toEqual({ problem });
});

test.each([
  ["acme/**", ["acme/api", "acme/m/ios"], ["acme", "acme-labs/x"]],
  ["acme/*", ["acme/api"], ["acme/m/ios", "acme"]],
  ["acme/web-*", ["acme/web-ui", "acme/web-"], ["acme/m/web-ui", "acme/web"]],
  ["acme/**/billing", ["acme/billing", "acme/m/billing", "acme/m/n/billing"], ["acme/m/billing/x"]],
  ["ACME/*-API", ["acme/x-int-api"], ["acme/api"]],
])("%s matches %j and not %j", (text, yes, no) => {
  expect([...yes, ...no].map((path) => matches(pattern(text), path))).toEqual([
    ...yes.map(() => true),
    ...no.map(() => false),
  ]);
});

describe("the order of what matches", () => {
  test.each([
    ["acme/*", "acme/**"],
    ["acme/web-*", "acme/*"],
    ["acme/*-api", "acme/*"],
    ["acme/m/**", "acme/**/billing"],
    ["acme/*-int-api", "acme/*-api"],
  ])("%s comes before %s", (first, second) => {
    expect(Math.sign(compare(pattern(first), pattern(second)))).toBe(-1);
    expect(Math.sign(compare(pattern(second), pattern(first)))).toBe(1);
  });

  test.each([
    ["acme/*-api", "acme/*-int-*"],
    ["acme/**", "ACME/**"],
    ["acme/**/*", "acme/**"],
  ])("%s and %s have equal right", (first, second) => {
    expect(compare(pattern(first), pattern(second))).toBe(0);
  });
});

test("two patterns meet or not, whatever exists", () => {
  expect(overlap(pattern("acme/*-api"), pattern("acme/*-int-*"))).toBe(true);
  expect(overlap(pattern("acme/*-api"), pattern("acme/*-web"))).toBe(false);
  expect(overlap(pattern("acme/m/**"), pattern("acme/**/billing"))).toBe(true);
  expect(overlap(pattern("acme/*"), pattern("acme/*/*"))).toBe(false);
});

// A slow, plain reference: all paths over two letters, to a bounded length.

const segments = ["a", "b", "aa", "ab", "ba", "bb", "aab", "aba"];
const paths = [1, 2, 3].flatMap((depth) => {
  let all = ["r"];
  for (let level = 0; level < depth; level++) all = all.flatMap((path) => segments.map((each) => `${path}/${each}`));
  return all;
});

/** As a regular expression, written from the rule alone. */
function language({ text }: Pattern): Set<string> {
  const parts = text.split("/");
  const source = parts
    .map((part, index) => {
      if (part === "**") return index === parts.length - 1 ? "(/[^/]+)+" : "(/[^/]+)*";
      return `/${part === "*" ? "[^/]+" : part.replaceAll("*", "[^/]*")}`;
    })
    .join("");
  const expression = new RegExp(`^${source.slice(1)}$`);
  return new Set(paths.filter((path) => expression.test(path)));
}

const segment = fc.stringMatching(/^[ab*]{1,3}$/).filter((text) => !text.includes("**"));
const anyPattern = fc
  .array(fc.oneof(segment, fc.constantFrom("*", "**")), { minLength: 1, maxLength: 3 })
  .map((parts) => ["r", ...parts].join("/"))
  .filter((text) => text.includes("*") && !text.includes("**/**"));

test("matching and meeting agree with a plain reference", () => {
  fc.assert(
    fc.property(anyPattern, anyPattern, (one, other) => {
      const [first, second] = [pattern(one), pattern(other)];
      const [a, b] = [language(first), language(second)];
      expect(new Set(paths.filter((path) => matches(first, path)))).toEqual(a);
      const common = [...a].some((path) => b.has(path));
      // The reference has only short paths: it may miss a meeting, never invent one.
      if (common) expect(overlap(first, second)).toBe(true);
      if (compare(first, second) < 0 && first.literal === second.literal && first.deep === second.deep) {
        expect([...a].filter((path) => !b.has(path))).toEqual([]);
      }
    }),
    { numRuns: 300 },
  );
});
