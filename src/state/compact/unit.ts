import { isObject } from "../../base/is-object.ts";
import type { Exported } from "../export/export.ts";
import { canonical } from "../fields/normal.ts";
import { sectionName } from "../keys.ts";
import type { At, Kind, Scope } from "../kind.ts";
import { kindsAt } from "../kinds/index.ts";
import { Commented } from "../yaml/yaml-comment.ts";

/** What is decided apart from the rest: a list, or one field of a record. */
export interface Unit {
  readonly name: string;
  readonly kind: Kind;
  /** Undefined for a list. */
  readonly field: string | undefined;
}

/** A value of an export, with a text that equal values share whatever their order. */
export interface Value {
  readonly value: unknown;
  readonly text: string;
  /** The entries of a list by their texts, in the order of the export; undefined for a field. */
  readonly entries: ReadonlyMap<string, unknown> | undefined;
}

/** What a scope has of a unit. One that is not declared must not inherit anything, and cannot say so either. */
export type Held = Value | "unreadable" | "undeclared";

/** The units of the kinds of a scope, as far as any of the scopes has them. */
export function unitsOf(at: At, exported: readonly Exported[]): Unit[] {
  return kindsAt(at).flatMap((kind): Unit[] => {
    if (kind.form === "list") return [{ name: kind.name, kind, field: undefined }];
    const names = new Set(exported.flatMap(({ sections }) => Object.keys(recordOf(kind, sections))));
    const ordered = Object.keys(kind.fields).filter((name) => names.has(name));
    return ordered.map((field) => ({ name: `${kind.name}.${field}`, kind, field }));
  });
}

/** What a scope of an export has of a unit. */
export function heldOf({ kind, field }: Unit, { scope, sections, unreadable }: Exported): Held {
  const isUnread = ({ name }: Kind) => unreadable.some((each) => each.kind === name);
  if (isUnread(kind)) {
    // The word for a whole section would be for the lists within it too.
    const inner = kindsAt(scope.at).filter(({ within }) => within === kind.name);
    return inner.every(isUnread) ? "unreadable" : "undeclared";
  }
  if (field !== undefined) {
    const record = recordOf(kind, sections);
    return Object.hasOwn(record, field) ? valueOf(record[field]) : "undeclared";
  }
  const outer = kind.within === undefined ? sections : sections[kind.within];
  const list = isObject(outer) ? outer[sectionName(kind)] : undefined;
  return Array.isArray(list) ? listValue(list) : "undeclared";
}

function recordOf({ name, bare }: Kind, sections: Exported["sections"]): Record<string, unknown> {
  const section = sections[name];
  if (section === undefined) return {};
  if (bare !== undefined) return { [bare]: section };
  return isObject(section) ? section : {};
}

function valueOf(value: unknown): Value {
  return { value, text: canonical(bareOf(value)), entries: undefined };
}

export function listValue(list: readonly unknown[]): Value {
  const entries = new Map(list.map((entry) => [canonical(bareOf(entry)), entry]));
  return { value: list, text: [...entries.keys()].sort().join("\n"), entries };
}

/** Without the comments. */
function bareOf(value: unknown): unknown {
  if (value instanceof Commented) return value.value;
  if (Array.isArray(value)) return value.map(bareOf);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, bareOf(each)]));
}

/** Whether an entry, or the value of a field, can be that of several scopes: without its own ID, and no secret. */
export function isCommon({ kind }: Unit, value: unknown): boolean {
  const isOwn = kind.target === undefined && isObject(value) && "id" in value;
  return !isOwn && !holdsReference(value) && !hasSecrets(kind) && kind.spreads === undefined;
}

/** An export does not show secrets, so entries that look equal may not be. */
function hasSecrets({ fields }: Kind): boolean {
  return Object.values(fields).some(
    ({ secret, item }) => secret || Object.values(item ?? {}).some((each) => each.secret),
  );
}

function holdsReference(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsReference);
  if (!isObject(value)) return false;
  return "env" in value || "file" in value || Object.values(value).some(holdsReference);
}

/** What a scope has of a declared value: a project is never on its own allowlist. */
export function takenBy({ kind }: Unit, declared: Value | undefined, scope: Scope): Value | undefined {
  if (declared?.entries === undefined || kind.target !== scope.at) return declared;
  const names = [scope.name.toLowerCase(), ...(scope.id === undefined ? [] : [String(scope.id)])];
  const others = [...declared.entries.values()].filter((entry) => !names.includes(String(bareOf(entry)).toLowerCase()));
  return others.length === declared.entries.size ? declared : listValue(others);
}

/** Whether a list has all entries of another. */
export function contains(list: Value, part: Value): boolean {
  if (list.entries === undefined || part.entries === undefined) return false;
  const { entries } = list;
  return [...part.entries.keys()].every((text) => entries.has(text));
}
