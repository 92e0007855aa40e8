import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { attack } from "../support/attack.ts";
import { chanceOf, oneOf } from "../support/chance.ts";
import { exampleLines, late, typist, unattended } from "../support/examples.ts";

// Names that others gave, in every answer to every command: nothing in them reaches a job's log as more than text, or
// the names of files. By default one name and format for each third command; with FORGECTL_TEST_NAMES=all each name for
// every example.

const all = process.env.FORGECTL_TEST_NAMES === "all";
const seed = Number(process.env.FORGECTL_TEST_SEED ?? 1);

const names = [
  "\u001b[2J\u001b]0;mine\u0007",
  "a\r\nsection_start:1:x\r\n::error::b",
  "\u202egnp.exe\u2066",
  "$(touch PWNED)`touch PWNED`",
  `'"\\'"; touch PWNED #`,
  "--output=x",
  "=cmd|' /C calc'!A0",
  "@SUM(1+1)",
  "nul\u0000l",
  "half \ud800",
  "\u009b31mred",
  "../../../etc/x",
  "x".repeat(10_000),
  "",
];
const formats = ["table", "json", "csv", "yaml", "ndjson", "tsv"];

/** What a terminal, or the viewer of a log, would obey. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|^section_start:|^::error::/m;

const named = /name|title|path|^key$|^tag|description|body|bio|email|slug|relation|message|location$|ref$|branch/;

/** Every text of a name's field is the hostile one; what else there is stays. */
function renamed(value: unknown, name: string, key = ""): unknown {
  if (Array.isArray(value)) return value.map((each) => renamed(each, name, key));
  if (typeof value === "string") return named.test(key) ? name : value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([of, each]) => [of, renamed(each, name, of)]));
}

let hostile = "";
const user = await alteringSession(({ body }) => {
  return typeof body === "object" && body !== null ? { body: renamed(body, hostile) } : undefined;
});
const type = await typist(user);
const lines = (await exampleLines(all ? undefined : 1)).filter((_, index) => all || index % 3 === seed % 3);
const attacked = attack(lines.length);
/** Bytes as the instance has them are results of these. */
const raw = /^(?:api|artifacts (?:get|download)|files (?:cat|get)|uploads download|registry manifest)\b|--jq|-O\b|\|/;

describe("names that others gave", () => {
  test.each(lines.map((line, index) => [line, index] as const))("%s", { timeout: 900_000 }, async (line, index) => {
    const random = chanceOf(seed + index);
    for (const name of attacked.cells(all ? names : [oneOf(names, random)])) {
      hostile = name;
      const output = oneOf(formats, random);
      const env = { CI: "true", FORGECTL_OUTPUT: output };
      const { code, stdout, stderr } = await type(unattended(line), env, { asProcess: all });
      const what = `${JSON.stringify(name.slice(0, 40))} as ${output}`;
      expect([what, code === 70, stderr === late, stderr]).toEqual([
        what,
        false,
        false,
        expect.not.stringMatching(obeyed),
      ]);
      if (!raw.test(line)) expect([what, stdout]).toEqual([what, expect.not.stringMatching(obeyed)]);
      const made = readdirSync(user.home, { recursive: true }).map(String);
      expect(made.filter((file) => /PWNED|^-/.test(file) || obeyed.test(file))).toEqual([]);
    }
  });
});
