import type { TerminalText } from "../../host.ts";
import { valueAt } from "../fields.ts";
import { tableLines } from "../job-log.ts";
import type { RenderOptions, RowWriter } from "../render-options.ts";
import { joined, safe, visible } from "../sanitize.ts";
import type { ShapeField } from "../view.ts";
import { loadMeasure } from "../width.ts";
import type { Breaks } from "./cell-breaks.ts";
import { type Column, cellOptions, painterOf, tableCell } from "./cells.ts";
import { recordLayout } from "./field-list.ts";
import { type Cell, type GridColumn, gridFor } from "./grid.ts";

/** Rows that determine the layout; later rows get wider columns only if they need them. */
const usualSample = 200;
/** On narrower terminals, records are easier to read than names and paths in pieces. */
const leastBroken = 80;
const lineFeed = safe`\n`;
const numeric = new Set(["id", "integer", "number", "bytes", "seconds"]);
/** Short values that would be misleading if cut. */
const short = new Set(["boolean", "enum", "code", "timestamp", "date", "share"]);

interface TableOptions extends Pick<RenderOptions, "header" | "stdout" | "style" | "now" | "times" | "pictures"> {
  /** The first row alone determines the layout. */
  readonly live: boolean;
  /** The user chose the columns: those without a value stay. */
  readonly chosen?: boolean;
  /** Columns that a narrow terminal does without, the first one first. */
  readonly spare?: readonly string[];
  /** Called with the columns that are left out. */
  readonly onLeftOut?: (paths: readonly string[]) => void;
}

/** The lines of some rows. */
type Layout = (rows: readonly object[]) => TerminalText[];

/**
 * Writes rows in columns, or each row as a record if the terminal is too narrow. The first rows decide which, so that a
 * list is shown before it is complete.
 */
export async function tableWriter(given: readonly Column[], options: TableOptions): Promise<RowWriter> {
  const measure = await loadMeasure(options.style.signs);
  const { stdout, style } = options;
  const cells = cellOptions(options);
  const sampleSize = options.live ? 1 : usualSample;
  let columns = given;
  let sample: object[] = [];
  let layout: Layout | undefined;
  const painter = painterOf(style);
  const cellsOf = (row: object): Cell[] =>
    columns.map((column) => {
      const text = tableCell(valueAt(row, column.names), column.field, cells);
      const paint = typeof text === "string" ? painter?.(row, column, text) : undefined;
      return { text, ...(paint && { paint }) };
    });

  /** A table of these columns, if it fits. */
  const tryGrid = (some: readonly Column[], breaks: Breaks) => {
    columns = some;
    const shown = columns.map((column) => gridColumn(column, sample, options.header));
    return gridFor(shown, sample.map(cellsOf), { total: stdout.columns, measure, breaks });
  };
  const fittingGrid = async () => {
    const all = columns;
    const spare = (options.spare ?? []).filter((path) => all.some((column) => column.path === path));
    const without = (count: number) => all.filter(({ path }) => !spare.slice(0, count).includes(path));
    for (let count = 0; count <= spare.length; count += 1) {
      const isLast = count === spare.length && (stdout.columns ?? leastBroken) >= leastBroken;
      const breaks = isLast ? "punctuation" : "spaces";
      const grid = await tryGrid(without(count), breaks);
      if (grid !== undefined && count > 0) options.onLeftOut?.(spare.slice(0, count));
      if (grid !== undefined) return grid;
    }
    columns = all;
    return undefined;
  };
  const begin = async () => {
    if (sample.length === 0) return;
    const grid = await fittingGrid();
    layout = grid ? (rows) => grid.lines(rows.map(cellsOf)) : recordLayout(columns, { ...options, cells, measure });
    const lines = [...(grid?.header ?? []).map(style.bold), ...layout(sample)];
    sample = [];
    await write(lines);
  };
  /** If no more rows come: columns that are empty in all of them only take room. */
  const finish = async () => {
    if (layout === undefined && stdout.isTerminal && options.chosen !== true) columns = withValues(given, sample);
    await begin();
  };
  const write = (lines: readonly TerminalText[]) =>
    stdout.write(tableLines(safe`${joined(lines, lineFeed)}\n`, stdout));
  return {
    async take(rows) {
      const sampled = layout === undefined ? sampleSize - sample.length : 0;
      sample.push(...rows.slice(0, sampled));
      if (sample.length >= sampleSize) await begin();
      const rest = rows.slice(sampled);
      if (layout !== undefined && rest.length > 0) await write(layout(rest));
    },
    end: finish,
    failed: finish,
  };
}

/** The columns that have a value in at least one row; all of them if none has. */
function withValues(columns: readonly Column[], rows: readonly object[]): readonly Column[] {
  const isEmpty = (value: unknown) => value === undefined || value === null || value === "";
  const filled = columns.filter(({ names }) => rows.some((row) => !isEmpty(valueAt(row, names))));
  return filled.length === 0 ? columns : filled;
}

function gridColumn(column: Column, sample: readonly object[], header: boolean): GridColumn {
  const right = isNumeric(column, sample);
  const whole = right || isUncut(column.field);
  const wraps = whole && !right && isWrapped(column.field);
  return { header: header ? visible(column.path) : undefined, right, whole, wraps };
}

/** Words, paths, and sentences, unlike times and numbers. */
function isWrapped(field: ShapeField | undefined): boolean {
  return field !== undefined && !short.has(field.kind) && field.pictured === undefined;
}

function isUncut(field: ShapeField | undefined): boolean {
  if (field === undefined) return false;
  return field.whole === true || short.has(field.kind) || field.tones !== undefined || field.pictured !== undefined;
}

function isNumeric(column: Column, sample: readonly object[]): boolean {
  if (column.field !== undefined && column.field.kind !== "json") return numeric.has(column.field.kind);
  const values = sample
    .map((row) => valueAt(row, column.names))
    .filter((value) => value !== null && value !== undefined);
  return values.length > 0 && values.every((value) => typeof value === "number");
}
