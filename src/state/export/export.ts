import { compareTexts } from "../../base/compare-texts.ts";
import { UsageError } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import type { Context } from "../../context.ts";
import { exportEntry } from "../fields/export-value.ts";
import { groupPath } from "../keep.ts";
import { keyNames, keyOf, sectionName, tiedKey } from "../keys.ts";
import type { Kind, Live, Scope, Section, Values } from "../kind.ts";
import { kindsAt } from "../kinds/index.ts";
import { ownForms } from "../kinds/own-forms.ts";
import { readerOf, readSections } from "../live/reader.ts";
import { Commented } from "../yaml/yaml-comment.ts";

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
  const reader = readerOf(context.api, context.config);
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
    for await (const { section, seen, place } of readSections(reader, sections, "all")) {
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
    sections[sectionName(kind)] = value;
    return;
  }
  const outer = sections[kind.within];
  sections[kind.within] = { ...(isObject(outer) ? outer : {}), [kind.name]: value };
}

function exportSection({ kind, scope }: Section, live: readonly Live[], documented: boolean): unknown {
  if (kind.form === "record") {
    const values =
      ownForms.get(kind)?.exported(live[0]?.values ?? {}, documented) ?? exportEntry(kind, live[0]?.values ?? {});
    return kind.bare === undefined ? values : values[kind.bare];
  }
  const managed = live.filter(({ values }) => kind.ignores?.(values, scope) !== true);
  const keys = managed.map(({ values }) => keyOf(kind, values));
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const entries = managed.map(({ values }, index) => {
    const key = keys[index] ?? "";
    if (kind.target !== undefined) return { key, value: targetOf(values) };
    const { id: _, ...entry } = exportEntry(kind, values);
    // Two entries of the same name need their IDs, and one whose key is not written.
    const isAmbiguous = kind.tie === undefined && (counts.get(key) ?? 0) > 1;
    const isIdentified = kind.fields.id !== undefined && (isAmbiguous || !isKeyWritten(kind, entry));
    return { key: tiedKey(kind, values), value: isIdentified ? { id: values.id, ...entry } : entry };
  });
  return entries.sort((a, b) => compareTexts(a.key, b.key)).map(({ value }) => value);
}

/** Whether an entry has its key, in words: one that is secret is left out, or a reference. */
function isKeyWritten(kind: Kind, entry: Values): boolean {
  return keyNames(kind, entry)?.some((name) => isObject(entry[name])) === false;
}

/** The path, or the ID with the name behind it. */
function targetOf({ id, path_with_namespace: path, web_url: address, name }: Values): unknown {
  const known = [groupPath(address), name].find((each) => typeof each === "string" && each !== "");
  return path ?? (typeof known === "string" && typeof id === "number" ? new Commented(id, known) : id);
}
