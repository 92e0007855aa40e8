import { isObject } from "../base/is-object.ts";
import { hideSecrets, holdsMask, isMasked } from "../base/secrets.ts";
import type { Context } from "../context.ts";
import { settings as catalogue, findSetting } from "../settings/catalogue.ts";
import {
  fieldOf,
  type Kind,
  keyOf,
  type Live,
  type Scope,
  type Section,
  type StateField,
  type Values,
} from "./kind.ts";
import { kindsAt } from "./kinds/index.ts";
import { predecessors, settingsKind } from "./kinds/settings.ts";
import { normal, subjectOf } from "./normal.ts";
import { readAll, readerOf } from "./reader.ts";

/** The content of a scope, in state file format. */
export interface Exported {
  readonly scope: Scope;
  /** Sections by name; the allowlists are within `job_token_scope`. */
  readonly sections: Record<string, unknown>;
  /** Kinds that could not be read, and why. */
  readonly unreadable: readonly { readonly kind: string; readonly reason: string }[];
}

/** Reads the scopes concurrently and yields them in the given order, with only the fields that apply can write. */
export async function* exportScopes(
  context: Context,
  scopes: readonly Scope[],
  only: readonly string[] | undefined,
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
  let done = 0;
  try {
    for await (const { section, seen } of readAll(reader, sections, context.config.concurrency, "all")) {
      task.update(++done);
      if (current !== undefined && current.scope !== section.scope) {
        yield current;
        current = undefined;
      }
      current ??= { scope: section.scope, sections: {}, unreadable: [] };
      if ("unreadable" in seen) current.unreadable.push({ kind: section.kind.name, reason: seen.unreadable });
      else place(current.sections, section.kind, exportSection(section, seen.live));
    }
    if (current !== undefined) yield current;
  } finally {
    task.stop();
  }
}

function place(sections: Record<string, unknown>, kind: Kind, value: unknown): void {
  if (kind.within === undefined) {
    const held = sections[kind.name];
    sections[kind.name] = isObject(held) && isObject(value) ? { ...value, ...held } : value;
    return;
  }
  const outer = sections[kind.within];
  sections[kind.within] = { ...(isObject(outer) ? outer : {}), [kind.name]: value };
}

function exportSection({ kind, scope }: Section, live: readonly Live[]): unknown {
  if (kind.form === "record") {
    const values =
      kind === settingsKind ? exportSettings(live[0]?.values ?? {}) : exportEntry(kind, live[0]?.values ?? {});
    return kind.bare === undefined ? values : values[kind.bare];
  }
  const managed = live.filter(({ values }) => kind.ignores?.(values, scope) !== true);
  const keys = managed.map(({ values }) => keyOf(kind, values));
  const entries = managed.map(({ values }, index) => {
    const key = keys[index] ?? "";
    if (kind.target !== undefined) return { key, value: values.path_with_namespace ?? values.id };
    const { id, ...entry } = exportEntry(kind, values);
    // Two entries of the same name need their IDs.
    const ambiguous = keys.filter((each) => each === key).length > 1;
    return { key, value: ambiguous ? { id: values.id ?? id, ...entry } : entry };
  });
  return entries.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ value }) => value);
}

/** The fields that can be written and read back, in the order of the kind. */
export function exportEntry(kind: Kind, live: Values): Values {
  const values = kind.condense?.(live) ?? live;
  const own = Object.entries(kind.fields).flatMap(([name, field]): [string, unknown][] => {
    const value = values[name];
    // Only the keys of headers can be read; without values they cannot be written again.
    if (field.readOnly || field.writeOnly || field.form === "keys" || isNothing(value) || holdsMask(value)) return [];
    return [[name, exportValue(field, value)]];
  });
  return Object.fromEntries(own);
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
  const subject = ["user_id", "group_id", "access_level"].find((name) => !isNothing(rule[name]));
  return Object.fromEntries(
    Object.entries(item)
      .filter(
        ([name, field]) =>
          !field.readOnly &&
          (name === subject || (field.absent !== undefined && normal(field, rule[name]) !== field.absent)),
      )
      .filter(([name]) => !isNothing(rule[name]))
      .map(([name, field]) => [name, exportValue(field, rule[name])]),
  );
}

/** Documented settings in alphabetical order; deprecated ones are left out if their successor is present. */
export function exportSettings(live: Values): Values {
  const shown = catalogue.filter(({ name, deprecated }) => {
    if (isLeftOut(name, live[name]) || isNothing(live[name])) return false;
    const successors = [...(deprecated?.use ?? []), ...(predecessors[name] ?? [])];
    return !successors.some((successor) => findSetting(successor) !== undefined && successor in live);
  });
  return Object.fromEntries(shown.map(({ name }) => [name, exportValue(fieldOf(settingsKind, name), live[name])]));
}

/** Whether a value is a secret, a masked one, or contains one: the credentials in an address. */
export function isLeftOut(name: string, value: unknown): boolean {
  return fieldOf(settingsKind, name).writeOnly === true || holdsMask(value) || hideSecrets(value) !== value;
}
