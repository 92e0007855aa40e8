import { ownValue } from "../../base/own-value.ts";
import { ownName } from "../../config/environment.ts";
import { fieldOf, type Kind, type StateField, type Values } from "../kind.ts";
import { Commented } from "../yaml/yaml-comment.ts";
import { isHidden, normal, subjectOf } from "./normal.ts";
import { holdsCredentials, withoutNames } from "./secrecy.ts";

// Values as an export writes them: only what can be written again, in a stable order, without secrets.

/** The fields that can be written and read back, in the order of the kind. */
export function exportEntry(kind: Kind, live: Values): Values {
  const values = kind.condense?.(live) ?? live;
  const others = Object.keys(values).filter((name) => !Object.hasOwn(kind.fields, name));
  // Of a part, each field by itself.
  const beyond = kind.condense === undefined ? others.filter((name) => kind.fieldOf?.(name)) : [];
  const own = [...Object.keys(kind.fields), ...beyond].flatMap((name): [string, unknown][] => {
    const field = fieldOf(kind, name);
    const value = values[name];
    // Only the keys of headers can be read; without values they cannot be written again.
    if (field.readOnly || field.counter || field.writeOnly || field.form === "keys") return [];
    // A file without a required field is not valid.
    const isMask = isHidden(field, value);
    const isSecret = holdsCredentials(withoutNames(field, value)) || (field.required === true && isMask);
    if (isSecret) return [[name, environmentReference(`${kind.name}_${String(live.id ?? "")}_${name}`)]];
    // Left out, it would not be managed, and a plan would not find what another user adds.
    if (field.nullable === true && value === null) return [[name, null]];
    if (isEmptyText(kind, name, value)) return [[name, ""]];
    if (isNothing(value) || isMask) return [];
    return [[name, exportValue(field, value)]];
  });
  return Object.fromEntries(own);
}

/** A text that may be empty: neither a choice nor a name that an entry is found by. */
function isEmptyText(kind: Kind, name: string, value: unknown): boolean {
  const { form, values } = ownValue(kind.fields, name) ?? {};
  const isFree = form === "text" && values === undefined && ![...kind.keys.flat(), kind.tie].includes(name);
  return isFree && (value === null || value === "");
}

/** A secret is written as the variable that gives it. */
export function environmentReference(name: string): { env: string } {
  const variable = name.toUpperCase().replace(/\W+/g, "_");
  return { env: ownName(variable) ? `SETTING_${variable}` : variable };
}

export function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === "";
}

export function exportValue(field: StateField, value: unknown): unknown {
  if (field.form === "level") return levelName(field, normal(field, value));
  if (typed.has(field.form)) return normal(field, value);
  // An instance may return a set in any order; files are sorted.
  if (sets.has(field.form) && Array.isArray(value)) return value.toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
  if (field.form === "rules" && Array.isArray(value)) {
    const rules = value.toSorted((a, b) => (subjectOf(a) < subjectOf(b) ? -1 : 1));
    return rules.map((rule) => exportRule(field, rule as Values));
  }
  return value;
}

const typed = new Set<StateField["form"]>(["boolean", "integer", "number", "id"]);
const sets = new Set<StateField["form"]>(["names", "domains"]);

/** The name of an access level; the value itself if it has none. */
export function levelName({ levels = {} }: StateField, value: unknown): unknown {
  return Object.keys(levels).find((name) => levels[name] === value) ?? value;
}

/** The subjects that have IDs. */
const numbered = ["user_id", "group_id", "deploy_key_id", "member_role_id"];

/** The subject and the details that differ from their defaults. */
function exportRule({ item = {} }: StateField, rule: Values): Values {
  const subject = [...numbered, "access_level"].find((name) => !isNothing(rule[name]));
  return Object.fromEntries(
    Object.entries(item)
      .filter(
        ([name, field]) =>
          !field.readOnly &&
          (name === subject || (field.absent !== undefined && normal(field, rule[name]) !== field.absent)),
      )
      .filter(([name]) => !isNothing(rule[name]))
      .map(([name, field]) => [name, named(name, exportValue(field, rule[name]), rule)]),
  );
}

/** The ID of a user, a group, or a custom role, with the name behind it if the instance gives it. */
function named(name: string, value: unknown, { access_level_description: text }: Values): unknown {
  const isSubject = numbered.includes(name);
  return isSubject && typeof value === "number" && typeof text === "string" && text !== ""
    ? new Commented(value, text)
    : value;
}
