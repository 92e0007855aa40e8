import { valueAt } from "../fields.ts";
import { inert, inertWithin } from "../job-log.ts";
import { visible } from "../sanitize.ts";
import { type Column, lineValue, rawText } from "../table/cells.ts";

interface Shape {
  format: "tsv" | "csv";
  /** Its lines are shown: no cell may begin a line, or contain what a terminal or the runner of a job acts on. */
  isLogged: boolean;
}

/** One line of tsv or csv, including its line feed. */
function delimitedLine({ format, isLogged }: Shape, values: readonly unknown[]): string {
  if (format === "tsv") {
    const cells = values.map(tsvCell);
    // Escaped before: only a backslash that is in the text is doubled.
    if (!isLogged) return `${cells.join("\t")}\n`;
    // What begins the line for a runner, which passes over blank cells.
    const first = cells.findIndex((text) => text.trim() !== "");
    return `${cells.map((text, index) => logged(text, index - first)).join("\t")}\n`;
  }
  const line = values.map((value, index) => csvCell(value, isLogged ? index : undefined)).join(",");
  // Most parsers skip an empty line.
  return line === "" ? '""\n' : `${line}\n`;
}

function logged(text: string, index: number): string {
  return index === 0 ? inert(visible(text)) : inertWithin(visible(text));
}

export function headerLine(shape: Shape, columns: readonly Column[]): string {
  return delimitedLine(
    shape,
    columns.map((column) => column.path),
  );
}

export function rowLine(shape: Shape, columns: readonly Column[], row: object): string {
  return delimitedLine(
    shape,
    columns.map((column) => lineValue(valueAt(row, column.names), column.field)),
  );
}

const tsvEscapes: Readonly<Record<string, string>> = { "\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\" };

function tsvCell(value: unknown): string {
  return rawText(value).replace(/[\t\n\r\\]/g, (character) => tsvEscapes[character] ?? character);
}

/**
 * What a spreadsheet may run as a formula: a leading sign, also full-width, after characters that it ignores; and
 * characters at which it splits a cell.
 */
const formula = /^(?:[\s\0]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r])/;

/** Where another cell begins for a spreadsheet that separates by `;` or tabs, and honors no quotes there. */
const laterCell = /[;\s\0"]+[=+\-@\uff1d\uff0b\uff0d\uff20]?/g;
const endsCell = /[;\t\n\r][^;\t\n\r]*[=+\-@\uff1d\uff0b\uff0d\uff20]$/;

function withoutFormulas(text: string): string {
  const later = text.replace(laterCell, (found) =>
    endsCell.test(found) ? `${found.slice(0, -1)}'${found.at(-1)}` : found,
  );
  return formula.test(text) ? `'${later}` : later;
}

/**
 * RFC 4180, but with line feeds. Text that a spreadsheet would run as a formula is prefixed with an apostrophe.
 *
 * @param index of a cell that is logged
 */
function csvCell(value: unknown, index: number | undefined): string {
  const text = index === undefined ? rawText(value) : logged(rawText(value), index);
  // A negative number is one; lists and objects have texts in them.
  const safe = typeof value === "number" ? text : withoutFormulas(text);
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
