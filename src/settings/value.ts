import { isObject } from "../base/is-object.ts";
import { isQuoted, switchWords } from "../base/yaml-words.ts";
import type { Setting, SettingType } from "./setting.ts";

/** The problem with a value, without the setting's name. */
export interface Problem {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly hint?: string;
}

type Items = NonNullable<Setting["items"]>;

const kinds: Record<SettingType, { is: (value: unknown) => boolean; called: string }> = {
  boolean: { is: (value) => typeof value === "boolean", called: "true or false" },
  integer: { is: Number.isSafeInteger, called: "an integer" },
  number: { is: Number.isFinite, called: "a number" },
  string: { is: (value) => typeof value === "string", called: "a string" },
  text: { is: (value) => typeof value === "string", called: "a string" },
  array: { is: Array.isArray, called: "an array" },
  object: { is: isObject, called: "an object" },
};

/** Null or empty, which counts as not given. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === "string") return value.trim() === "";
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** Validates one value against its setting's type, bounds, enumeration, and form. */
export function checkValue(setting: Setting, value: unknown): Problem[] {
  if (value === null) return checkNull(setting);
  const { is, called } = kinds[setting.type];
  if (!is(value)) {
    const isShown = setting.shownAs !== undefined && kinds[setting.shownAs].is(value);
    return isShown ? checkBounds(setting, value) : [mismatch(setting, value, called)];
  }
  return [
    ...checkBounds(setting, value),
    ...checkEnumeration(setting, value),
    ...checkItems(setting, value),
    ...checkEntries(setting, value),
    ...checkForm(setting, value),
  ];
}

function checkNull(setting: Setting): Problem[] {
  if (setting.nullable) return [];
  if (setting.type === "boolean" && !setting.typeInferred) return [error("must be true or false, not null")];
  // Servers return null for values that were never set, so an exported file must not be refused.
  return [{ severity: "warning", message: "is null, which the documents do not mention for it" }];
}

function mismatch(setting: Setting, value: unknown, called: string): Problem {
  const word = setting.type === "boolean" ? switchWords(value) : undefined;
  const message = word === undefined ? `must be ${called}, not ${describe(value)}` : `must be ${called}; ${word}`;
  if (setting.typeInferred) {
    return { severity: "warning", message: `${message}, if its name is right: the documents give no type` };
  }
  const hint = quotes(setting, value);
  return hint === undefined ? error(message) : error(message, hint);
}

function quotes(setting: Setting, value: unknown): string | undefined {
  const textual = setting.type === "string" || setting.type === "text";
  if (textual && (typeof value === "number" || typeof value === "boolean")) return "write it in quotes";
  if (typeof value !== "string" || textual || setting.type === "array" || setting.type === "object") return undefined;
  const type = setting.type === "boolean" ? "boolean" : "number";
  return isQuoted(type, value) ? "write it without quotes" : undefined;
}

/** The type of a value, never the value, which may be a secret under a wrong name. */
function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  if (typeof value === "number" && Number.isInteger(value))
    return Number.isSafeInteger(value) ? "an integer" : "one that is too large to be exact";
  if (typeof value === "number") return "a fraction";
  return typeof value === "string" ? "a string" : `a ${typeof value}`;
}

/** No documented setting is negative. */
function checkBounds({ min = 0, max, unit }: Setting, value: unknown): Problem[] {
  if (typeof value !== "number") return [];
  // Units are stored as plurals.
  const measured = (bound: number) =>
    unit === undefined ? `${bound}` : `${bound} ${bound === 1 ? unit.replace(/s$/, "") : unit}`;
  if (value < min) return [error(`must be at least ${measured(min)}, not ${value}`)];
  if (max !== undefined && value > max) return [error(`must be at most ${measured(max)}, not ${value}`)];
  return [];
}

function checkEnumeration({ values }: Setting, value: unknown): Problem[] {
  if (values === undefined) return [];
  const given: unknown[] = Array.isArray(value) ? value : [value];
  return given
    .filter((item) => typeof item === "string" && !values.includes(item))
    .map((item) => error(`"${item}" is not one of its values`, `one of ${values.join(", ")}`));
}

function badItems(items: Items, value: unknown): boolean {
  return Array.isArray(value) && !value.every(kinds[items].is);
}

function checkItems({ items }: Setting, value: unknown): Problem[] {
  return items !== undefined && badItems(items, value) ? [error(`each item must be ${kinds[items].called}`)] : [];
}

function checkEntries({ properties = [], entries }: Setting, value: unknown): Problem[] {
  const fields = value as Record<string, unknown>;
  const problems: Problem[] = [];
  for (const { name, type, items } of properties) {
    const field = fields[name];
    if (field === undefined) continue;
    if (!kinds[type].is(field)) problems.push(error(`${name} must be ${kinds[type].called}, not ${describe(field)}`));
    else if (items && badItems(items, field))
      problems.push(error(`each item of ${name} must be ${kinds[items].called}`));
  }
  if (entries === undefined) return problems;
  for (const [key, field] of Object.entries(fields)) {
    if (!kinds[entries].is(field))
      problems.push(error(`${key} must be ${kinds[entries].called}, not ${describe(field)}`));
  }
  return problems;
}

function checkForm({ schemes, format }: Setting, value: unknown): Problem[] {
  if (typeof value !== "string" || value === "") return [];
  if (schemes !== undefined && !schemes.some((scheme) => value.toLowerCase().startsWith(`${scheme}://`))) {
    return [error(`must begin with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`)];
  }
  if (format === "regex" && !looksLikeRegex(value)) {
    return [{ severity: "warning", message: "does not look like a regular expression", hint: "the server decides" }];
  }
  return [];
}

/** The server uses another dialect: inline flags and named groups of other dialects are accepted. */
function looksLikeRegex(pattern: string): boolean {
  const common = pattern
    .replace(/\(\?[a-z]*(-[a-z]+)?\)/g, "")
    .replace(/\(\?[a-z]*(-[a-z]+)?:/g, "(?:")
    .replaceAll("(?P<", "(?<");
  try {
    new RegExp(common);
    return true;
  } catch {
    return false;
  }
}

function error(message: string, hint?: string): Problem {
  return hint === undefined ? { severity: "error", message } : { severity: "error", message, hint };
}
