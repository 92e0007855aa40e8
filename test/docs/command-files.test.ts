import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { groups } from "../../src/commands/index.ts";
import { commandsIn } from "../../src/declare/describe.ts";

const folder = join(import.meta.dirname, "../../src/commands");

/** The files that a command may be in: of its name in its group's folder, or the group's own, if that is one file. */
function filesOf(words: readonly string[]): string[] {
  const path = words.join("/");
  return [`${path}.ts`, `${path}/index.ts`, `${words[0]}.ts`];
}

function holds(file: string, name: string | undefined): boolean {
  const path = join(folder, file);
  return existsSync(path) && readFileSync(path, "utf8").includes(`name: "${name}"`);
}

test("a command that is written by hand has the file of its name, in the folder of its group", async () => {
  const nodes = await Promise.all(groups.map((entry) => entry.load()));
  const commands = nodes.flatMap((node) => [...commandsIn(node)]);
  const astray = commands
    .filter(({ command }) => command.verb === undefined)
    .map(({ path }) => path)
    .filter((words) => !filesOf(words).some((name) => holds(name, words.at(-1))));
  expect(commands.length).toBeGreaterThan(150);
  expect(astray.map((words) => words.join(" "))).toEqual([]);
});
