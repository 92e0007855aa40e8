import type { Field } from "../api/field.ts";
import { UsageError } from "../base/errors.ts";
import { isDeeper, maxJsonDepth } from "../base/json-depth.ts";
import { notOneOf } from "../base/not-one-of.ts";
import { parseJson } from "../base/parse-json.ts";
import { readBoolean, readInteger, readNumber } from "../base/read-value.ts";
import { readCode } from "./code.ts";
import { readDay, readTime } from "./time.ts";

/**
 * Converts text from the command line to a field's value. Throws a UsageError with the flag or argument, the allowed
 * values, and the text.
 *
 * @param label the flag or argument as typed: `--limit`, `<user-id>`.
 */
export function parseValue(field: Field, text: string, label: string, now = new Date()): unknown {
  const suggested = inAnyCase(field.suggests ?? [], text);
  if (suggested !== undefined) return suggested;
  // Digits are an ID; anything else is a name, which is looked up.
  if (field.kind === "id" && field.names !== undefined && !/^[-+\d.]*$/.test(text)) {
    // `registry delete "acme/storefront/$image"` without an `image` would delete another repository.
    if (field.names !== "repository" || !text.endsWith("/")) return text;
    throw new UsageError(`${label}: "${text}" ends in a slash`, {
      nothing: "sent",
      hint: "give the path as forgectl registry list shows it",
    });
  }
  switch (field.kind) {
    case "integer":
    case "id":
    case "bytes":
    case "seconds":
      return parseNumber(field, text, label, field.kind === "id" ? "an ID (a whole number)" : "a whole number");
    case "number":
      return parseNumber(field, text, label, "a number");
    case "boolean":
      return parseBoolean(text, label);
    case "enum":
      return parseWord(field, text, label);
    case "code":
      return readCode(field.codes ?? {}, text, label);
    case "timestamp":
      return readTime(text, label, now);
    case "date":
      return readDay(text, label, now, field.bound);
    case "json":
      return jsonIn(text, label);
    default:
      return parseText(field, text, label);
  }
}

/** The values of a repeated flag: a list, or `key=value` pairs with unique keys. Duplicate IDs count once. */
export function parseMany(field: Field, texts: readonly string[], label: string): unknown {
  if (field.kind !== "map") {
    const values = texts.map((text) => parseValue(field.item as Field, text, label));
    return field.item?.kind === "id" ? [...new Set(values)] : values;
  }
  const pairs = new Map<string, string>();
  for (const text of texts) {
    const at = text.indexOf("=");
    if (at < 1) throw new UsageError(`${label}: must be key=value, not "${text}"`);
    const key = text.slice(0, at);
    // Only one of the two could be sent.
    if (pairs.has(key)) throw new UsageError(`${label}: ${key} is given twice`);
    pairs.set(key, text.slice(at + 1));
  }
  return Object.fromEntries(pairs);
}

function parseNumber(field: Field, text: string, label: string, what: string): number {
  const value = field.kind === "number" ? readNumber(text) : readInteger(text);
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = field;
  const least = field.kind === "id" ? Math.max(min, 1) : min;
  if (value !== undefined && value >= least && value <= max) return value;
  throw new UsageError(`${label}: must be ${what}${bounds(least, max)}${orWords(field)}, not "${text}"`);
}

function bounds(min: number, max: number): string {
  if (Number.isFinite(min) && Number.isFinite(max)) return ` from ${min} to ${max}`;
  if (Number.isFinite(min)) return ` of at least ${min}`;
  return Number.isFinite(max) ? ` of at most ${max}` : "";
}

function orWords(field: Field): string {
  return field.suggests === undefined ? "" : `, or ${field.suggests.join(", ")}`;
}

function parseBoolean(text: string, label: string): boolean {
  const value = readBoolean(text);
  if (value !== undefined) return value;
  throw new UsageError(`${label}: must be true or false, not "${text}"`);
}

/** Tables and other tools may write words in capitals, so case is ignored. */
function inAnyCase(values: readonly string[], text: string): string | undefined {
  if (values.includes(text)) return text;
  return values.find((value) => value.toLowerCase() === text.toLowerCase());
}

function parseWord(field: Field, text: string, label: string): string {
  const values = field.values ?? [];
  const found = inAnyCase(values, text);
  if (found !== undefined) return found;
  throw notOneOf({ label, text, allowed: values });
}

function jsonIn(text: string, label: string): unknown {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new UsageError(`${label}: is not valid JSON`, { reason: (error as Error).message });
  }
  if (isDeeper(value, maxJsonDepth)) throw new UsageError(`${label}: is nested more than ${maxJsonDepth} deep`);
  return value;
}

function parseText(field: Field, typed: string, label: string): string {
  const text = field.relative ? typed.replace(/^(?:\.\/)+/, "") : typed;
  // An empty path would be this folder: `state apply -f "$file"` would apply all that is in it.
  if (text === "" && isPath(field)) throw new UsageError(`${label}: is empty`);
  const length = [...text].length;
  if (field.min !== undefined && length < field.min) {
    throw new UsageError(length === 0 ? `${label}: is empty` : `${label}: needs at least ${field.min} characters`);
  }
  if (field.max !== undefined && length > field.max) {
    throw new UsageError(`${label}: has ${length} characters; at most ${field.max} are allowed`);
  }
  const { pattern } = field;
  if (pattern !== undefined && !pattern.test.test(text)) {
    throw new UsageError(`${label}: must be ${pattern.words}, not "${text}"`);
  }
  return text;
}

function isPath({ completes, writes }: Field): boolean {
  return completes === "file" || completes === "directory" || writes === "whole" || writes === "appended";
}
