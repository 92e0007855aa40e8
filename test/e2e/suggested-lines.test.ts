import { afterAll, describe, expect, test } from "vitest";
import { UsageError } from "../../src/base/errors.ts";
import { loadGroup } from "../../src/cli/load.ts";
import { parse } from "../../src/cli/program.ts";
import { firstWord } from "../../src/cli/words.ts";
import { type Altered, alteringSession } from "../support/altering-proxy.ts";
import { attack } from "../support/attack.ts";
import { exampleLines, typist, unattended } from "../support/examples.ts";
import { shellWords } from "../support/shell.ts";

// Every command line that is suggested, after a success and after every kind of failure, is one: a shell splits it, and
// the program takes its words. By default the examples of each twelfth command; with FORGECTL_TEST_READS=all every one.

const all = process.env.FORGECTL_TEST_READS === "all";
const seed = Number(process.env.FORGECTL_TEST_SEED ?? Date.now() % 1_000_000);
afterAll(() => {
  if (!all) process.stderr.write(`suggested lines: FORGECTL_TEST_SEED=${seed}\n`);
});

const refused = (status: number) => ({ status, body: { message: "no" } });
const faults: readonly [name: string, method: RegExp, answer: Altered][] = [
  ["as it is", /-/, undefined],
  ["changes lost", /^(?!GET)/, "lost"],
  ...[403, 404, 409, 412, 429, 500, 504].map((status) => onChanges(status)),
  ...[403, 404, 500].map((status) => onReads(status)),
];

function onChanges(status: number): (typeof faults)[number] {
  return [`changes ${status}`, /^(?!GET)/, refused(status)];
}

function onReads(status: number): (typeof faults)[number] {
  return [`reads ${status}`, /^GET/, refused(status)];
}

let [, faulty, answer] = faults[0] as (typeof faults)[number];
const user = await alteringSession(({ method }) => (faulty.test(method) ? answer : undefined));
const type = await typist(user);
const lines = (await exampleLines(all ? undefined : 1))
  // They print pages, not suggestions.
  .filter((line) => !/^(?:guide|man|skill)\b/.test(line))
  .filter((_, index) => all || (index + seed) % 12 === 0);
const attempts = attack(lines.length);

/** A line of its own below `try:` or `undo:`, or at the end of a sentence: `check it: forgectl …`. */
const suggested = /^(?:(?:try:|undo:)? *|.*?: )forgectl (.*)$/;
/** What follows a command in a sentence, or explains it, or runs after it. */
const following =
  / {2,}# .*$|(?:[,;] (?:or|and|also|with|then|to|otherwise|the)|: | (?:shows|takes|stores|lists)) .*$| (?:\||&&) .*$/;

describe("what is suggested can be typed", { timeout: 900_000 }, () => {
  test.each(lines)("%s", async (line) => {
    for (const [name, ...fault] of attempts.cells(faults)) {
      [faulty, answer] = fault;
      const { stderr } = await type(unattended(line), {});
      for (const text of stderr.split("\n")) {
        const [, typed] = suggested.exec(text) ?? [];
        if (typed !== undefined) expect([name, text, await mistakeIn(typed)]).toEqual([name, text, undefined]);
      }
    }
  });
});

/** Why the program would refuse a line; a command that a sentence only names may lack its arguments. */
async function mistakeIn(typed: string): Promise<string | undefined> {
  const bare = typed.replace(following, "");
  if (/<[a-z]/.test(bare)) return undefined;
  try {
    const words = await shellWords(bare, { cwd: user.home, env: user.env });
    parse(await loadGroup(firstWord(words) ?? ""), words);
    return undefined;
  } catch (error) {
    if (!(error instanceof UsageError)) return String(error);
    return bare !== typed && error.message.startsWith("missing ") ? undefined : error.message;
  }
}
