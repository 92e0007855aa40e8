import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { reflowed } from "../../../src/reference/reflow.ts";

const pages = readdirSync("docs").filter((name) => name.endsWith(".md"));

test("paragraphs and items are filled; code, tables, and headings stay", () => {
  const page = `# A heading that is long
One line
and another.

- an item with some words
  and more
  1. one inside
| a | table |
\`\`\`console
$ some code    stays
\`\`\`
> a quotation of words
`;
  expect(reflowed(page, 16)).toBe(`# A heading that is long
One line and
another.

- an item with
  some words and
  more
  1. one inside
| a | table |
\`\`\`console
$ some code    stays
\`\`\`
> a quotation of
  words
`);
});

test("a table that is too wide is a list: an item for each row, and in it one for each cell below its heading", () => {
  const page = `| you have | take | |
| --- | --- | --- |
| a Mac | a \\| b | or not |
| Windows | | |

\`\`\`
| in code | it stays |
\`\`\`
`;
  expect(reflowed(page, 40)).toBe(page);
  expect(reflowed(page, 24)).toBe(`- a Mac
  - take: a | b
  - or not
- Windows

\`\`\`
| in code | it stays |
\`\`\`
`);
});

test("no line begins with a word that would be read as the marker of an item", () => {
  expect(reflowed("the hints of 403 and 404. Any field - or * none", 20)).toBe(
    "the hints of 403\nand 404. Any field -\nor * none",
  );
});

describe.each(pages)("%s", (name) => {
  const page = readFileSync(join("docs", name), "utf8");
  const words = (text: string) => text.split(/\s+/).join(" ");
  const withoutTables = page.replace(/^ *\|.*\n/gm, "");
  const headings = new Set((page.match(/^\|[^|]*\|(?=.*\n\| ---)/gm) ?? []).flatMap((cell) => cell.split(/[\s|]+/)));
  /** Each word, without the marks of tables and lists. */
  const inTables = (text: string) =>
    new Set(
      text
        .replace(/\\\||[|:]/g, " ")
        .split(/\s+/)
        .filter((word) => !/^(?:[-*>#]*|\d+\.)$/.test(word)),
    );

  test.each([40, 80, 200])("says the same in %i columns, and paragraphs fit", (width) => {
    expect(words(reflowed(withoutTables, width))).toBe(words(withoutTables));
    const filled = reflowed(page, width);
    const [kept, all] = [inTables(filled), inTables(page)];
    // A list needs no heading for what names its items.
    expect([...all].filter((word) => !kept.has(word) && !headings.has(word))).toEqual([]);
    expect([...kept].filter((word) => !all.has(word))).toEqual([]);
    const prose = filled.replace(/^ *```.*?^ *```$/gms, "").split("\n");
    const long = prose.filter((line) => line.length > width && !/^ *[#<!]/.test(line));
    // A word that is longer has its own line.
    expect(long.filter((line) => /\S \S/.test(line.replace(/^ *(?:[-*]|\d+\.|>) /, "")))).toEqual([]);
    // Filled once more, nothing changes.
    expect(reflowed(filled, width)).toBe(filled);
  });
});
