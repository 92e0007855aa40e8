/** A record of CSV: its cells, or the problem with it. */
export interface CsvRecord {
  /** The line of the text where it starts, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly problem: string | undefined;
}

interface Read extends Omit<CsvRecord, "line"> {
  /** Offset of its line break, or the length of the text. */
  readonly end: number;
}

/**
 * Reads CSV (RFC 4180): cells in quotes may hold commas, line breaks, and doubled quotes; lines end with LF or CRLF,
 * and a byte order mark is skipped, and so are blank lines and lines that start with `#`. Runs in linear time.
 *
 * @param separator `;` is what spreadsheets write where the comma is the decimal sign
 */
export function* readCsv(text: string, separator: "," | ";" = ","): Generator<CsvRecord> {
  let line = 1;
  for (let at = text.startsWith("\uFEFF") ? 1 : 0; at < text.length; ) {
    const leftOut = matchAt(/(?:#[^\n]*|[ \t\r]*)(?=\n|$)/y, text, at);
    const record = leftOut === undefined ? readRecord(text, at, separator) : undefined;
    if (record !== undefined) yield { line, cells: record.cells, problem: record.problem };
    const next = text.indexOf("\n", record?.end ?? at);
    const end = next === -1 ? text.length : next + 1;
    line += lineFeeds(text, at, end);
    at = end;
  }
}

function readRecord(text: string, start: number, separator: "," | ";"): Read {
  const cells: string[] = [];
  for (let at = start; ; at++) {
    const isQuoted = text[at] === '"';
    const end = isQuoted ? closingQuote(text, at) + 1 : at + plainCell(text, at, separator).length;
    if (isQuoted && end === 0) return { cells, problem: "a quote is not closed", end: text.length };
    const raw = text.slice(at, end);
    cells.push(isQuoted ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    const problem = isQuoted ? undefined : plainProblem(raw);
    if (problem !== undefined) return { cells, problem, end };
    if (matchAt(/\r?(?:\n|$)/y, text, end) !== undefined) return { cells, problem: undefined, end };
    if (text[end] !== separator) return { cells, problem: "text follows a closing quote", end };
    at = end;
  }
}

const plainCells = {
  ",": /[^,\r\n]*(?:\r(?!\n|$)[^,\r\n]*)*/y,
  ";": /[^;\r\n]*(?:\r(?!\n|$)[^;\r\n]*)*/y,
};

function plainCell(text: string, at: number, separator: "," | ";"): string {
  return matchAt(plainCells[separator], text, at) ?? "";
}

function plainProblem(raw: string): string | undefined {
  if (raw.includes('"')) return "a cell that contains a quote must be quoted, and its quotes doubled";
  return raw.trim() === raw ? undefined : "a cell that starts or ends with a space must be quoted";
}

/** Offset of the closing quote; -1 if there is none. */
function closingQuote(text: string, open: number): number {
  let at = text.indexOf('"', open + 1);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function lineFeeds(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", start); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** One line of CSV that `readCsv` reads as the same cells, its line feed included. */
export function csvLine(cells: readonly string[]): string {
  const isPlain = (text: string) => text !== "" && text.trim() === text && !/^#|[",\r\n]/.test(text);
  return `${cells.map((text) => (isPlain(text) ? text : `"${text.replaceAll('"', '""')}"`)).join(",")}\n`;
}
