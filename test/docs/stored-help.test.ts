import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { partsIn } from "../../src/app/parts.ts";
import { storedHelp } from "../../src/app/stored-help.ts";
import { nodeHelp, rootHelp } from "../../src/cli/help.ts";
import { groups } from "../../src/commands/index.ts";
import type { Command, Group } from "../../src/declare/command.ts";

// The help that the build stored is that of the commands, on terminals of any width.

const parts = partsIn(fileURLToPath(new URL("../../dist", import.meta.url)), process);
const terminal = (columns: number) =>
  ({ stdout: { isTTY: true, columns }, env: { NO_COLOR: "1" } }) as unknown as NodeJS.Process;

async function everyNode(): Promise<{ node: Command | Group; path: string[] }[]> {
  const walk = (node: Command | Group, path: string[]): { node: Command | Group; path: string[] }[] => [
    { node, path },
    ...(node.kind === "group" ? node.children.flatMap((child) => walk(child, [...path, child.name])) : []),
  ];
  return (await Promise.all(groups.map(async ({ name, load }) => walk(await load(), [name])))).flat();
}

test.each([40, 80, 100])("at %i columns the stored help of every command equals the computed one", async (columns) => {
  const host = terminal(columns);
  expect(storedHelp(host, ["--help"], parts)).toBe(rootHelp(groups, columns));
  for (const { node, path } of await everyNode()) {
    expect(storedHelp(host, [...path, "--help"], parts)).toBe(nodeHelp(node, path, columns));
    expect(storedHelp(host, ["help", ...path], parts)).toBe(nodeHelp(node, path, columns));
  }
});

test.each([
  ["users", "list"],
  ["users", "--help", "x"],
  ["nonsense", "--help"],
  ["../package", "-h"],
  ["help", "output"],
])("%s %s is left to the program", (...line) => {
  expect(storedHelp(terminal(80), line, parts)).toBeUndefined();
});

test("no topic is hidden by a command with the same name", () => {
  const topics = readFileSync(fileURLToPath(new URL("../../src/cli/topics.ts", import.meta.url)), "utf8");
  for (const { name } of groups) expect(topics).not.toMatch(new RegExp(`^ {2}"?${name}"?:`, "m"));
});
