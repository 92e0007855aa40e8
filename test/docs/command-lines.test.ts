import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../src/", import.meta.url));

/** Files whose lines are usage and examples of the program's own words, or are not printed. */
const ofOwnWords =
  /^(?:sandbox|reference|cli)\/|^base\/help-page\.ts$|^app\/report\.ts$|^state\/runs\/runs\.ts$|^commands\/identities\/remap-plan\.ts$/;

/** Lines that `commandLine` made before, remarks behind them, and values of a form in which no shell reads anything. */
const made = [
  /^(?:commandLine|statusLine|restLine|stdinRemark)\(/,
  /^(?:line|again|resend|shown|wait|startOver|resume\(\)|wait\.resume|wanted\.again|wanted\.update|update|criteria\.line\(.*\))$/,
  // The ID of a run, names of profiles and keys, commands, and versions.
  /^(?:run|name|key|inside|flags|listed|version|node|platform|arch|error\.command|served\.notFound)$/,
  /^instanceFlags\(/,
];

/** The expressions in a template after a `forgectl` in it; each may hold templates of its own. */
function inserted(template: string): string[] {
  const found: string[] = [];
  for (let at = template.indexOf("${"); at >= 0; at = template.indexOf("${", at)) {
    let depth = 1;
    let end = at + 2;
    for (; depth > 0 && end < template.length; end++) depth += { "{": 1, "}": -1 }[template[end] ?? ""] ?? 0;
    found.push(template.slice(at + 2, end - 1));
    at = end;
  }
  return found;
}

test("a value in a line to be pasted is quoted by commandLine", () => {
  const wrong = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((path) => path.split(sep).join("/"))
    .filter((path) => path.endsWith(".ts") && !ofOwnWords.test(path))
    .flatMap((path) =>
      readFileSync(join(root, path), "utf8")
        .split("\n")
        .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line))
        .flatMap((line) => [...line.matchAll(/`[^`]*?\bforgectl (.*)/g)])
        .flatMap(([, rest = ""]) => inserted(rest))
        .filter((expression) => !made.some((form) => form.test(expression)))
        .map((expression) => `${path}: ${expression}`),
    );
  expect(wrong).toEqual([]);
});
