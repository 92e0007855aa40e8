import { byteSize } from "../base/wording.ts";
import type { TerminalText } from "../host.ts";
import { fieldAt } from "./fields.ts";
import type { RenderOptions } from "./options.ts";
import { bar, sparkline, widestBar } from "./pictures.ts";
import { linesOf, safe, visible, visibleLines } from "./sanitize.ts";
import { duration, relativeDay, relativeTime } from "./time.ts";
import type { Shape, ShapeField } from "./view.ts";

export interface Column {
  /** Dotted path, also the header. */
  readonly path: string;
  readonly names: readonly string[];
  readonly field: ShapeField | undefined;
}

export function columnsOf(paths: readonly string[], shape: Shape | undefined): Column[] {
  return paths.map((path) => ({ path, names: path.split("."), field: fieldAt(shape, path) }));
}

export interface CellOptions {
  /** Times are told relative to this; undefined leaves them absolute. */
  now: Date | undefined;
  /** Shares and the like are drawn. */
  pictures: boolean;
}

/** How values read on an output: on a terminal for people, elsewhere as they are. */
export function cellOptions({ stdout, now, pictures }: Pick<RenderOptions, "stdout" | "now" | "pictures">) {
  return stdout.isTerminal ? { now, pictures } : { now: undefined, pictures: false };
}

/** A cell that is drawn once the width of its column is known. */
export interface Picture {
  /** Columns that it takes, and those that it can do with. */
  readonly width: number;
  readonly least: number;
  draw(columns: number): TerminalText;
}

export function isPicture(cell: TerminalText | Picture): cell is Picture {
  return typeof cell === "object";
}

/** A value for people. Control characters in it are not shown yet. */
function cellText(value: unknown, field: ShapeField | undefined, options: CellOptions): string {
  if (value === null || value === undefined) return "-";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (field?.codes !== undefined) return codeText(value, field.codes);
  if (typeof value === "number") return numberText(value, field, options);
  if (value instanceof Date) return timeText(value.toISOString(), options);
  if (typeof value === "string") return stringText(value, field, options);
  if (!Array.isArray(value)) return JSON.stringify(value);
  if (field?.pictured !== undefined && options.pictures) return sparkline(value.map(Number));
  if (field?.worded !== undefined) return field.worded(value) || "-";
  if (value.length === 0) return "-";
  if (value.some((item) => typeof item === "object" && item !== null)) return JSON.stringify(value);
  return value.map((item) => cellText(item, field?.item ?? field, options)).join(", ");
}

function stringText(value: string, field: ShapeField | undefined, options: CellOptions): string {
  if (field?.kind === "timestamp") return timeText(value, options);
  if (field?.kind === "date" && options.now !== undefined) return relativeDay(value, options.now);
  return value;
}

function numberText(value: number, field: ShapeField | undefined, { now, pictures }: CellOptions): string {
  if (field?.kind === "share" && now !== undefined)
    return pictures ? sharePicture(value).draw(widestShare) : percent(value);
  if (field?.kind === "bytes") return byteSize(value);
  if (field?.kind === "seconds") return duration(value);
  return String(value);
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** `100 %` */
const percentWidth = 5;
const widestShare = widestBar + 1 + percentWidth;
/** A shorter bar shows nothing that the number does not. */
const shortestBar = 4;

/** `██████████           50 %`: the length says it without color, the number beside it exactly. */
function sharePicture(share: number): Picture {
  const number = visible(percent(share).padStart(percentWidth));
  return {
    width: widestShare,
    least: number.length,
    draw: (columns) => {
      const room = Math.min(widestBar, columns - 1 - number.length);
      return room < shortestBar ? number : safe`${bar(share, room)} ${number}`;
    },
  };
}

/** The newest numbers, where there is no room for all. */
function sparklinePicture(counts: readonly number[]): Picture {
  return { width: counts.length, least: counts.length, draw: (columns) => sparkline(counts.slice(-columns)) };
}

/** A cell of a table: a text in one line, or a picture. */
export function tableCell(value: unknown, field: ShapeField | undefined, options: CellOptions): TerminalText | Picture {
  if (options.pictures && field?.kind === "share" && typeof value === "number") return sharePicture(value);
  if (options.pictures && field?.pictured !== undefined && Array.isArray(value))
    return sparklinePicture(value.map(Number));
  return lineCell(value, field, options);
}

/** A number by its name; one without a name, or a text in its place, as it is. */
function codeText(value: unknown, codes: Readonly<Record<string, number>>): string {
  return Object.keys(codes).find((name) => codes[name] === value) ?? String(value);
}

export function timeText(value: string, { now }: Pick<CellOptions, "now">): string {
  return now === undefined ? value : relativeTime(value, now);
}

/** A cell of a list: one line, whatever the value holds. */
export function lineCell(value: unknown, field: ShapeField | undefined, options: CellOptions): TerminalText {
  return visible(cellText(value, field, options).replace(/[\t\n\r]+/g, " "));
}

/** The value of a record's field: may have several lines, as objects and free JSON do. */
export function blockCell(value: unknown, field: ShapeField | undefined, options: CellOptions): TerminalText[] {
  if (isSpread(value, field)) {
    return Object.entries(value).map(
      ([name, part]) => safe`${visible(name)}: ${lineCell(part, field?.shape?.[name], options)}`,
    );
  }
  const text = jsonBlock(value, field) ?? cellText(value, field, options);
  return linesOf(visibleLines(text.replaceAll("\t", "    ")));
}

/** A value as csv and tsv have it: worded where it would be JSON inside a cell otherwise. */
export function lineValue(value: unknown, field: ShapeField | undefined): unknown {
  return Array.isArray(value) && field?.worded !== undefined ? field.worded(value) : value;
}

/** Whether each of a value's fields has a line. */
function isSpread(value: unknown, field: ShapeField | undefined): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Date) return false;
  return field?.kind !== "json" && Object.keys(value).length > 0;
}

/** Free JSON, indented; also where it comes as a text. */
function jsonBlock(value: unknown, field: ShapeField | undefined): string | undefined {
  if (field?.kind !== "json") return undefined;
  const tree = typeof value === "string" ? parsed(value) : value;
  return typeof tree === "object" && tree !== null ? JSON.stringify(tree, null, 2) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A value for programs: raw numbers, times as the server wrote them, nested values as JSON. */
export function rawText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
