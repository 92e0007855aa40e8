import type { Blob } from "./blobs.ts";
import type { Row } from "./store.ts";

/** A line of a data file. */
export type Line =
  | { format: string; version: number }
  | { table: string; next_id: number; rows: Row[] }
  | { value: string; data: unknown }
  | { blob: Blob; base64: string }
  | { end: number };

/**
 * The line in a text; undefined if it is none. A data file may come from someone else, so that nothing in it is taken
 * for what it should be: the ID of a content becomes the name of a file.
 */
export function readLine(text: string): Line | undefined {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isHash(line) && isLine(line) ? (line as Line) : undefined;
}

function isLine(line: Readonly<Record<string, unknown>>): boolean {
  if ("format" in line) return isText(line.format) && typeof line.version === "number";
  if ("table" in line) {
    return isText(line.table) && isCount(line.next_id) && Array.isArray(line.rows) && line.rows.every(isRow);
  }
  if ("value" in line) return isText(line.value) && "data" in line;
  if ("blob" in line) return isBlob(line.blob) && isText(line.base64);
  return isCount(line.end);
}

function isRow(row: unknown): boolean {
  return isHash(row) && isCount(row.id);
}

function isBlob(blob: unknown): boolean {
  if (!isHash(blob)) return false;
  const { id, size, sha256 } = blob;
  return isText(id) && /^b[1-9]\d{0,14}$/.test(id) && isCount(size) && isText(sha256) && /^[0-9a-f]{64}$/.test(sha256);
}

/** Whether a value is of the kind of another: a list, an object, a text. */
export function isLike(value: unknown, other: unknown): boolean {
  return kindOf(value) === kindOf(other);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "list" : typeof value;
}

function isHash(value: unknown): value is Record<string, unknown> {
  return kindOf(value) === "object";
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
