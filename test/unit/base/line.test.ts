import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { commandLine, unshown } from "../../../src/base/shell-words.ts";
import { visible } from "../../../src/terminal/sanitize.ts";
import { hasShell } from "../../support/shells.ts";

/** Characters that mean something to some shell, and a few that do not. */
const alphabet = [..."$`!\\'\"*?[]{}()<>|&;#~=%^-+,.:/@ aZ0_é中“”‘’🙂\n\r\t\u001b\u007f\u0085\u2028\u202e"];

const word = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 12 }) },
  fc.string({ unit: "binary", maxLength: 8 }).filter((text) => !text.includes("\0")),
  fc.constantFrom("$(touch x)", "`touch x`", "!!", "!$", "~", "~root", "=ls", "-n", "--yes", "a'b\\", "\\", "", "\n\n"),
);

/** Words as a shell hands them to a program. */
function wordsIn(shell: string, line: string): string[] {
  const own: Record<string, string[]> = { bash: ["--norc"], zsh: ["-f"], fish: ["--no-config"] };
  const script = `'${process.execPath}' -e 'process.stdout.write(JSON.stringify(process.argv.slice(1)))' -- ${line}`;
  const env = { PATH: process.env.PATH, LC_ALL: "C.UTF-8" };
  return JSON.parse(execFileSync(shell, [...(own[shell] ?? []), "-c", script], { encoding: "utf8", env, cwd: "/" }));
}

describe.each(["sh", "bash", "zsh", "fish"])("a line pasted into %s", (shell) => {
  test.runIf(shell === "sh" || hasShell(shell))("has no word that this shell replaces", () => {
    const words = ["%self", "%1", "=ls", "~", "-", "+", "a%self", ":", "@(a)", "^a", "!1"];
    expect(wordsIn(shell, commandLine(words))).toEqual(words);
  });

  // Other shells replace bytes that are not characters of the locale.
  const isText = (text: string) => !/\p{Cs}|\p{Cn}|\p{Co}/u.test(text);
  test.runIf(shell === "sh" || hasShell(shell))("has the words that were joined, whatever is in them", () => {
    const lists = fc.array(word.filter(isText), { minLength: 250, maxLength: 250 });
    fc.assert(
      fc.property(lists, (words) => {
        expect(wordsIn(shell, commandLine(words))).toEqual(words);
      }),
      { numRuns: 2, seed: 22, endOnFailure: true },
    );
  });
});

test("as POSIX prints them", () => {
  const words = ["$(touch x)", "a'b\\", "~", "-n", "!!", "a\nb", "\u001b[2J", "%d\\n", "\n"];
  const printed = execFileSync("sh", ["-c", `printf '%s|' ${commandLine(words)}`], { encoding: "utf8" });
  expect(printed).toBe(`${words.join("|")}|`);
});

test("a line that is shown on a terminal is the line that was meant", () => {
  fc.assert(
    fc.property(fc.array(word.filter((text) => !text.endsWith("\n"))), (words) => {
      const line = commandLine(words);
      expect(visible(line)).toBe(line);
    }),
    { seed: 22 },
  );
});

test("what a terminal does not show is what is written in escapes", () => {
  const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
  const isHalf = (text: string) => /\p{Cs}/u.test(text);
  const different = characters.filter((text) => !isHalf(text) && unshown.test(text) !== (visible(text) !== text));
  expect(different).toEqual([]);
});

test("plain words stay as they are", () => {
  expect(commandLine(["users", "list", "--search=a@b.example", "acme/web", "-p", "7", ""])).toBe(
    "users list --search=a@b.example acme/web -p 7 ''",
  );
  expect(commandLine(["name==ls", "a=b:=ls", "a=b=c"])).toBe("'name==ls' 'a=b:=ls' a=b=c");
  expect(commandLine(["=ls", "%self", "it's", "a\\b"])).toBe(`'=ls' '%self' "$(printf 'it\\047s')" 'a'\\\\'b'`);
  expect(commandLine(["R & D", "O’Brien"])).toBe("'R & D' \"$(printf 'O\\342\\200\\231Brien')\"");
});
