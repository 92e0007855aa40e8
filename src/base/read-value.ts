import { isObject } from "./is-object.ts";
import { isDeeper, maxJsonDepth } from "./json-depth.ts";
import { parseJson } from "./parse-json.ts";

// Text to values, by one rule for flags, the environment, profiles, and settings. Callers report a text that is not
// valid, and where it came from.

/** `true`, `false`, `yes`, `no`, and the like; undefined for any other word. */
export function readBoolean(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (["true", "yes", "on", "1"].includes(word)) return true;
  return ["false", "no", "off", "0"].includes(word) ? false : undefined;
}

/** A safe integer; undefined for any other text. */
export function readInteger(text: string): number | undefined {
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value + 0 : undefined;
}

/** A decimal number, with or without an exponent; undefined for any other text. */
export function readNumber(text: string): number | undefined {
  const value = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value + 0 : undefined;
}

/** What a word is in JSON: true, false, null, or a number that is written so; any other text as it is. */
export function readWord(text: string): boolean | number | string | null {
  if (text === "true" || text === "false") return text === "true";
  if (text === "null") return null;
  const number = /e/i.test(text) ? undefined : readNumber(text);
  return number !== undefined && String(number) === text ? number : text;
}

/** Undefined for what is not JSON, and for what is nested so deeply that recursion would fail. */
export function readJson(text: string): unknown {
  try {
    const value = parseJson(text);
    return isDeeper(value, maxJsonDepth) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Undefined for what is not an object in JSON. */
export function readObject(text: string): Record<string, unknown> | undefined {
  const value = readJson(text);
  return isObject(value) ? value : undefined;
}
