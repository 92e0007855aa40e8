import { compareTexts } from "../base/compare-texts.ts";
import { isObject } from "../base/is-object.ts";
import { ownValue } from "../base/own-value.ts";
import { wordsOf } from "./json.ts";

/**
 * How a value is compared. `names`: a set of texts, or of other plain values; `domains`: the same without case;
 * `addresses`: one text of addresses separated by commas, blanks, or line breaks; `hash`: an object whose lists have no
 * order; `rules`: a set of objects keyed by their subject; `keys`: objects of which only `key` can be read back.
 */
export type Form =
  | "boolean"
  | "integer"
  | "number"
  | "text"
  | "time"
  | "id"
  | "level"
  | "names"
  | "domains"
  | "addresses"
  | "list"
  | "hash"
  | "rules"
  | "keys"
  | "json";

/** What the normal form of a value depends on. */
export interface ComparedField {
  readonly form: Form;
  /** Only for a level: the number of each name. */
  readonly levels?: Readonly<Record<string, number>>;
  /** Only for rules and keys: the fields of an item. */
  readonly item?: { readonly [name: string]: ComparedField };
  /** Set by the instance. */
  readonly readOnly?: true | "recorded";
  /** The value that a field has if an answer leaves it out, or has null in its place. */
  readonly absent?: unknown;
  /**
   * For rules: the subject of a rule that is the same as none, such as the level that no user has. For a value of an
   * undocumented type: the text that is the same as an empty one.
   */
  readonly none?: string;
  /** Only for rules: the subject of a rule that alone is the same as no rules, such as a role that everybody has. */
  readonly usual?: string;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * The normal form of a field's value for comparison: "60" equals 60, null equals an empty text or list, and the order
 * of a set is ignored. A value without a normal form is unchanged, so that it differs.
 */
export function normal(field: ComparedField, value: unknown): unknown {
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
    case "time":
      return toTime(value);
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
      return sorted(rulesThatCount(field, toList(value)).map((rule) => normalRule(field, rule)));
    case "keys":
      return sorted(toList(value).map((each) => (isObject(each) ? each.key : each)));
    default:
      return field.none !== undefined && value === field.none ? null : plain(value);
  }
}

/**
 * A value of an undocumented type: quoted numbers and booleans equal unquoted ones, and null equals an empty text. A
 * text is a number only as numbers are written: "1.10" may be a version, and is not "1.1".
 */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
  if (value === "true" || value === "false") return value === "true";
  if (value === "") return null;
  const isNumber = typeof value === "string" && Number.isFinite(Number(value)) && String(Number(value)) === value;
  return isNumber ? Number(value) : (value ?? null);
}

/** The same, ignoring the order of lists. */
function unordered(value: unknown): unknown {
  if (Array.isArray(value)) return sorted(value.map(unordered));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, unordered(each)]));
}

/** A rule without the fields that the instance adds: its ID, its level's description, nulls for other subjects. */
export function normalRule(field: ComparedField, rule: unknown): unknown {
  if (!isObject(rule)) return rule;
  const subject = subjectOf(rule);
  const details: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(field.item ?? {})) {
    if (each.readOnly || Object.hasOwn(subjects, name)) continue;
    details[name] = normal(each, rule[name] ?? each.absent);
  }
  return { subject, ...details };
}

function rulesThatCount({ none, usual }: ComparedField, rules: readonly unknown[]): readonly unknown[] {
  const isFor = (rule: unknown, subject: string | undefined) =>
    subject !== undefined && isObject(rule) && subjectOf(rule) === subject;
  const counting = rules.filter((rule) => !isFor(rule, none));
  return counting.length === 1 && isFor(counting[0], usual) ? [] : counting;
}

/** The fields of a rule that can be its subject. */
export const subjects: Readonly<Record<string, string>> = {
  user_id: "user",
  username: "username",
  group_id: "group",
  deploy_key_id: "deploy key",
  member_role_id: "custom role",
  access_level: "level",
};

/** `user:4`, `group:9`, `level:40`: the subject of a rule. Servers return a level in addition to the others. */
export function subjectOf(rule: Values): string {
  for (const [name, word] of Object.entries(subjects)) {
    const value = rule[name];
    if (value !== null && value !== undefined) return `${word}:${wordsOf(value)}`;
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

function toLevel({ levels = {} }: ComparedField, value: unknown): unknown {
  const name = typeof value === "string" ? value.toLowerCase() : "";
  return ownValue(levels, name) ?? toNumber(value);
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" ? value : isReference(value) ? "" : JSON.stringify(value);
  return text.replaceAll("\r\n", "\n").replace(/\n$/, "");
}

/** To the second: instances round. */
function toTime(value: unknown): unknown {
  const ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? (value ?? null) : Math.floor(ms / 1000);
}

/** A secret that is read when it is sent. */
function isReference(value: unknown): boolean {
  return isObject(value) && "reference" in value && "origin" in value;
}

function toList(value: unknown): unknown[] {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function sorted(items: readonly unknown[]): unknown[] {
  const texts = new Map(items.map((item) => [canonical(item), item]));
  return [...texts].sort(([a], [b]) => compareTexts(a, b)).map(([, item]) => item);
}

/** JSON with the keys of every object in order: equal values have equal texts. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}
