import fc from "fast-check";
import { expect, test } from "vitest";
import { globOf } from "../../../src/base/glob.ts";
import { fitsAny, Globs, tooManyAlike } from "../../../src/base/globs.ts";

const part = fc.constantFrom("a", "b", "/", "*", "**", "?");
const glob = fc.array(part, { maxLength: 5 }).map((parts) => parts.join(""));
const text = fc.array(fc.constantFrom("a", "b", "/"), { maxLength: 6 }).map((parts) => parts.join(""));

test("many globs match what each of them matches, in their order", () => {
  fc.assert(
    fc.property(fc.array(glob, { maxLength: 12 }), text, (globs, name) => {
      const each = globs.flatMap((one, index) => (globOf(one)(name) ? [index] : []));
      expect(new Globs(globs.map((one, index) => [one, index])).matching(name)).toEqual(each);
      expect(fitsAny(globs)(name)).toBe(each.length > 0);
    }),
  );
});

const beginning = fc.array(fc.constantFrom("a", "b", "/"), { maxLength: 4 }).map((parts) => parts.join(""));
const rest = fc.oneof(
  fc.integer({ min: 1, max: 9_000 }).map((length) => "*".padEnd(length, "x?")),
  fc.constantFrom("", "c", "**"),
);

test("globs are too many if a text may begin as more than 20,000 characters of them, but for names and **", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(beginning, rest), { maxLength: 12 }), (parts) => {
      const own = new Map(parts.map(([begins, more]) => [begins + more, begins]));
      const counted = [...own].filter(([glob]) => /[*?]/.test(glob) && glob !== "**");
      const most = counted.map(([, text]) =>
        counted.reduce((sum, [glob, begins]) => sum + (text.startsWith(begins) ? glob.length : 0), 0),
      );
      const problem = tooManyAlike(parts.map(([begins, more]) => begins + more));
      expect(problem !== undefined).toBe(Math.max(0, ...most) > 20_000);
    }),
  );
});

test.each<[what: string, globs: string[], isTooMany: boolean]>([
  ["20,000 characters of one", [`*${"a".repeat(19_999)}`], false],
  ["20,001 characters of one", [`*${"a".repeat(20_000)}`], true],
  ["three within each other", ["*", "a*", "ab*"].map((glob) => glob + "x".repeat(7_000)), true],
  ["three beside each other", ["a*", "b*", "c*"].map((glob) => glob + "x".repeat(7_000)), false],
  ["one that is repeated", Array.from({ length: 5 }, () => `*${"a".repeat(9_000)}`), false],
  ["names", Array.from({ length: 5_000 }, (_, at) => `break-glass-${at}`), false],
  ["a question mark", [`?${"a".repeat(20_000)}`], true],
])("%s", (_what, globs, isTooMany) => {
  const words = "more than 20,000 characters of patterns with a star begin alike";
  expect(tooManyAlike(globs)).toBe(isTooMany ? words : undefined);
});
