import { ownValue } from "../../base/own-value.ts";
import { readJson } from "../../base/read-value.ts";
import type { Tone, Tones } from "../../base/tone.ts";
import { byteSize } from "../../base/wording.ts";
import type { TerminalText } from "../../host.ts";
import { fieldAt, namesIn } from "../fields.ts";
import { inert, inertWithin } from "../job-log.ts";
import { bar, shortestBar, sparkline, widestBar } from "../pictures.ts";
import type { RenderOptions } from "../render-options.ts";
import { linesOf, safe, visible, visibleLines } from "../sanitize.ts";
import { type Signs, unicodeSigns } from "../signs.ts";
import { type Paint, plainStyle, type Style, toned } from "../style.ts";
import { duration, shortTime } from "../time.ts";
import type { Shape, ShapeField } from "../view.ts";
import { pageOf } from "./links.ts";

export interface Column {
  /** Dotted path, also the header. */
  readonly path: string;
  readonly names: readonly string[];
  readonly field: ShapeField | undefined;
}

export function columnsOf(paths: readonly string[], shape: Shape | undefined): Column[] {
  return paths.map((path) => ({ path, names: namesIn(path, shape), field: fieldAt(shape, path) }));
}

export interface CellOptions {
  /** Times are shortened, as far as this allows; if undefined, they are shown in full. */
  now: Date | undefined;
  /** Times are shown in full on a terminal too. */
  times: boolean;
  /** Draw shares and lists of numbers as pictures. */
  pictures: boolean;
  signs: Pick<Signs, "arrow">;
}

/** How values are shown: formatted for people on a terminal, unchanged elsewhere. */
export function cellOptions({
  stdout,
  now,
  times,
  pictures,
  style: { signs },
}: Pick<RenderOptions, "stdout" | "now" | "times" | "pictures" | "style">): CellOptions {
  return stdout.isTerminal
    ? { now, times, pictures, signs }
    : { now: undefined, times: true, pictures: false, signs: unicodeSigns };
}

/** A cell drawn once the width of its column is known. */
export interface Picture {
  /** Preferred and minimum width in terminal columns. */
  readonly width: number;
  readonly least: number;
  draw(columns: number): TerminalText;
}

export function isPicture(cell: TerminalText | Picture): cell is Picture {
  return typeof cell === "object";
}

/** A value formatted for people. Control characters are not replaced yet. */
function cellText(value: unknown, field: ShapeField | undefined, options: CellOptions): string {
  if (value === null || value === undefined) return "-";
  // A value of any type is shown as it is written, beside others such as an expected one: `false`, not `no`.
  if (typeof value === "boolean") return field?.kind === "json" ? String(value) : value ? "yes" : "no";
  if (field?.codes !== undefined) return codeText(value, field.codes);
  if (typeof value === "number") return numberText(value, field, options);
  if (value instanceof Date) return timeText(value.toISOString(), options);
  if (typeof value === "string") return stringText(value, field, options);
  if (!Array.isArray(value)) return field?.worded?.([value], options.signs) ?? JSON.stringify(value);
  if (field?.pictured !== undefined && options.pictures) return sparkline(value.map(Number));
  if (field?.worded !== undefined) return field.worded(value, options.signs) || "-";
  if (value.length === 0) return "-";
  if (value.some((item) => typeof item === "object" && item !== null)) return JSON.stringify(value);
  return value.map((item) => cellText(item, field?.item ?? field, options)).join(", ");
}

function stringText(value: string, field: ShapeField | undefined, options: CellOptions): string {
  return field?.kind === "timestamp" ? timeText(value, options) : value;
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

/** `██████████           50 %`: readable without color, with the exact number beside it. */
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

/** Shows the newest numbers if there is no room for all. */
function sparklinePicture(counts: readonly number[]): Picture {
  return { width: counts.length, least: counts.length, draw: (columns) => sparkline(counts.slice(-columns)) };
}

/** A cell of a table: one line of text, or a picture. */
export function tableCell(value: unknown, field: ShapeField | undefined, options: CellOptions): TerminalText | Picture {
  if (options.pictures && field?.kind === "share" && typeof value === "number") return sharePicture(value);
  if (options.pictures && field?.pictured !== undefined && Array.isArray(value))
    return sparklinePicture(value.map(Number));
  return lineCell(value, field, options);
}

/** The name of a number; a number without a name, or a string, is shown as it is. */
function codeText(value: unknown, codes: Readonly<Record<string, number>>): string {
  return Object.keys(codes).find((name) => codes[name] === value) ?? String(value);
}

/** A time as the server wrote it, or shortened for people. */
export function timeText(value: string, { now, times }: Pick<CellOptions, "now" | "times">): string {
  return now === undefined || times ? value : shortTime(value, now);
}

/** A cell of a list: always one line. */
export function lineCell(value: unknown, field: ShapeField | undefined, options: CellOptions): TerminalText {
  const shown = visible(cellText(value, field, options).replace(/[\t\n\r]+/g, " "));
  return options.now === undefined ? inertWithin(shown) : shown;
}

/** The value of a record's field: objects and free-form JSON have several lines. */
export function blockCell(value: unknown, field: ShapeField | undefined, options: CellOptions): TerminalText[] {
  if (isSpread(value, field)) {
    return Object.entries(value).map(
      ([name, part]) => safe`${visible(name)}: ${lineCell(part, ownValue(field?.shape, name), options)}`,
    );
  }
  const text = jsonBlock(value, field) ?? cellText(value, field, options);
  const shown = visibleLines(text.replaceAll("\t", "    "));
  return linesOf(options.now === undefined ? inert(shown) : shown);
}

/** A value for csv and tsv: `worded` replaces what would be JSON inside a cell. */
export function lineValue(value: unknown, field: ShapeField | undefined): unknown {
  return Array.isArray(value) && field?.worded !== undefined ? field.worded(value, unicodeSigns) : value;
}

/** Whether each field of the value gets its own line. */
function isSpread(value: unknown, field: ShapeField | undefined): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Date) return false;
  return field?.kind !== "json" && Object.keys(value).length > 0;
}

/** Free-form JSON, indented; even if the server sends it as a string. */
function jsonBlock(value: unknown, field: ShapeField | undefined): string | undefined {
  if (field?.kind !== "json") return undefined;
  const tree = typeof value === "string" ? readJson(value) : value;
  return typeof tree === "object" && tree !== null ? JSON.stringify(tree, null, 2) : undefined;
}

/** A value for programs: raw numbers, times as sent by the server, nested values as JSON. */
export function rawText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** How a cell with this text is painted; undefined if it is not. */
type Painter = (row: object, column: Column, text: TerminalText) => Paint | undefined;

/** Chooses the color or link of each cell; undefined if the style has no color. */
export function painterOf(style: Style): Painter | undefined {
  if (style === plainStyle) return undefined;
  return (row, { names, field }, text) => {
    if (text === "-") return undefined;
    const tone = toneOf(field?.tones ?? {}, text);
    if (tone !== undefined) return toned(style, tone);
    const page = pageOf(row, names);
    return page === undefined ? undefined : (name) => style.link(name, page);
  };
}

/** A server's text may equal an inherited property name such as `constructor`. */
function toneOf(tones: Tones, word: string): Tone | undefined {
  return ownValue(tones, word) ?? tones["*"];
}
