import fc from "fast-check";
import { expect, test } from "vitest";
import { globOf } from "../../../src/base/glob.ts";

test.each([
  ["*.log", "a.log", true],
  ["*.log", "b/a.log", false],
  ["**/*.log", "b/c/a.log", true],
  ["a?c", "abc", true],
  ["a?c", "a😀c", true],
  ["a?c", "a/c", false],
  ["a.b+c", "a.b+c", true],
  ["a.b", "axb", false],
  ["Acme", "acme", false],
  ["**", "any/thing", true],
  ["*", "", true],
  ["", "", true],
  ["", "a", false],
  ["break-glass-*", "break-glass-1", true],
  ["break-glass-*", "acme/break-glass-1", false],
  ["https://**", "https://erp.example/in?x=1", true],
  ["a\n*", "a\nb", true],
])("%s against %s: %s", (pattern, text, fits) => {
  expect(globOf(pattern)(text)).toBe(fits);
});

/** The definition, which tries each way to match after the other. */
function fits(pattern: string, text: string): boolean {
  if (pattern === "") return text === "";
  if (pattern.startsWith("**")) {
    return fits(pattern.slice(2), text) || (text !== "" && fits(pattern, text.slice(1)));
  }
  if (pattern.startsWith("*")) {
    return fits(pattern.slice(1), text) || (text !== "" && text[0] !== "/" && fits(pattern, text.slice(1)));
  }
  const isSame = text !== "" && (pattern[0] === text[0] || (pattern[0] === "?" && text[0] !== "/"));
  return isSame && fits(pattern.slice(1), text.slice(1));
}

test("every pattern matches what its definition says", () => {
  const letters = (all: string, maxLength: number) => fc.string({ unit: fc.constantFrom(...all), maxLength });
  fc.assert(
    fc.property(letters("ab/*?", 7), letters("ab/", 8), (pattern, text) => {
      expect(globOf(pattern)(text)).toBe(fits(pattern, text));
    }),
    { numRuns: 5_000, seed: 20 },
  );
});

test("a pattern with many stars takes no more than its length times the text's", () => {
  // With a step for each way to match, these would take longer than any test.
  const text = "a".repeat(50_000);
  for (const star of ["*a", "**a", "*a**a", "*?"]) {
    expect(globOf(`${star.repeat(20)}b`)(text)).toBe(false);
    expect(globOf(`${star.repeat(20)}*`)(text)).toBe(true);
  }
});
