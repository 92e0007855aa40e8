import { isObject } from "../base/is-object.ts";
import { holdsMask } from "../base/secrets.ts";
import { isReference, type StateField, type Values } from "./kind.ts";

/**
 * The normal form of a field's value for comparison: "60" equals 60, null equals an empty text or list, and the order
 * of a set is ignored. A value without a normal form is unchanged, so that it differs.
 */
export function normal(field: StateField, value: unknown): unknown {
  switch (field.form) {
    case "boolean":
      return toBoolean(value);
    case "integer":
    case "number":
    case "id":
      return toNumber(value);
    case "level":
      return toLevel(field, value);
    case "text":
      return toText(value);
    case "addresses":
      return toText(value)
        .split(/[\s,]+/)
        .filter((each) => each !== "")
        .sort();
    case "names":
      return sorted(toList(value).map(plain));
    case "domains":
      return sorted(toList(value).map((each) => (typeof each === "string" ? each.toLowerCase() : each)));
    case "list":
      return toList(value).map(plain);
    case "hash":
      return unordered(plain(value));
    case "rules":
      return sorted(toList(value).map((rule) => normalRule(field, rule)));
    case "keys":
      return sorted(toList(value).map((each) => (isObject(each) ? each.key : each)));
    default:
      return plain(value);
  }
}

/** The normal form of a live value: null is the value of a field that is left out. */
export function normalLive(field: StateField, value: unknown): unknown {
  return normal(field, value ?? field.absent ?? value);
}

/** A value of an undocumented type: quoted numbers and booleans equal unquoted ones, and null equals an empty text. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
  if (value === "true" || value === "false") return value === "true";
  return value === "" ? null : toNumber(value);
}

/** The same, ignoring the order of lists. */
function unordered(value: unknown): unknown {
  if (Array.isArray(value)) return sorted(value.map(unordered));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, unordered(each)]));
}

/** Whether declared and live values are equal. Of a hash only the declared keys are compared. */
export function sameState(field: StateField, declared: unknown, live: unknown): boolean {
  const present = live ?? field.absent ?? live;
  if (field.form === "hash" && isObject(declared)) {
    const held = isObject(present) ? present : {};
    return Object.entries(declared).every(
      // A masked value is unknown.
      ([key, value]) => holdsMask(held[key]) || canonical(normal(field, value)) === canonical(normal(field, held[key])),
    );
  }
  return canonical(normal(field, declared)) === canonical(normal(field, present));
}

/** A rule without the fields that the instance adds: its ID, its level's description, nulls for other subjects. */
export function normalRule(field: StateField, rule: unknown): unknown {
  if (!isObject(rule)) return rule;
  const subject = subjectOf(rule);
  const details: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(field.item ?? {})) {
    if (each.readOnly || name in subjects) continue;
    details[name] = normal(each, rule[name] ?? each.absent);
  }
  return { subject, ...details };
}

/** A rule for a request: one subject, and the details that can be set. */
export function writableRule({ item = {} }: StateField, rule: Values): Values {
  const subject = Object.keys(subjects).find((name) => rule[name] !== null && rule[name] !== undefined);
  const settable = Object.entries(item).filter(
    ([name, each]) => !each.readOnly && (name === subject || !(name in subjects)),
  );
  const entries = settable.map(([name]) => [name, rule[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== undefined));
}

const subjects: Readonly<Record<string, string>> = {
  user_id: "user",
  username: "username",
  group_id: "group",
  access_level: "level",
};

/** `user:4`, `group:9`, `level:40`: the subject of a rule. Servers return a level in addition to a user or a group. */
export function subjectOf(rule: Values): string {
  for (const [name, word] of Object.entries(subjects)) {
    const value = rule[name];
    if (value !== null && value !== undefined) return `${word}:${value}`;
  }
  return "nobody";
}

function toBoolean(value: unknown): unknown {
  if (value === "true" || value === "1" || value === 1) return true;
  if (value === "false" || value === "0" || value === 0) return false;
  return value ?? null;
}

function toNumber(value: unknown): unknown {
  if (typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value))) return Number(value);
  return value ?? null;
}

function toLevel({ levels = {} }: StateField, value: unknown): unknown {
  const named = typeof value === "string" && Object.hasOwn(levels, value) ? levels[value] : undefined;
  return named ?? toNumber(value);
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" ? value : isReference(value) ? "" : JSON.stringify(value);
  return text.replaceAll("\r\n", "\n").replace(/\n$/, "");
}

function toList(value: unknown): unknown[] {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function sorted(items: readonly unknown[]): unknown[] {
  const texts = new Map(items.map((item) => [canonical(item), item]));
  return [...texts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}

/** JSON with the keys of every object in order: equal values have equal texts. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}
