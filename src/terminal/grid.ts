import type { TerminalText } from "../host.ts";
import { isPicture, type Picture } from "./cells.ts";
import { fitWidths, leastText, leastWidths, type Need } from "./layout.ts";
import { linesOf, madeOf, part, safe, trimmedEnd } from "./sanitize.ts";
import type { Paint } from "./style.ts";
import type { Measure } from "./width.ts";

/** Rows that cli-table3 lays out at once: its time grows with the square of this. */
const batchSize = 20;
const gap = "  ";

/** A cell is measured, cut or drawn to its width, and then painted. */
export interface Cell {
  readonly text: TerminalText | Picture;
  readonly paint?: Paint;
}

export interface GridColumn {
  /** Undefined if no header is shown. */
  readonly header: TerminalText | undefined;
  /** Right-aligned, as numbers are. */
  readonly right: boolean;
  /** Never cut. */
  readonly whole: boolean;
}

interface GridOptions {
  /** The terminal's width in columns; undefined if the output is not a terminal, and nothing is cut. */
  readonly total: number | undefined;
  readonly measure: Measure;
}

export interface Grid {
  /** The lines of the header: several if it had to wrap. */
  readonly header: readonly TerminalText[];
  /** The lines of some rows. Rows wider than the sample get wider columns. */
  lines(rows: readonly (readonly Cell[])[]): TerminalText[];
}

/** A layout that fits a sample of rows; undefined if the terminal is too narrow, see `fitWidths`. */
export async function gridFor(
  columns: readonly GridColumn[],
  sample: readonly (readonly Cell[])[],
  { total, measure }: GridOptions,
): Promise<Grid | undefined> {
  const available = (total ?? Number.POSITIVE_INFINITY) - gap.length * (columns.length - 1);
  const needs = needsOf(columns, measure);
  const sampled = widened(needs, sample, { columns, measure });
  const widths = fitWidths(sampled, available);
  if (widths === undefined) return undefined;
  const { default: Table } = await import("cli-table3");
  const laidOut = (rows: readonly (readonly Cell[])[], colWidths: number[]): TerminalText[] => {
    const cut = rows.map((row) =>
      row.map(({ text, paint }, index) => {
        const shown = fitted(text, colWidths[index] as number, measure);
        return paint === undefined ? shown : paint(shown);
      }),
    );
    const text = madeOf(cut, (texts) => {
      const table = new Table({
        ...bare,
        colWidths,
        colAligns: columns.map(({ right }) => (right ? "right" : "left")),
      });
      table.push(...texts.map((row) => [...row]));
      return table.toString();
    });
    return linesOf(text).map(trimmedEnd);
  };
  return {
    header: columns.some(({ header }) => header !== undefined)
      ? laidOut(headerRows(columns, widths, measure), widths)
      : [],
    lines(rows) {
      const wider = widened(sampled, rows, { columns, measure });
      const fitted = fitWidths(wider, available) ?? leastWidths(wider);
      const lines: TerminalText[] = [];
      for (let at = 0; at < rows.length; at += batchSize) {
        lines.push(...laidOut(rows.slice(at, at + batchSize), fitted));
      }
      return lines;
    },
  };
}

/** Columns without borders. */
const bare = {
  chars: {
    ...{ top: "", "top-mid": "", "top-left": "", "top-right": "" },
    ...{ bottom: "", "bottom-mid": "", "bottom-left": "", "bottom-right": "" },
    ...{ left: "", "left-mid": "", mid: "", "mid-mid": "", right: "", "right-mid": "", middle: gap },
  },
  style: { "padding-left": 0, "padding-right": 0, head: [], border: [], compact: true },
};

function needsOf(columns: readonly GridColumn[], measure: Measure): Need[] {
  return columns.map(({ header }) => ({
    // cli-table3 omits empty lines.
    content: 1,
    least: 1,
    drawn: false,
    header: measure.width(header ?? ""),
    headerPart: header === undefined ? 0 : widest(partsOf(header), measure),
  }));
}

/** The columns' needs after adding some rows. */
function widened(
  needs: readonly Need[],
  rows: readonly (readonly Cell[])[],
  { columns, measure }: { columns: readonly GridColumn[]; measure: Measure },
): Need[] {
  return needs.map((need, index) => {
    let { content, least, drawn } = need;
    for (const row of rows) {
      const text = row[index]?.text ?? safe``;
      const width = isPicture(text) ? text.width : measure.width(text);
      content = Math.max(content, width);
      drawn ||= isPicture(text);
      const needed = isPicture(text) ? text.least : columns[index]?.whole ? width : Math.min(width, leastText);
      least = Math.max(least, needed);
    }
    return { ...need, content, least, drawn };
  });
}

function fitted(text: Cell["text"], columns: number, measure: Measure): TerminalText {
  return measure.cut(isPicture(text) ? text.draw(columns) : text, columns);
}

function widest(texts: readonly TerminalText[], measure: Measure): number {
  return texts.reduce((most, text) => Math.max(most, measure.width(text)), 0);
}

/** The headers as rows, each wrapped to its column and aligned to the bottom. */
function headerRows(columns: readonly GridColumn[], widths: readonly number[], measure: Measure): Cell[][] {
  const wrapped = columns.map(({ header = safe`` }, index) => wrapHeader(header, widths[index] ?? 0, measure));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    wrapped.map((lines) => ({ text: lines[line - height + lines.length] ?? safe`` })),
  );
}

function wrapHeader(header: TerminalText, width: number, measure: Measure): TerminalText[] {
  const lines: TerminalText[] = [];
  for (const piece of partsOf(header)) {
    const longer = safe`${lines.at(-1) ?? safe``}${piece}`;
    if (lines.length > 0 && measure.width(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(piece);
  }
  return lines;
}

/** `last_activity_on` as `last_`, `activity_`, `on`. */
function partsOf(header: TerminalText): TerminalText[] {
  const ends = [...header.matchAll(/[_.]+(?=.)/g)].map(({ index, 0: { length } }) => index + length);
  return [...ends, header.length].map((end, index) => part(header, ends[index - 1] ?? 0, end));
}
