import type { TerminalText } from "../../host.ts";
import { blanks, joined, linesOf, madeOf, safe, trimmedEnd } from "../sanitize.ts";
import type { Paint } from "../style.ts";
import type { Measure } from "../width.ts";
import { type Breaks, widestPart, wrapParts } from "./cell-breaks.ts";
import { isPicture, type Picture } from "./cells.ts";
import { fitWidths, leastText, leastWidths, type Need } from "./column-widths.ts";

/** Rows that cli-table3 lays out at once: its time grows with the square of this. */
const batchSize = 20;
/** Of more columns, for which no terminal is wide enough, rows are written without it: it needs their square. */
const mostLaidOut = 500;
/**
 * A wider text that is shown in full does not widen its column: with one of 1 MB, 600 rows would be longer than a
 * string can be.
 */
const widestPadded = 1000;
const gap = safe`  `;
const lineFeed = safe`\n`;

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
  /** Never cut, but wrapped if the table does not fit otherwise. */
  readonly wraps: boolean;
}

interface GridOptions {
  /** The terminal's width in columns; undefined if the output is not a terminal, and nothing is cut. */
  readonly total: number | undefined;
  readonly measure: Measure;
  /** How cells that are never cut may be broken, so that the table fits. */
  readonly breaks?: Breaks;
}

/** The columns' widths, and where cells are broken. */
interface Fit {
  readonly widths: readonly number[];
  readonly breaks: Breaks;
}

export interface Grid {
  /** The lines of the header: several if it had to wrap. */
  readonly header: readonly TerminalText[];
  /** The lines of some rows. Rows wider than the sample get wider columns. */
  lines(rows: readonly (readonly Cell[])[]): TerminalText[];
}

/** In this order, until the table fits. */
const levels: readonly Breaks[] = ["nowhere", "spaces", "punctuation"];

/** A layout that fits a sample of rows; undefined if the terminal is too narrow, see `fitWidths`. */
export async function gridFor(
  columns: readonly GridColumn[],
  sample: readonly (readonly Cell[])[],
  { total, measure, breaks = "punctuation" }: GridOptions,
): Promise<Grid | undefined> {
  const available = (total ?? Number.POSITIVE_INFINITY) - gap.length * (columns.length - 1);
  /** Whether a row has a text that is shown in full and that no column is made for. */
  const isUneven = (row: readonly Cell[]) =>
    row.some(({ text }, index) => {
      if (total === undefined) return widthOf(text, measure) > widestPadded;
      return leastOf(text, columns[index], { columns, measure, breaks: "punctuation" }) > widestPadded;
    });
  const measured = total === undefined ? sample.filter((row) => !isUneven(row)) : sample;
  const bareNeeds = needsOf(columns, measure);
  const sampled = new Map<Breaks, Need[]>();
  const needsAt = (level: Breaks): Need[] => {
    const known = sampled.get(level) ?? widened(bareNeeds, measured, { columns, measure, breaks: level });
    sampled.set(level, known);
    return known;
  };
  /** The first layout of the sample and these rows that fits, each level breaking more. */
  const layoutOf = (rows: readonly (readonly Cell[])[], allowed: readonly Breaks[]): Fit | undefined => {
    for (const level of allowed) {
      const widths = fitWidths(widened(needsAt(level), rows, { columns, measure, breaks: level }), available);
      if (widths !== undefined) return { widths, breaks: level };
    }
    return undefined;
  };
  const fitted = layoutOf([], levels.slice(0, levels.indexOf(breaks) + 1));
  if (fitted === undefined) return undefined;
  const later = levels.slice(levels.indexOf(fitted.breaks));
  /** No layout fits: rows run past the terminal's edge. */
  const overlong = (rows: readonly (readonly Cell[])[]): Fit => {
    const widening = { columns, measure, breaks: "punctuation" } as const;
    return { widths: leastWidths(widened(needsAt("punctuation"), rows, widening)), breaks: "punctuation" };
  };
  const { default: Table } = await import("cli-table3");
  const laidOut = (rows: readonly (readonly Cell[])[], { widths, breaks }: Fit): TerminalText[] => {
    if (columns.length > mostLaidOut) {
      return rows.map((row) => unevenLine(row, { columns, measure, widths, cuts: total !== undefined }));
    }
    const cut = rows.map((row) =>
      row.map(({ text, paint = (line) => line }, index) => {
        const width = widths[index] as number;
        const lines = columns[index]?.wraps && !isPicture(text) && measure.width(text) > width;
        if (!lines) return paint(shownIn(text, width, measure));
        return joined(wrapParts(text, width, { breaks, measure }).map(paint), lineFeed);
      }),
    );
    const text = madeOf(cut, (texts) => {
      const colAligns = columns.map(({ right }) => (right ? "right" : "left") as "right" | "left");
      const table = new Table({ ...bare, colWidths: [...widths], colAligns });
      table.push(...texts.map((row) => [...row]));
      return table.toString();
    });
    return linesOf(text).map(trimmedEnd);
  };
  return {
    header: columns.some(({ header }) => header !== undefined)
      ? laidOut(headerRows(columns, fitted.widths, measure), fitted)
      : [],
    lines(rows) {
      const uneven = new Set(rows.filter(isUneven));
      const others = uneven.size === 0 ? rows : rows.filter((row) => !uneven.has(row));
      const chosen = layoutOf(others, later) ?? overlong(others);
      const lines: TerminalText[] = [];
      let batch: (readonly Cell[])[] = [];
      const flush = () => {
        for (const line of batch.length === 0 ? [] : laidOut(batch, chosen)) lines.push(line);
        batch = [];
      };
      for (const row of rows) {
        if (uneven.has(row)) {
          flush();
          lines.push(unevenLine(row, { columns, measure, widths: chosen.widths, cuts: total !== undefined }));
        } else if (batch.push(row) === batchSize) flush();
      }
      flush();
      return lines;
    },
  };
}

interface Uneven {
  readonly columns: readonly GridColumn[];
  readonly measure: Measure;
  readonly widths: readonly number[];
  /** Whether the cells of columns that may be cut are. */
  readonly cuts: boolean;
}

/** A row, which may have a cell that is wider than its column: what follows it is moved to the right. */
function unevenLine(row: readonly Cell[], { columns, measure, widths, cuts }: Uneven): TerminalText {
  const cells = row.map(({ text, paint = (line) => line }, index) => {
    const [column, width = 0] = [columns[index], widths[index]];
    const isFull = !isPicture(text) && (!cuts || column?.whole === true);
    const shown = isFull ? text : shownIn(text, width, measure);
    const padding = blanks(width - measure.width(shown));
    return column?.right ? safe`${padding}${paint(shown)}` : safe`${paint(shown)}${padding}`;
  });
  return trimmedEnd(joined(cells, gap));
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
    headerPart: header === undefined ? 0 : widestPart(header, "header", measure),
  }));
}

interface Widening {
  readonly columns: readonly GridColumn[];
  readonly measure: Measure;
  readonly breaks: Breaks;
}

/** The columns' needs after adding some rows. */
function widened(needs: readonly Need[], rows: readonly (readonly Cell[])[], widening: Widening): Need[] {
  const { columns, measure } = widening;
  return needs.map((need, index) => {
    let { content, least, drawn } = need;
    for (const row of rows) {
      const text = row[index]?.text ?? safe``;
      content = Math.max(content, widthOf(text, measure));
      drawn ||= isPicture(text);
      least = Math.max(least, leastOf(text, columns[index], widening));
    }
    return { ...need, content, least, drawn };
  });
}

function widthOf(text: Cell["text"], measure: Measure): number {
  return isPicture(text) ? text.width : measure.width(text);
}

/** The width that a cell needs at least. */
function leastOf(text: Cell["text"], column: GridColumn | undefined, { measure, breaks }: Widening): number {
  if (isPicture(text)) return text.least;
  const width = measure.width(text);
  if (column?.wraps && width > leastText) return Math.max(leastText, widestPart(text, breaks, measure));
  return column?.whole ? width : Math.min(width, leastText);
}

function shownIn(text: Cell["text"], columns: number, measure: Measure): TerminalText {
  return measure.cut(isPicture(text) ? text.draw(columns) : text, columns);
}

/** The headers as rows, each wrapped to its column and aligned to the bottom. */
function headerRows(columns: readonly GridColumn[], widths: readonly number[], measure: Measure): Cell[][] {
  const wrapped = columns.map(({ header = safe`` }, index) =>
    wrapParts(header, widths[index] ?? 0, { breaks: "header", measure }),
  );
  const height = wrapped.reduce((most, lines) => Math.max(most, lines.length), 0);
  return Array.from({ length: height }, (_, line) =>
    wrapped.map((lines) => ({ text: lines[line - height + lines.length] ?? safe`` })),
  );
}
