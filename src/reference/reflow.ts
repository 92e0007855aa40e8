import { wrap } from "../base/help-page.ts";

/** An item of a list, a quotation, or a plain line, with what stands before its text. */
const beginning = /^( *(?:[-*] |\d+\. |> )?)(.*)$/;
/** A heading, or an image or comment: a line of its own. */
const whole = /^ *(?:#|!\[|<)/;
const tableRow = /^ *\|/;
const fence = /^ *```/;
/** A space before a word that would be read as the marker of an item if it began a line. */
const beforeMarker = / (?=(?:[-*>]|\d+\.) )/g;
const unbroken = "\u00a0";

/**
 * A page in Markdown with its paragraphs filled to a width, in columns. Code stays as it is, and so do tables that fit;
 * a wider one becomes a list, with an item for each of its cells.
 */
export function reflowed(page: string, width: number): string {
  const out: string[] = [];
  let paragraph: { before: string; words: string } | undefined;
  const end = () => {
    if (paragraph === undefined) return;
    const { before, words } = paragraph;
    const lines = wrap(words.replace(beforeMarker, unbroken), Math.max(1, width - before.length));
    const indent = " ".repeat(before.length);
    out.push(...lines.map((line, index) => (index === 0 ? before : indent) + line.replaceAll(unbroken, " ")));
    paragraph = undefined;
  };
  let isCode = false;
  for (const line of withoutWideTables(page.split("\n"), width)) {
    const [, before = "", words = ""] = beginning.exec(line) ?? [];
    if (isCode || fence.test(line) || whole.test(line) || tableRow.test(line) || words === "") {
      end();
      out.push(line);
      if (fence.test(line)) isCode = !isCode;
    } else if (paragraph !== undefined && before.trim() === "") paragraph.words += ` ${words}`;
    else {
      end();
      paragraph = { before, words };
    }
  }
  end();
  return out.join("\n");
}

function withoutWideTables(lines: readonly string[], width: number): string[] {
  const out: string[] = [];
  let table: string[] = [];
  let isCode = false;
  for (const line of [...lines, undefined]) {
    if (line !== undefined && !isCode && tableRow.test(line)) {
      table.push(line);
      continue;
    }
    out.push(...(table.some((row) => row.length > width) ? listOf(table) : table));
    table = [];
    if (line === undefined) break;
    if (fence.test(line)) isCode = !isCode;
    out.push(line);
  }
  return out;
}

/** An item for each row, named by its first cell, and in it one for each other cell, below its heading. */
function listOf([first = "", , ...rows]: readonly string[]): string[] {
  const headings = cellsOf(first);
  return rows.map(cellsOf).flatMap(([name = "", ...cells]) => [
    `- ${name}`,
    ...cells.flatMap((cell, index) => {
      const heading = headings[index + 1] ?? "";
      return cell === "" ? [] : [`  - ${heading === "" ? "" : `${heading}: `}${cell}`];
    }),
  ]);
}

function cellsOf(row: string): string[] {
  const cells = row
    .trim()
    .split(/(?<!\\)\|/)
    .slice(1, -1);
  return cells.map((cell) => cell.trim().replaceAll("\\|", "|"));
}
