import { type Column, lineValue, rawText } from "./cells.ts";
import { valueAt } from "./fields.ts";

type Delimited = "tsv" | "csv";

/** One line of tsv or csv, including its line feed. */
function delimitedLine(format: Delimited, values: readonly unknown[]): string {
  if (format === "tsv") return `${values.map(tsvCell).join("\t")}\n`;
  const line = values.map(csvCell).join(",");
  // Most parsers skip an empty line.
  return line === "" ? '""\n' : `${line}\n`;
}

export function headerLine(format: Delimited, columns: readonly Column[]): string {
  return delimitedLine(
    format,
    columns.map((column) => column.path),
  );
}

export function rowLine(format: Delimited, columns: readonly Column[], row: object): string {
  return delimitedLine(
    format,
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

/** RFC 4180, but with line feeds. Text that a spreadsheet would run as a formula is prefixed with an apostrophe. */
function csvCell(value: unknown): string {
  const text = rawText(value);
  const safe = typeof value === "string" && formula.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
