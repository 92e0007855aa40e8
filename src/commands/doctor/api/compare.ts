import type { Field, Fields } from "../../../api/field.ts";
import { isObject } from "../../../base/is-object.ts";

/** What an answer has otherwise than documented. No values of the answer. */
export interface Deviation {
  readonly kind: "missing" | "retyped" | "null" | "unknown" | "unpaged" | "status";
  /** Dotted, without the numbers of list items; empty if it is not about a field. */
  readonly field: string;
  /** For people: "it is a text, not a number". */
  readonly words: string;
}

const texts = new Set(["string", "timestamp", "date", "enum"]);
const numbers = new Set(["integer", "number", "id", "bytes", "seconds", "share", "code"]);

/** Compares the rows of an answer with the documented fields; of equal deviations in several rows, one. */
export function deviations(fields: Fields, rows: readonly unknown[]): Deviation[] {
  const found = new Map<string, Deviation>();
  for (const row of rows) {
    for (const each of ofObject(fields, row, "")) found.set(`${each.kind} ${each.field}`, each);
  }
  return [...found.values()];
}

function* ofObject(fields: Fields, value: unknown, above: string): Generator<Deviation> {
  if (!isObject(value)) {
    yield retyped(above.slice(0, -1), value, "an object");
    return;
  }
  const row = value as Readonly<Record<string, unknown>>;
  for (const [name, field] of Object.entries(fields)) {
    const path = above + name;
    if (!Object.hasOwn(row, name)) {
      if (!field.sometimes && !field.beyond && field.onlyWith === undefined)
        yield { kind: "missing", field: path, words: path };
    } else if (field.beyond) yield { kind: "unknown", field: path, words: name };
    else yield* ofValue(field, row[name], path);
  }
  for (const name of Object.keys(row)) {
    if (!Object.hasOwn(fields, name)) yield { kind: "unknown", field: above + plainName(name), words: plainName(name) };
  }
}

function* ofValue(field: Field, value: unknown, path: string): Generator<Deviation> {
  const { kind, item, shape } = field;
  if (kind === "json" || kind === "file") return;
  if (value === null) {
    if (!field.nullable && !field.sometimes) yield { kind: "null", field: path, words: path };
    return;
  }
  const expected = formOf(kind);
  if (formOfValue(value) !== expected) {
    // An empty object is sometimes a list.
    const isEmptyList = expected === "an object" && Array.isArray(value) && value.length === 0;
    if (!isEmptyList) yield retyped(path, value, expected);
  } else if (kind === "array" && item !== undefined) {
    for (const each of value as unknown[]) yield* ofValue(item, each, path);
  } else if (kind === "object" && shape !== undefined) yield* ofObject(shape, value, `${path}.`);
}

function formOf(kind: Field["kind"]): string {
  if (texts.has(kind)) return "a text";
  if (numbers.has(kind)) return "a number";
  if (kind === "boolean") return "true or false";
  return kind === "array" ? "a list" : "an object";
}

function formOfValue(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "a text";
  if (typeof value === "number") return "a number";
  return typeof value === "boolean" ? "true or false" : "an object";
}

function retyped(field: string, value: unknown, expected: string): Deviation {
  return { kind: "retyped", field, words: `${field || "a row"} is ${formOfValue(value)}, not ${expected}` };
}

/** A name that is no identifier may be a value, as the key of a table. */
function plainName(name: string): string {
  return /^[a-z][a-z0-9_]{0,60}$/.test(name) ? name : "(another name)";
}
