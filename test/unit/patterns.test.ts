import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkSync } from "recheck";
import { parseAst } from "rolldown/parseAst";
import { expect, test } from "vitest";
import { attack } from "../support/attack.ts";

// What texts of others cost: a regular expression may take the square of a text's length, the cube, or 2 to its power,
// and nothing ends it, neither Ctrl-C nor a time limit.

/** Those that take more than their text is long, and why none is long there. */
const bounded = new Map([
  [String.raw`/[^\s"'<>,;]+$/`, "the text was cut to 300 characters"],
  [String.raw`/\/api\/v4.*?\/(projects|groups)\/([^/?]+)/`, "a header: 16 kB in all"],
  ["/<([^>]*)>([^<]*)/g", "a header: 16 kB in all"],
  [
    String.raw`/([?&](?:\w{1,50}_)?(?:variables(?:_attributes)?|custom_headers)(?:\[|%5B)[^\s=&#"'<>]{0,100}?(?:\[|%5B)value(?:\]|%5D)=)[^\s&#"'<>]+/gi`,
    "its repetitions are bounded",
  ],
  [String.raw`/^(?:\S+ ){0,5}(?:\w+ed|made|set)\b/i`, "its repetitions are bounded"],
  [String.raw`/\B(?=(\d{3})+$)/g`, "the digits of a number"],
  [String.raw`/^ {2}( {0,2}\S.*?)(?: {2,}(\S.*))?$/`, "a line of our own help"],
  [String.raw`/^\n+|\n+$/g`, "our own help"],
  [String.raw`/^( *(?:[-*] |\d+\. |> )?)(.*)$/`, "a line of our own documents"],
  [String.raw`/^(?:([A-Za-z]+)(?:\s+|(?=\s*=)))?(\/[^\s=]*)?\s*=\s*(.*)$/`, "a fault that the sandbox's user types"],
  [String.raw`/^([a-z]+|\d{3})(?::(.*?))?(?:\s*\*\s*(\d+|always))?$/`, "a fault that the sandbox's user types"],
]);

const source = join(import.meta.dirname, "../../src");
const patterns = patternsIn(source);
// Under `npm run attack` also those with lookarounds, by trials.
const isAttack = process.env.FORGECTL_ATTACK_SECONDS !== undefined;

test("the time of no regular expression grows faster than its text", () => {
  const costly = [...attack(1).cells([...patterns])].filter(([pattern]) => isCostly(pattern));
  const unexplained = costly.filter(([pattern]) => !bounded.has(pattern));
  expect(unexplained.map(([pattern, file]) => `${file}: ${pattern}`)).toEqual([]);
}, 300_000);

test("what is called bounded is there", () => {
  expect([...bounded.keys()].filter((pattern) => !patterns.has(pattern))).toEqual([]);
});

test("the check finds the cube, the square, and the power", () => {
  const found = [String.raw`/^!?\[.*\]\((.*)\)(?:\{[^}]*\})?$/s`, "/_+$/", String.raw`/\[(?:\\.|[^\]])*\]/`];
  expect(found.filter(isCostly)).toEqual(found);
  expect(isCostly(String.raw`/^\[(?:\\.|[^\]\\])*\]$/`)).toBe(false);
});

/** Each regular expression with a file that has it. */
function patternsIn(root: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts")) continue;
    JSON.stringify(parseAst(readFileSync(join(root, file), "utf8"), { lang: "ts" }), (_key, node) => {
      if (node?.type === "Literal" && node.regex) found.set(`/${node.regex.pattern}/${node.regex.flags}`, file);
      return node?.type === "Literal" ? null : node;
    });
  }
  return found;
}

function isCostly(pattern: string): boolean {
  const end = pattern.lastIndexOf("/");
  const how = isAttack ? { timeout: 5000 } : { timeout: 500, checker: "automaton" as const };
  return checkSync(pattern.slice(1, end), pattern.slice(end + 1), how).status === "vulnerable";
}
