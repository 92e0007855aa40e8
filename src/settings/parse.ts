import { isObject } from "../base/is-object.ts";
import { readBoolean, readInteger, readJson, readNumber } from "../base/read-value.ts";
import type { Setting } from "./setting.ts";

/** The typed text is not a value of the setting; `setting` is empty if it has no name. */
export class SettingError extends Error {
  readonly setting: string;
  readonly hint: string;

  constructor(setting: string, message: string, hint: string) {
    super(message);
    this.name = "SettingError";
    this.setting = setting;
    this.hint = hint;
  }
}

/** `name=value`, split at the first `=`; the value is unchanged, even if empty. */
export function parseAssignment(assignment: string): { name: string; text: string } {
  const at = assignment.indexOf("=");
  if (at < 0) {
    // Of `name:value`, the value may be a secret.
    const [shown] = assignment.split(":", 1);
    throw new SettingError(assignment, `"${shown}" has no value`, "write it as name=value");
  }
  const name = assignment.slice(0, at).trim();
  if (name === "") throw new SettingError("", `"${assignment}" does not name a setting`, "write it as name=value");
  return { name, text: assignment.slice(at + 1) };
}

/**
 * Parses a setting's value. For an unknown setting (undefined) the type is guessed: JSON if the text
 * is JSON and converts without loss, a string otherwise.
 *
 * @throws SettingError when the text is not a value of the setting's type; bounds are for `validateSettings`
 */
export function parseSettingValue(setting: Setting | undefined, text: string): unknown {
  if (setting === undefined) return guess(text);
  const trimmed = text.trim();
  // For texts too: that word is never a sensible value.
  if (trimmed === "null") return null;
  switch (setting.type) {
    case "boolean":
      return parseBoolean(setting.name, trimmed);
    case "integer":
      return parseInteger(setting.name, trimmed);
    case "number":
      return parseNumber(setting.name, trimmed);
    case "array":
      return parseArray(setting, trimmed);
    case "object":
      return parseObject(setting.name, trimmed);
    default:
      return text;
  }
}

/** Converts guessed values of undocumented settings to booleans if the instance has booleans. */
export function typedAs(current: Readonly<Record<string, unknown>>, values: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const isFlag = typeof current[name] === "boolean" && (typeof value === "string" || typeof value === "number");
      return [name, isFlag ? (readBoolean(String(value)) ?? value) : value];
    }),
  );
}

function quote(text: string): string {
  return text.length > 40 ? `"${text.slice(0, 37)}..."` : `"${text}"`;
}

function parseBoolean(name: string, text: string): boolean {
  const value = readBoolean(text);
  if (value !== undefined) return value;
  throw new SettingError(name, `${quote(text)} is neither true nor false`, "write true or false, yes or no, on or off");
}

function parseInteger(name: string, text: string): number {
  const value = readInteger(text);
  if (value !== undefined) return value;
  if (readNumber(text) === undefined || !/^-?\d+$/.test(text)) {
    throw new SettingError(name, `${quote(text)} is not an integer`, "write digits only, as in 3600");
  }
  throw new SettingError(name, `${quote(text)} is too large`, `the largest integer is ${Number.MAX_SAFE_INTEGER}`);
}

function parseNumber(name: string, text: string): number {
  const value = readNumber(text);
  if (value !== undefined) return value;
  throw new SettingError(name, `${quote(text)} is not a number`, "write it as in 1.5");
}

/** A JSON array, or strings separated by commas or line breaks, so that `name=@file` accepts a plain list. */
function parseArray(setting: Setting, text: string): unknown[] {
  if (!text.startsWith("[")) return separate(setting, text);
  const value = readJson(text);
  if (Array.isArray(value)) return value;
  throw new SettingError(setting.name, `${quote(text)} is not a JSON array`, 'write it as in ["a","b"], or as a,b');
}

function separate(setting: Setting, text: string): unknown[] {
  const entries = text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  if (setting.items === "integer") return entries.map((entry) => parseInteger(setting.name, entry));
  if (setting.items !== "object") return entries;
  throw new SettingError(setting.name, `${quote(text)} is not a JSON array`, 'write it as in [{"key":"value"}]');
}

function parseObject(name: string, text: string): unknown {
  const value = readJson(text);
  if (isObject(value)) return value;
  throw new SettingError(name, `${quote(text)} is not a JSON object`, 'write it as in {"key":"value"}');
}

function guess(text: string): unknown {
  const value = readJson(text);
  if (value === undefined) return text;
  // 1.10 may be a version and 12345678901234567890 an ID: a number that would print differently remains text.
  if (typeof value === "number" && String(value) !== text.trim()) return text;
  return value;
}
