import { UsageError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { holdsMask, isMasked } from "../base/secrets.ts";
import type { Context } from "../context.ts";
import { settings as catalogue, findSetting } from "../settings/catalogue.ts";
import { recordFields } from "../settings/validate.ts";
import { ownName } from "./credentials.ts";
import { groupPath } from "./keep.ts";
import { keyNames, keyOf, tiedKey } from "./keys.ts";
import {
  fieldOf,
  type Kind,
  type Live,
  type Scope,
  type Section,
  type StateField,
  sectionName,
  type Values,
} from "./kind.ts";
import { kindsAt } from "./kinds/index.ts";
import { predecessors, settingsKind } from "./kinds/settings.ts";
import { normal, subjectOf } from "./normal.ts";
import { Noted, Remark } from "./note.ts";
import { readAll, readerOf } from "./reader.ts";
import { holdsCredentials } from "./secrecy.ts";

/** The content of a scope, in state file format. */
export interface Exported {
  readonly scope: Scope;
  /** Sections by name; the allowlists are within `job_token_scope`. */
  readonly sections: Record<string, unknown>;
  /** Kinds that could not be read, and why. */
  readonly unreadable: readonly { readonly kind: string; readonly reason: string }[];
}

export interface ExportOptions {
  /** Names of kinds; undefined is all. */
  readonly only?: readonly string[] | undefined;
  /** Leaves out settings that the documents do not name. */
  readonly documented?: boolean;
}

/** Reads the scopes concurrently and yields them in the given order, with only the fields that apply can write. */
export async function* exportScopes(
  context: Context,
  scopes: readonly Scope[],
  { only, documented = false }: ExportOptions = {},
): AsyncGenerator<Exported> {
  const reader = readerOf(context.api);
  const origin = { file: "", line: 0 };
  const sections = scopes.flatMap((scope) =>
    kindsAt(scope.at)
      .filter(({ name, within }) => only === undefined || only.includes(name) || only.includes(within ?? ""))
      .map((kind): Section => ({ scope, kind, entries: [], origin })),
  );
  const task = context.progress.start("reading", { total: sections.length, unit: "items" });
  let current:
    | { scope: Scope; sections: Record<string, unknown>; unreadable: { kind: string; reason: string }[] }
    | undefined;
  const named = new Map<string, Scope>();
  let done = 0;
  try {
    for await (const { section, seen, place } of readAll(reader, sections, context.config.concurrency, "all")) {
      task.update(++done);
      refuseTwice(named, section.scope, place?.id);
      if (current !== undefined && current.scope !== section.scope) {
        yield current;
        current = undefined;
      }
      current ??= { scope: section.scope, sections: {}, unreadable: [] };
      if ("unreadable" in seen) current.unreadable.push({ kind: section.kind.name, reason: seen.unreadable });
      else placeIn(current.sections, section.kind, exportSection(section, seen.live, documented));
    }
    if (current !== undefined) yield current;
  } finally {
    task.stop();
  }
}

/** Two names of one project or group would be two declarations of it. */
function refuseTwice(named: Map<string, Scope>, scope: Scope, id: number | undefined): void {
  if (id === undefined) return;
  const key = `${scope.at}:${id}`;
  const first = named.get(key) ?? scope;
  named.set(key, first);
  if (first !== scope) throw new UsageError(`${first.name} and ${scope.name} are the same ${scope.at}`);
}

function placeIn(sections: Record<string, unknown>, kind: Kind, value: unknown): void {
  if (kind.within === undefined) {
    const name = sectionName(kind);
    const held = sections[name];
    sections[name] = isObject(held) && isObject(value) ? { ...value, ...held } : value;
    return;
  }
  const outer = sections[kind.within];
  sections[kind.within] = { ...(isObject(outer) ? outer : {}), [kind.name]: value };
}

function exportSection({ kind, scope }: Section, live: readonly Live[], documented: boolean): unknown {
  if (kind.form === "record") {
    const values =
      kind === settingsKind
        ? exportSettings(live[0]?.values ?? {}, documented)
        : exportEntry(kind, live[0]?.values ?? {});
    return kind.bare === undefined ? values : values[kind.bare];
  }
  const managed = live.filter(({ values }) => kind.ignores?.(values, scope) !== true);
  const keys = managed.map(({ values }) => keyOf(kind, values));
  const entries = managed.map(({ values }, index) => {
    const key = keys[index] ?? "";
    if (kind.target !== undefined) return { key, value: targetOf(values) };
    const { id, ...entry } = exportEntry(kind, values);
    // Two entries of the same name need their IDs, and one whose key is not written.
    const isAmbiguous = kind.tie === undefined && keys.filter((each) => each === key).length > 1;
    const identified = isAmbiguous || (keyNames(kind, entry) ?? [""]).some((name) => isObject(entry[name]));
    return { key: tiedKey(kind, values), value: identified ? { id: values.id ?? id, ...entry } : entry };
  });
  return entries.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ value }) => value);
}

/** The path, or the ID with the name behind it. */
function targetOf({ id, path_with_namespace: path, web_url: address, name }: Values): unknown {
  const known = [groupPath(address), name].find((each) => typeof each === "string" && each !== "");
  return path ?? (typeof known === "string" && typeof id === "number" ? new Noted(id, known) : id);
}

/** The fields that can be written and read back, in the order of the kind. */
export function exportEntry(kind: Kind, live: Values): Values {
  const values = kind.condense?.(live) ?? live;
  const own = Object.entries(kind.fields).flatMap(([name, field]): [string, unknown][] => {
    const value = values[name];
    // Only the keys of headers can be read; without values they cannot be written again.
    if (field.readOnly || field.writeOnly || field.form === "keys" || isNothing(value) || holdsMask(value)) return [];
    if (holdsCredentials(value)) return [[name, environmentReference(`${kind.name}_${String(live.id ?? "")}_${name}`)]];
    return [[name, exportValue(field, value)]];
  });
  return Object.fromEntries(own);
}

/** A secret is written as the variable that gives it. */
function environmentReference(name: string): { env: string } {
  const variable = name.toUpperCase().replace(/\W+/g, "_");
  return { env: ownName(variable) ? `SETTING_${variable}` : variable };
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === "" || isMasked(value);
}

function exportValue(field: StateField, value: unknown): unknown {
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

function levelName({ levels = {} }: StateField, value: unknown): unknown {
  return Object.keys(levels).find((name) => levels[name] === value) ?? value;
}

/** The subject and the details that differ from their defaults. */
function exportRule({ item = {} }: StateField, rule: Values): Values {
  const subject = ["user_id", "group_id", "deploy_key_id", "access_level"].find((name) => !isNothing(rule[name]));
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

/** The ID of a user or a group, with the name behind it if the instance gives it. */
function named(name: string, value: unknown, { access_level_description: text }: Values): unknown {
  const isSubject = ["user_id", "group_id", "deploy_key_id"].includes(name);
  return isSubject && typeof value === "number" && typeof text === "string" && text !== ""
    ? new Noted(value, text)
    : value;
}

/**
 * Every setting that the instance answers, empty ones too: first the documented ones, in alphabetical order, then the
 * others. Of two names of one setting, the one in use. Secrets are references.
 */
export function exportSettings(live: Values, documented = false): Values {
  const shown = catalogue.filter(({ name, type, deprecated }) => {
    if (!Object.hasOwn(live, name) || (isLeftOut(name, live[name]) && isNothing(live[name]))) return false;
    // A switch that was never set has no value that a file could give.
    if (type === "boolean" && live[name] === null) return false;
    const successors = [...(deprecated?.use ?? []), predecessors[name] ?? ""];
    return !successors.some((successor) => findSetting(successor) !== undefined && successor in live);
  });
  const others = documented ? [] : undocumentedIn(live);
  return Object.fromEntries([
    ...shown.map(({ name }) => [name, exportSetting(name, live[name])] as const),
    ...(others.length > 0 ? [["", new Remark("returned by the instance, not in the API documents")] as const] : []),
    ...others.map((name) => [name, exportSetting(name, live[name])] as const),
  ]);
}

/** Settings that the documents do not name, in alphabetical order; without those that the instance sets itself. */
export function undocumentedIn(live: Values): string[] {
  const isSet = (name: string) => recordFields.includes(name) || /_(?:at|html)$/.test(name);
  const names = Object.keys(live).filter((name) => findSetting(name) === undefined && !isSet(name));
  return names.filter((name) => live[name] !== null && !(isLeftOut(name, live[name]) && isNothing(live[name]))).sort();
}

function exportSetting(name: string, value: unknown): unknown {
  const field = fieldOf(settingsKind, name);
  if (isLeftOut(name, value)) return environmentReference(name);
  if (value !== null) return exportValue(field, value);
  return empty[field.form] ?? null;
}

const empty: Partial<Record<StateField["form"], unknown>> = {
  text: "",
  addresses: "",
  names: [],
  domains: [],
  list: [],
  hash: {},
};

/** Whether a value is a secret, a masked one, or contains one: the credentials in an address. */
export function isLeftOut(name: string, value: unknown): boolean {
  return fieldOf(settingsKind, name).writeOnly === true || holdsMask(value) || holdsCredentials(value);
}
