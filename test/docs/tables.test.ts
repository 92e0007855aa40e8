import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const pages = [
  "README.md",
  "CHANGELOG.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => `docs/${path}`),
];

/** The cells that a Markdown reader sees: a `|` separates them even inside code, unless it is escaped. */
const cells = (line: string) => line.split(/(?<!\\)\|/).length;

test.each(pages)("each row of a table in %s has as many cells as its head", (path) => {
  const lines = readFileSync(path, "utf8").split("\n");
  const wrong: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (!/^\|[ :|-]+\|$/.test(line)) continue;
    for (let row = index + 1; lines[row]?.startsWith("|"); row += 1) {
      if (cells(lines[row] ?? "") !== cells(lines[index - 1] ?? "")) wrong.push(lines[row] ?? "");
    }
  }
  expect(wrong).toEqual([]);
});
