import { hideInAddresses } from "../../base/secrets.ts";
import { hideCredentials } from "../fields/secrecy.ts";
import type { Origin } from "../finding.ts";
import { declaredKey, keyOf, referenceText } from "../keys.ts";
import {
  type Declared as Entry,
  fieldOf,
  isReference,
  type Kind,
  type Scope,
  type Section,
  type Values,
} from "../kind.ts";
import { kindsAt } from "../kinds/index.ts";
import { Declared } from "../patterns/layers.ts";
import { merge } from "../patterns/merge.ts";

/** One value of a scope's declaration, and where it comes from. */
export interface ExplainedValue {
  /** `error_tracking.active`, `protected_environments/production`. */
  readonly path: string;
  readonly value: unknown;
  readonly file: string;
  readonly line: number;
  /** Null if it is declared for this scope itself. */
  readonly pattern: string | null;
  readonly status: "effective" | "overruled" | "unmanaged";
}

/** The effective declaration of a scope by its path, and what other declarations it overrules. */
export function explain(sections: readonly Section[], scope: Scope, names: readonly string[]): ExplainedValue[] {
  const declared = new Declared(sections);
  const exact = [...new Set(names)].flatMap((name) => declared.exact(scope.at, name));
  const layers = declared.layers(scope.at, scope.name, exact);
  return kindsAt(scope.at).flatMap((kind) => explainKind(scope, kind, layers.get(kind) ?? []));
}

function explainKind(scope: Scope, kind: Kind, layers: readonly Section[]): ExplainedValue[] {
  const row = (path: string, value: unknown, { file, line, pattern }: Origin, status: ExplainedValue["status"]) => ({
    path,
    value,
    file,
    line,
    pattern: pattern ?? null,
    status,
  });
  const { section, overruled } = merge(scope, kind, layers);
  const rows =
    section === undefined
      ? []
      : valuesOf(section).map(({ path, value, origin }) => row(path, value, origin, "effective"));
  const [stop] = layers.filter(({ unmanaged }) => unmanaged);
  if (stop !== undefined) rows.push(row(kind.name, "unmanaged", stop.origin, "unmanaged"));
  const lost = overruled.map(({ path, value, origin }) =>
    kind.form === "list"
      ? row(`${kind.name}/${hideInAddresses(path)}`, shownEntry(kind, value as Values), origin, "overruled")
      : row(fieldPath(kind, path), shown(kind, path, value), origin, "overruled"),
  );
  return [...rows, ...lost];
}

function valuesOf({ kind, entries, origin }: Section): { path: string; value: unknown; origin: Origin }[] {
  if (kind.form === "list") {
    if (entries.length === 0) return [{ path: kind.name, value: [], origin }];
    return entries.map((entry) => ({
      path: `${kind.name}/${hideInAddresses(keyText(kind, entry))}`,
      value: shownEntry(kind, entry.values),
      origin: entry.origin,
    }));
  }
  return entries.flatMap(({ values, places, origin: own }) =>
    Object.entries(values).map(([name, value]) => ({
      path: fieldPath(kind, name),
      value: shown(kind, name, value),
      origin: places?.[name] ?? own,
    })),
  );
}

function keyText(kind: Kind, { values }: Entry): string {
  return kind.target === undefined
    ? keyOf(kind, values) || declaredKey(kind, values)
    : String(values.path ?? values.id);
}

function fieldPath(kind: Kind, name: string): string {
  return kind.bare === name ? kind.name : `${kind.name}.${name}`;
}

function shownEntry(kind: Kind, values: Values): unknown {
  if (kind.target !== undefined) return values.path ?? values.id;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shown(kind, name, value)]));
}

/** Secrets as their references, or not at all. */
function shown(kind: Kind, name: string, value: unknown): unknown {
  const field = fieldOf(kind, name);
  if (isReference(value)) return referenceText(value);
  if (field.form === "keys" && Array.isArray(value)) return value.map(({ key }: Values) => ({ key }));
  return field.secret ? "(secret)" : hideCredentials(value);
}
