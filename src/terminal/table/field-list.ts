import type { TerminalText } from "../../host.ts";
import { valueAt } from "../fields.ts";
import type { RenderOptions } from "../render-options.ts";
import { blanks, joined, safe, trimmedEnd, visible } from "../sanitize.ts";
import type { Paint } from "../style.ts";
import { type Measure, wrapInto, wrapOwn } from "../width.ts";
import { blockCell, type CellOptions, type Column, isPicture, lineCell, painterOf, tableCell } from "./cells.ts";

const gap = safe`  `;

interface LineOptions extends Pick<RenderOptions, "stdout" | "style"> {
  readonly cells: CellOptions;
  readonly measure: Measure;
}

interface RecordOptions extends LineOptions {
  readonly margin: TerminalText;
  readonly label: Paint;
}

/** `field  value`, one per line; long text is wrapped, never cut. */
export function recordLines(record: object, columns: readonly Column[], options: RecordOptions): TerminalText[] {
  const { stdout, measure, margin, label: paintLabel } = options;
  const painter = painterOf(options.style);
  const labels = columns.map(({ path }) => visible(path));
  const labelWidth = labels.reduce((widest, label) => Math.max(widest, measure.width(label)), 0);
  const room = (stdout.columns ?? Number.POSITIVE_INFINITY) - margin.length - labelWidth - gap.length;
  return columns.flatMap((column, at) => {
    const label = labels[at] ?? safe``;
    const block = blockOf(valueAt(record, column.names), column, { ...options, room });
    const paint = block.length === 1 ? painter?.(record, column, block[0] ?? safe``) : undefined;
    const wrap = holdsCommands(column) ? wrapOwn : wrapInto;
    const lines = block.flatMap((line) => (oneWord.test(line) ? [line] : wrap(room, line, measure)));
    return lines.map((line, index) => {
      const begin =
        index === 0 ? safe`${paintLabel(label)}${blanks(labelWidth - measure.width(label))}` : blanks(labelWidth);
      return trimmedEnd(safe`${margin}${begin}${gap}${paint ? paint(line) : line}`);
    });
  });
}

/** A value's lines; a picture uses the available width. */
function blockOf(value: unknown, { field }: Column, { cells, room }: LineOptions & { room: number }): TerminalText[] {
  const cell = tableCell(value, field, cells);
  return isPicture(cell) ? [cell.draw(Math.min(cell.width, room))] : blockCell(value, field, cells);
}

/** Whether the values are lines of this program's own, to be pasted. */
function holdsCommands({ names }: Column): boolean {
  return ["try", "hint"].includes(names.at(-1) ?? "");
}

/** One word, such as an address, is not wrapped: a line feed inside would break it when it is copied. */
const oneWord = /^[!-~]+$/;

/** Rows as records: each below a line with its name, or below an empty line without headers. Nothing is cut. */
export function recordLayout(
  columns: readonly Column[],
  options: LineOptions & Pick<RenderOptions, "header">,
): (rows: readonly object[]) => TerminalText[] {
  const { header, stdout, style, cells, measure } = options;
  const room = stdout.columns ?? Number.POSITIVE_INFINITY;
  const body = { ...options, margin: header ? gap : safe``, label: style.dim };
  let first = true;
  return (rows) =>
    rows.flatMap((row) => {
      const names = header ? namesOf(row, columns) : [];
      const name = names.map((column) => lineCell(valueAt(row, column.names), column.field, cells));
      const heading = header
        ? headingOf(joined(name, gap), { names, room, measure }).map(style.bold)
        : first
          ? []
          : [safe``];
      first = false;
      // A name that had to be broken is shown once more, so that it can be copied.
      const others = heading.length > 1 ? columns : columns.filter((column) => !names.includes(column));
      return [...heading, ...recordLines(row, others, body)];
    });
}

/** Further to the right than fields: a name must write no line that looks like a field or the name of another row. */
const belowName = safe`      `;

interface Heading {
  readonly names: readonly Column[];
  readonly room: number;
  readonly measure: Measure;
}

function headingOf(name: TerminalText, { names, room, measure }: Heading): TerminalText[] {
  if (measure.width(name) <= room) return [name];
  const wrap = names.some(holdsCommands) ? wrapOwn : wrapInto;
  const [first = safe``, ...more] = wrap(room - belowName.length, name, measure);
  return [first, ...more.map((line) => safe`${belowName}${line}`)];
}

function isName({ field }: Column): boolean {
  return field?.kind === "string" && field.tones === undefined;
}

/** The columns that name a row: the first with a value, and if that is an ID, also the first text. */
function namesOf(row: object, columns: readonly Column[]): readonly Column[] {
  const present = columns.filter(({ names, field }) => field?.kind !== "boolean" && valueAt(row, names) != null);
  const [first, ...others] = present;
  const text = first?.field?.kind === "id" ? others.find(isName) : undefined;
  return [first, text].filter((column) => column !== undefined);
}
