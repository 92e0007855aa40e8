import { inertWithin } from "../job-log.ts";
import { visible } from "../sanitize.ts";

/** The longest note that a merge request takes is longer; this leaves room for what a script adds. */
const maxMarkdown = 60_000;

interface Table {
  /** One line above the table. */
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly (string | null)[]>;
}

/**
 * A folded table for a note of at most 60,000 characters; rows that do not fit are counted below it. Cells are code, so
 * that nothing in them is a mention, a reference, a command, or markup.
 */
export function markdownTable({ title, columns, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  const head = `${title}\n\n<details><summary>Show the table</summary>\n\n${line(columns)}${line(columns.map(() => "---"))}`;
  const foot = "\n</details>\n";
  const parts: string[] = [];
  // The line below the table must fit too.
  let left = maxMarkdown - head.length - foot.length - 100;
  let count = 0;
  let shown = 0;
  for (const row of rows) {
    count += 1;
    const text = line(row.map(cell));
    if (shown < count - 1 || text.length > left) continue;
    left -= text.length;
    shown += 1;
    parts.push(text);
  }
  if (count === 0) return `${title}\n`;
  const rest = shown === count ? "" : `\n${count - shown} more rows are not shown.\n`;
  return head + parts.join("") + foot + rest;
}

/**
 * One line of code, in a cell, with what reorders it made visible: it is reviewed. Nothing in it begins a line, and it
 * may be printed in a job's log. Backticks in it need longer fences; a bar, an odd number of backslashes, since two are
 * one backslash to what splits a row.
 */
function cell(text: string | null): string {
  if (text === null || text === "") return "";
  const shown = inertWithin(visible(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")));
  const flat = shown
    .replace(/(?<!\\)(\\*)\|/g, (_, before: string) => `${before}${before.length % 2 === 0 ? "\\" : "\\\\"}|`)
    .trim();
  if (flat === "") return "";
  let longest = 0;
  for (const [run] of flat.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  const room = flat.startsWith("`") || flat.endsWith("`") ? " " : "";
  return `${fence}${room}${flat}${room}${fence}`;
}
