import type { Output, TerminalText } from "../host.ts";
import { type CellOptions, type Column, type Picture, tableCell } from "./cells.ts";
import { valueAt } from "./fields.ts";
import { eased, fitWidths } from "./layout.ts";
import type { RowWriter } from "./options.ts";
import { joined, linesOf, madeOf, safe, trimmedEnd, visible } from "./sanitize.ts";
import type { Style } from "./style.ts";
import { loadMeasure, type Measure } from "./width.ts";

/** Rows that decide the widths; those that arrive later get more only where they need more. */
const usualSample = 200;
/** What cli-table3 lays out at once: its time grows with the square of that. */
const batchSize = 20;
const gap = "  ";
const lineFeed = safe`\n`;
const numeric = new Set(["id", "integer", "number", "bytes", "seconds"]);

interface TableOptions {
  readonly header: boolean;
  /** The first row decides the widths. */
  readonly live: boolean;
  readonly stdout: Output;
  readonly style: Style;
  readonly cells: CellOptions;
}

type Cells = readonly (TerminalText | Picture)[];

export async function tableWriter(columns: readonly Column[], options: TableOptions): Promise<RowWriter> {
  const measure = await loadMeasure();
  const { default: Table } = await import("cli-table3");
  const { stdout, cells } = options;
  const sampleSize = options.live ? 1 : usualSample;
  const header: Cells[] = options.header ? [columns.map((column) => visible(column.path))] : [];
  let sample: object[] = [];
  let layout: Layout | undefined;
  const cellsOf = (row: object): Cells =>
    columns.map((column) => tableCell(valueAt(row, column.names), column.field, cells));

  const write = (lines: readonly TerminalText[]) => stdout.write(safe`${joined(lines, lineFeed)}\n`);
  const begin = async () => {
    if (sample.length === 0) return;
    const rows = [...header, ...sample.map(cellsOf)];
    const right = columns.map((column) => isNumeric(column, sample));
    layout = layoutOf(rows, { right, total: stdout.columns, measure, Table });
    sample = [];
    const lines = layout(rows);
    await write([...lines.slice(0, header.length).map(options.style.bold), ...lines.slice(header.length)]);
  };
  return {
    async take(rows) {
      const sampled = layout === undefined ? sampleSize - sample.length : 0;
      sample.push(...rows.slice(0, sampled));
      if (sample.length >= sampleSize) await begin();
      const rest = rows.slice(sampled);
      if (layout !== undefined && rest.length > 0) await write(layout(rest.map(cellsOf)));
    },
    end: begin,
    broke: begin,
  };
}

/** The lines of some rows. */
type Layout = (rows: readonly Cells[]) => TerminalText[];

interface LayoutOptions {
  /** Which columns stand on the right. */
  readonly right: readonly boolean[];
  /** Columns of the terminal; undefined off one, where nothing is cut. */
  readonly total: number | undefined;
  readonly measure: Measure;
  readonly Table: typeof import("cli-table3");
}

/** A layout that suits the sample. */
function layoutOf(sample: readonly Cells[], options: LayoutOptions): Layout {
  const { right, total = Number.POSITIVE_INFINITY, measure, Table } = options;
  const available = total - gap.length * (right.length - 1);
  const widths = columnWidths(sample, options, available);
  const batch = (rows: readonly Cells[], colWidths: number[]): TerminalText[] => {
    const cut = rows.map((row) => row.map((cell, index) => fitted(cell, colWidths[index] as number, measure)));
    const text = madeOf(cut, (texts) => {
      const table = new Table({ ...bare, colWidths, colAligns: right.map(alignOf) });
      table.push(...texts.map((row) => [...row]));
      return table.toString();
    });
    // More columns than the terminal has room for: each has its one, and the line its end.
    return linesOf(text).map((line) => measure.cut(trimmedEnd(line), total));
  };
  return (rows) => {
    const lines: TerminalText[] = [];
    const fitting = widths(rows);
    for (let at = 0; at < rows.length; at += batchSize) lines.push(...batch(rows.slice(at, at + batchSize), fitting));
    return lines;
  };
}

/** The widths that suit some rows besides the sample. */
function columnWidths(
  sample: readonly Cells[],
  { right, measure }: LayoutOptions,
  available: number,
): (rows: readonly Cells[]) => number[] {
  const widest = (rows: readonly Cells[], from: readonly number[], widthOf: (cell: Cells[number]) => number) =>
    from.map((width, index) => rows.reduce((most, row) => Math.max(most, widthOf(row[index] ?? safe``)), width));
  const natural = (cell: Cells[number]) => (isPicture(cell) ? cell.width : measure.width(cell));
  const least = (cell: Cells[number]) => (isPicture(cell) ? cell.least : measure.width(cell));
  // cli-table3 leaves out a line that is empty.
  const ones = right.map(() => 1);
  const sampled = { natural: widest(sample, ones, natural), least: widest(sample, ones, least) };
  const pictured = right.map((_, index) => sample.some((row) => isPicture(row[index] ?? safe``)));
  const rigid = right.map((isRight, index) => isRight || pictured[index] === true);
  return (rows) => {
    const wanted = widest(rows, sampled.natural, natural);
    return fitWidths(eased(wanted, widest(rows, sampled.least, least), available), rigid, available);
  };
}

function isPicture(cell: Cells[number]): cell is Picture {
  return typeof cell === "object";
}

function fitted(cell: Cells[number], columns: number, measure: Measure): TerminalText {
  return measure.cut(isPicture(cell) ? cell.draw(columns) : cell, columns);
}

const alignOf = (isRight: boolean) => (isRight ? "right" : "left");

/** Columns and nothing around them. */
const bare = {
  chars: {
    ...{ top: "", "top-mid": "", "top-left": "", "top-right": "" },
    ...{ bottom: "", "bottom-mid": "", "bottom-left": "", "bottom-right": "" },
    ...{ left: "", "left-mid": "", mid: "", "mid-mid": "", right: "", "right-mid": "", middle: gap },
  },
  style: { "padding-left": 0, "padding-right": 0, head: [], border: [], compact: true },
};

function isNumeric(column: Column, sample: readonly object[]): boolean {
  if (column.field !== undefined && column.field.kind !== "json") return numeric.has(column.field.kind);
  const values = sample
    .map((row) => valueAt(row, column.names))
    .filter((value) => value !== null && value !== undefined);
  return values.length > 0 && values.every((value) => typeof value === "number");
}
