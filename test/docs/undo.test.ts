import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { changes } from "../../src/api/endpoint.ts";
import { groups } from "../../src/commands/index.ts";
import { commandsIn } from "../../src/declare/describe.ts";
import { runCases, undoCases } from "../support/undo-cases.ts";

// Every command that changes an instance prints an undo line, or the page says why it prints none.

const nodes = await Promise.all(groups.map((entry) => entry.load()));
const changing = nodes
  .flatMap((node) => [...commandsIn(node)])
  .filter(({ command }) => command.changes !== undefined || command.requests.some(changes))
  .map(({ path, command }) => ({ name: path.join(" "), undo: command.undo }));
const names = changing.map(({ name }) => name);

const [, section = ""] = readFileSync("docs/scripting.md", "utf8").split("\n## Undo\n");
const [page = ""] = section.split("\n## ");
const code = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
const excused = [...page.matchAll(/^\| (`.*?`) \| (.+) \|$/gm)].flatMap(([, cell = ""]) => code(cell));
const listed = (lead: string) => code(new RegExp(`${lead}[^:]*:\\n((?:.+\\n)*)`).exec(page)?.[1] ?? "");

test("the page and the tests have each changing command once", () => {
  const tested = Object.keys({ ...undoCases, ...runCases }).filter((name) => names.includes(name));
  expect([...tested, ...excused].sort()).toEqual([...names].sort());
});

test("the page lists the commands that read the previous state, and those that undo a run", () => {
  const reading = changing.filter(({ undo }) => undo?.before !== undefined).map(({ name }) => name);
  expect(listed("Some need the previous state").sort()).toEqual(reading.sort());
  expect(listed("These print the line").sort()).toEqual(Object.keys(runCases).sort());
});
