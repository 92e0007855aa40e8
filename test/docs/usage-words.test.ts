import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { groups } from "../../src/commands/index.ts";
import { commandsIn, describeFlags, flagTerm } from "../../src/declare/describe.ts";
import { globalFlags } from "../../src/declare/globals.ts";

const nodes = await Promise.all(groups.map((entry) => entry.load()));
const fields = [globalFlags, ...nodes.flatMap((node) => [...commandsIn(node)]).map(({ command }) => command.params)];
const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ name, text: readFileSync(join("src", name), "utf8") }));

test("a flag that an error calls missing is written as in help", () => {
  const known = fields.flatMap((each) => describeFlags(each)).map((flag) => flagTerm(flag).replace("...", ""));
  const isKnown = (typed: string) =>
    known.some((term) => [term, term.replace(/^-\w, /, ""), term.replace(/ <.*>$/, "")].includes(typed));
  const named = sources.flatMap(({ name, text }) =>
    [...text.matchAll(/\bmissing\(\s*"([^"]*)"/g)].flatMap(([, what = ""]) =>
      [...what.matchAll(/(?:-\w, )?--[\w-]+(?: <[^>]*>)?/g)].map(([flag]) => ({ name, flag })),
    ),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ flag }) => !isKnown(flag))).toEqual([]);
});

test("a cause is a cause: what did not happen is an outcome, and stands alone", () => {
  const said = /"[^"]*|`[^`]*/g;
  const outcomes = /\bnothing was (?:sent|written|stored|changed|deleted)\b/;
  const found = sources
    .filter(({ name }) => !name.startsWith("sandbox"))
    .flatMap(({ name, text }) =>
      text
        .split("\n")
        .filter((line) => /\b(?:reason|Error\(|Failure\()/.test(line))
        .flatMap((line) => (line.match(said) ?? []).filter((words) => outcomes.test(words)))
        .map((words) => `${name}: ${words}`),
    );
  expect(found).toEqual([]);
});
