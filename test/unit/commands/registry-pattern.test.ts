import { describe, expect, test } from "vitest";
import { UsageError } from "../../../src/base/errors.ts";
import { matchesEverything, readPattern } from "../../../src/commands/registry/prune/pattern.ts";

const read = (text: string) => readPattern(text, "--delete-regex");

describe("readPattern", () => {
  test.each([
    ["v1", "v1", true],
    ["v1", "v1.0", false],
    ["v1", "rv1", false],
    ["v.*", "v1.0", true],
    ["a|ab", "ab", true],
    ["v1|v2", "v1-beta", false],
    ["(?i)V1", "v1", true],
    ["^v\\d+$", "v12", true],
    ["\\Qv1.0\\E", "v1.0", true],
    ["\\Qv1.0\\E", "v1x0", false],
    ["\\p{Lu}+", "ABC", true],
    ["[[:alnum:]]+", "a1", true],
  ])("%s on %s: %s", (pattern, name, matches) => {
    expect(read(pattern).matches(name)).toBe(matches);
  });

  test.each([
    ["v1.*", "v1.*"],
    ["v1|v2", "(?:v1|v2)"],
    ["(v1|v2)-beta", "(v1|v2)-beta"],
    ["((a|b)|c)", "((a|b)|c)"],
    ["(a)|(b)", "(?:(a)|(b))"],
    ["v1\\|v2", "v1\\|v2"],
    ["[|]+", "[|]+"],
    ["[^]|]+", "[^]|]+"],
    ["[\\]|]+x", "[\\]|]+x"],
    ["[[:alpha:]|]+", "[[:alpha:]|]+"],
    ["\\Qa|b\\E", "\\Qa|b\\E"],
    ["\\Qa|b\\E|c", "(?:\\Qa|b\\E|c)"],
    ["\\(a|b\\)", "(?:\\(a|b\\))"],
  ])("%s is sent as %s: each alternative must match a whole name", (pattern, sent) => {
    expect(read(pattern).sent).toBe(sent);
  });

  test.each([
    ["(a", "missing closing ): `(a`"],
    ["a)", "unexpected ): `a)`"],
    ["a)|(b", "unexpected ): `a)|(b`"],
    ["[z-a]", "invalid character class range: `z-a`"],
    ["*", "missing argument to repetition operator: `*`"],
    ["a**", "invalid nested repetition operator: `**`"],
    ["a(?=b)", "invalid or unsupported Perl syntax: `(?=`"],
    ["(a)\\1", "invalid escape sequence: `\\1`"],
    ["a{1,2000}", "invalid repeat count: `{1,2000}`"],
    // It would quote what the platform appends.
    ["\\Qa", "missing closing ): `(?:\\Qa)`"],
  ])("%s is refused with RE2's message", (pattern, reason) => {
    let refusal: unknown;
    try {
      read(pattern);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(UsageError);
    expect(refusal).toMatchObject({
      message: `--delete-regex: "${pattern}" is not a regular expression of RE2`,
      details: { reason },
    });
  });

  test("an empty pattern does not mean everything, or nothing", () => {
    expect(() => read("")).toThrow("--delete-regex: is empty; a pattern that matches every tag is written .*");
  });

  test.each([" ", "\t", "v1 ", " v1", "v1\r", "v1\nv2", "v1 | v2", "(v1| v2)", "v1\u00a0"])(
    "%j would keep no tag: a space that does not belong to a name",
    (text) => {
      expect(() => read(text)).toThrow("--delete-regex: has a space or line break where no tag has one");
    },
  );

  test.each(["[^ ]+", "v\\s?1", "[ |]v1", "v 1"])("%j has a space that says something, or is one's own", (text) => {
    expect(() => read(text)).not.toThrow();
  });

  test("is fast on patterns that are slow in other engines", () => {
    const started = performance.now();
    expect(read("(a*)*b").matches("a".repeat(128))).toBe(false);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

test.each([
  [".*", true],
  [".+", true],
  ["^.*$", true],
  ["(?s).*", true],
  ["[\\w.-]+", true],
  ["\\S+", true],
  [".*|x", true],
  ["(.|x)*", true],
  ["[a-z].*", false],
  ["v.*", false],
  [".{1,127}", false],
  ["[^_].*", false],
  ["\\w+", false],
  ["a", false],
])("%s matches everything: %s", (pattern, everything) => {
  expect(matchesEverything(read(pattern))).toBe(everything);
});
