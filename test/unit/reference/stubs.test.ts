import { expect, test } from "vitest";
import { completionScript, shells } from "../../../src/reference/stubs.ts";

test.each(shells)("the script of %s is a stub that calls the program", (shell) => {
  const script = completionScript(shell);
  expect(script).toContain("forgectl __complete");
  expect(script.split("\n").filter((line) => line !== "" && !line.startsWith("#")).length).toBeLessThanOrEqual(30);
  expect(script).not.toMatch(/@\{|users|registry/);
});

// PowerShell is rarely installed here; without it, only the syntax can be checked.
test("PowerShell's brackets match and its strings end", () => {
  const token = /#[^\n]*|(')((?:[^']|'')*)'|"(?:[^"`]|`[\s\S]|"")*"|[()[\]{}]/gy;
  const script = completionScript("powershell");
  let brackets = "";
  for (let at = 0; at < script.length; at++) {
    token.lastIndex = at;
    const [whole] = token.exec(script) ?? [];
    if (whole === undefined) {
      expect(script[at]).not.toMatch(/['"]/);
      continue;
    }
    if (whole.length === 1) brackets += whole;
    at += whole.length - 1;
  }
  for (let before = ""; before !== brackets; ) {
    before = brackets;
    brackets = brackets.replaceAll("()", "").replaceAll("[]", "").replaceAll("{}", "");
  }
  expect(brackets).toBe("");
  expect(script).toContain("Register-ArgumentCompleter -Native -CommandName forgectl");
});
