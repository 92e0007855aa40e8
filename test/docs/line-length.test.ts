import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// The formatter breaks code at 120 columns, but neither comments nor texts.

const limit = 120;

/** Lines over the limit, as `file:line`, other than those with a URL, or with a text or pattern in the code. */
function longLines(file: string, source: string): string[] {
  return source
    .split("\n")
    .flatMap((line, index) => (isTooLong(line.replace(/\r$/, "")) ? [`${file}:${index + 1}`] : []));
}

function isTooLong(line: string): boolean {
  if ([...line].length <= limit || line.includes("://")) return false;
  return isComment(line) || !/["'`]|^\s*\//.test(line);
}

/** A line of a comment, or one of code that a comment ends. */
function isComment(line: string): boolean {
  return /^\s*(?:\/\/|\/?\*)/.test(line) || /\s\/\/ [^"'`]*$/.test(line);
}

test("no line of the source, the tests, and the scripts is over 120 columns, unless it holds a URL or a long text", () => {
  const files = ["src", "test", "scripts", "bin"].flatMap((folder) => filesBelow(folder));
  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap((file) => longLines(file, readFileSync(file, "utf8")))).toEqual([]);
});

test.each([
  ["a comment", `// ${"word ".repeat(24)}`, true],
  ["a comment with a quoted word", ` * "word" ${"word ".repeat(24)}`, true],
  ["a comment after code", `return value; // ${"word ".repeat(24)}`, true],
  ["a comment of characters that take two units each", `// ${"🦊".repeat(117)}`, false],
  ["code", `const ${"x".repeat(120)} = 1;`, true],
  ["a text", `  "${"word ".repeat(24)}",`, false],
  ["a text that contains what starts a comment", `  "${"word ".repeat(24)} // word",`, false],
  ["a pattern", `  /^(?:${"word|".repeat(24)}x)$/i,`, false],
  ["a URL", `// see https://forge.example.com/${"x".repeat(120)}`, false],
  ["a comment of 120 columns", `// ${"x".repeat(117)}`, false],
  ["a comment of 121 columns", `// ${"x".repeat(118)}`, true],
])("%s", (_, line, found) => {
  expect(longLines("file.ts", `first\n${line}\nlast`)).toEqual(found ? ["file.ts:2"] : []);
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:[cm]?js|m?ts)$/.test(name))
    .map((name) => join(folder, name));
}
