import type { Output, TerminalText } from "../host.ts";
import { type CellOptions, type Column, lineCell } from "./cells.ts";
import { valueAt } from "./fields.ts";
import { fitWidths } from "./layout.ts";
import type { RowWriter } from "./options.ts";
import { blanks, joined, safe, trimmedEnd, visible } from "./sanitize.ts";
import type { Style } from "./style.ts";
import { loadMeasure, type Measure } from "./width.ts";

/** Rows that decide the widths; the others go out as they come. */
const sampleSize = 200;
const gap = safe`  `;
const lineFeed = safe`\n`;
const numeric = new Set(["id", "integer", "number", "bytes", "seconds"]);

interface TableOptions {
  readonly header: boolean;
  readonly stdout: Output;
  readonly style: Style;
  readonly cells: CellOptions;
}

export async function tableWriter(columns: readonly Column[], options: TableOptions): Promise<RowWriter> {
  const measure = await loadMeasure();
  const { stdout, cells } = options;
  let sample: object[] = [];
  let table: Table | undefined;
  const lines = (rows: readonly object[], from: Table) =>
    rows.map((row) => from.line(columns.map((column) => lineCell(valueAt(row, column.names), column.field, cells))));

  const begin = async () => {
    if (sample.length === 0) return;
    table = laidOut(columns, sample, options, measure);
    const header = options.header
      ? [options.style.bold(table.line(columns.map((column) => visible(column.path))))]
      : [];
    const first = [...header, ...lines(sample, table)];
    sample = [];
    await stdout.write(safe`${joined(first, lineFeed)}\n`);
  };
  return {
    async take(rows) {
      const sampled = table === undefined ? sampleSize - sample.length : 0;
      sample.push(...rows.slice(0, sampled));
      if (sample.length >= sampleSize) await begin();
      const rest = rows.slice(sampled);
      if (table !== undefined && rest.length > 0) await stdout.write(safe`${joined(lines(rest, table), lineFeed)}\n`);
    },
    end: begin,
    broke: begin,
  };
}

interface Table {
  line(cells: readonly TerminalText[]): TerminalText;
}

function laidOut(
  columns: readonly Column[],
  sample: readonly object[],
  { stdout, cells, header }: TableOptions,
  measure: Measure,
): Table {
  const right = columns.map((column) => isNumeric(column, sample));
  const natural = columns.map((column) => {
    let widest = header ? measure.width(visible(column.path)) : 0;
    for (const row of sample) {
      widest = Math.max(widest, measure.width(lineCell(valueAt(row, column.names), column.field, cells)));
    }
    return widest;
  });
  const total = stdout.columns ?? Number.POSITIVE_INFINITY;
  const available = total - gap.length * (columns.length - 1);
  const widths = fitWidths(natural, right, available);
  const spare = Math.max(0, available - widths.reduce((a, b) => a + b, 0));
  return {
    line(row) {
      const placed = row.map((cell, index) => {
        const width = widths[index] ?? 0;
        // A later row may be wider than those that were measured: it may use what the line has to spare.
        const shown = right[index] && width >= (natural[index] ?? 0) ? cell : measure.cut(cell, width + spare);
        const padding = blanks(width - measure.width(shown));
        return right[index] ? safe`${padding}${shown}` : safe`${shown}${padding}`;
      });
      const line = trimmedEnd(joined(placed, gap));
      return total === Number.POSITIVE_INFINITY ? line : measure.cut(line, total);
    },
  };
}

function isNumeric(column: Column, sample: readonly object[]): boolean {
  if (column.field !== undefined && column.field.kind !== "json") return numeric.has(column.field.kind);
  const values = sample
    .map((row) => valueAt(row, column.names))
    .filter((value) => value !== null && value !== undefined);
  return values.length > 0 && values.every((value) => typeof value === "number");
}
