import { expect, test } from "vitest";
import { completionScript } from "../../../src/reference/completion.ts";
import { sample } from "./fixture.ts";

// PowerShell is seldom at hand where the tests run; what can be seen without it is that the script is well formed.

const script = completionScript("powershell", sample);

/** The script's brackets and strings, as PowerShell's lexer reads them: its quotes are doubled inside strings. */
function lex(text: string): { brackets: string; strings: string[] } {
  let brackets = "";
  const strings: string[] = [];
  const token = /#[^\n]*|(['\u2018\u2019\u201a\u201b])((?:(?!\1)[\s\S]|\1\1)*)\1|"(?:[^"`]|`[\s\S]|"")*"|[()[\]{}]/gy;
  for (let at = 0; at < text.length; at++) {
    token.lastIndex = at;
    const [whole, quote, inner] = token.exec(text) ?? [];
    if (whole === undefined) {
      if (/['"]/.test(text[at] ?? "")) throw new Error(`a string without an end at: ${text.slice(at, at + 60)}`);
      continue;
    }
    if (quote !== undefined) strings.push((inner ?? "").replaceAll(quote + quote, quote));
    else if (whole.length === 1) brackets += whole;
    at += whole.length - 1;
  }
  return { brackets, strings };
}

test("strings end, brackets match, and awkward text comes through whole", () => {
  const { brackets, strings } = lex(script);
  let left = brackets;
  for (let before = ""; before !== left; ) {
    before = left;
    left = left.replaceAll("()", "").replaceAll("[]", "").replaceAll("{}", "");
  }
  expect(left).toBe("");
  expect(strings).toContain('--ref Branch: it\'s "$HOME", `x`, or \\d (required)');
  expect(strings).toContain("words level:developer level:admin");
});

test("every path, flag, and value is in it, and nothing hidden", () => {
  const { strings } = lex(script);
  for (const path of ["things", "things tags", "things tags delete", "things show", "run"]) {
    expect(strings).toContain(path);
  }
  expect(strings).toContain("things tags delete --via");
  expect(strings).toContain("ask assignment");
  expect(script).not.toContain("hush");
  expect(script).not.toMatch(/@[a-z]+@/);
});
