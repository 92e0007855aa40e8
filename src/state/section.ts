import { findSetting } from "../settings/catalogue.ts";
import { validateSettings } from "../settings/validate.ts";
import {
  at,
  bare,
  originOf,
  readFields,
  readReference,
  readValue,
  refusePlainSecret,
  type Spot,
} from "./field-value.ts";
import { type Finding, type Origin, originText } from "./finding.ts";
import { declaredKey, isGiven, namesItsId, tiedKey } from "./keys.ts";
import type { Declared, Kind, Scope, Section, Values } from "./kind.ts";
import { kindsAt } from "./kinds/index.ts";
import { predecessors, settingField, settingsKind } from "./kinds/settings.ts";
import { canonical } from "./normal.ts";
import type { Mapping, Sequence, Tree } from "./tree.ts";
import { describe } from "./value-words.ts";

type Add = (section: Section) => void;

/** Reads one section of a scope, and the lists within it. Invalid parts are reported and left out. */
export function readSection(tree: Tree, kind: Kind, scope: Scope, place: Spot, add: Add): void {
  const spot = { ...place, kind: kind.name };
  const problem = formProblem(tree, kind);
  if (problem !== undefined) {
    spot.findings.error(originOf(spot, tree), spot.path, problem.message, problem.hint);
    return;
  }
  const origin = originOf(spot, tree);
  const entries =
    kind.form === "list" ? readEntries(tree as Sequence, kind, spot) : readRecord(tree, kind, scope, spot, add);
  if (kind.form === "list" || entries.length > 0) add({ scope, kind, entries, origin });
}

function formProblem(tree: Tree, kind: Kind): { message: string; hint?: string } | undefined {
  const list = kind.form === "list";
  if (tree.kind === "scalar" && tree.value === null) {
    return { message: "is null", hint: list ? "write [] for none, or leave it out" : "leave it out" };
  }
  if (list) return tree.kind === "sequence" ? undefined : { message: `must be a list, not ${describe(tree)}` };
  if (tree.kind === "mapping" || kind.bare !== undefined) return undefined;
  return { message: `must be a mapping, not ${describe(tree)}` };
}

function readEntries(tree: Sequence, kind: Kind, spot: Spot): Declared[] {
  const entries = tree.items.flatMap((item, index) => readEntry(item, kind, at(spot, index)) ?? []);
  refuseRepeated(entries, kind, spot);
  return entries;
}

/** The one record of a section, if it declares anything itself. */
function readRecord(tree: Tree, kind: Kind, scope: Scope, spot: Spot, add: Add): Declared[] {
  const values = tree.kind === "mapping" ? readMapping(tree, kind, scope, spot, add) : readBare(tree, kind, spot);
  return Object.keys(values).length === 0 ? [] : [{ values, origin: originOf(spot, tree) }];
}

function readBare(tree: Tree, { bare: name = "", fields }: Kind, spot: Spot): Values {
  const value = readValue(tree, fields[name] ?? { form: "json" }, spot);
  return value === undefined ? {} : { [name]: value };
}

/** A record, and the lists within it. */
function readMapping(tree: Mapping, kind: Kind, scope: Scope, spot: Spot, add: Add): Values {
  if (kind === settingsKind) return readSettings(tree, spot);
  const inner = kindsAt(scope.at).filter(({ within }) => within === kind.name);
  const { kind: form, line, entries } = tree;
  const own = new Map([...entries].filter(([key]) => !inner.some(({ name }) => name === key)));
  for (const each of inner) {
    const entry = entries.get(each.name);
    if (entry !== undefined) readSection(entry.value, each, scope, at(spot, each.name), add);
  }
  return readFields({ kind: form, line, entries: own }, kind.fields, spot, {
    ...(kind.writeNames && { write: kind.writeNames }),
  });
}

/** Settings are validated by the catalogue, which has more rules than a field. */
function readSettings(tree: Mapping, spot: Spot): Values {
  const { findings, strict, file } = spot;
  const values: Record<string, unknown> = {};
  const written: Record<string, unknown> = {};
  const { entries } = tree;
  for (const [name, { value }] of entries) {
    const here = at(spot, name);
    const isText = ["text", "addresses"].includes(settingField(name).form) || settingsKind.fields[name] === undefined;
    const reference = isText ? readReference(value, here) : undefined;
    if (reference !== undefined) values[name] = reference;
    else {
      values[name] = bare(value);
      // Null is what an instance answers for a value that was never set.
      const type = findSetting(name)?.type;
      if (values[name] !== null || type === undefined || type === "boolean") written[name] = values[name];
      refusePlainSecret(value, settingField(name), here);
    }
  }
  for (const { setting, severity, message, hint } of validateSettings(written, { strict, alone: true })) {
    const line = entries.get(setting)?.line ?? tree.line;
    const place = at(spot, setting).path;
    if (severity === "error") findings.error({ file, line }, place, message, hint);
    else findings.warn({ file, line }, place, message, hint);
  }
  for (const name of oneOfTwins(tree, values, spot)) delete values[name];
  for (const name of ["id", "created_at", "updated_at"]) delete values[name];
  return values;
}

/**
 * The old names among settings that are given under both names. Two values would be written in turns, so they must be
 * equal.
 */
function oneOfTwins({ entries }: Mapping, values: Values, spot: Spot): string[] {
  return Object.entries(predecessors).flatMap(([old, successor]) => {
    const entry = entries.get(old);
    if (entry === undefined || !entries.has(successor)) return [];
    const here = { file: spot.file, line: entry.line };
    const isSame = findSetting(old)?.sameAs !== undefined && canonical(values[old]) === canonical(values[successor]);
    const words = `${findSetting(old)?.deprecated === undefined ? "is the old name of" : "is deprecated: it is replaced by"} ${successor}, which is in the file too`;
    if (isSame) spot.findings.warn(here, at(spot, old).path, words, "leave it out");
    else spot.findings.error(here, at(spot, old).path, words, "leave it out");
    return [old];
  });
}

function readEntry(tree: Tree, kind: Kind, spot: Spot): Declared | undefined {
  const origin = originOf(spot, tree);
  if (kind.target !== undefined && tree.kind === "scalar") {
    const { value } = tree;
    if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return { values: { id: value }, origin };
    if (typeof value === "string" && /^\d+$/.test(value)) return { values: { id: Number(value) }, origin };
    if (typeof value === "string" && value !== "") return { values: { path: value }, origin };
    spot.findings.error(origin, spot.path, `must be the ID or the path of a ${kind.target}, not ${describe(tree)}`);
    return undefined;
  }
  if (tree.kind !== "mapping") {
    spot.findings.error(origin, spot.path, `must be a mapping, not ${describe(tree)}`);
    return undefined;
  }
  if (kind.target !== undefined) {
    // An entry copied from the list's output: only its ID counts.
    const { entries } = tree;
    const id = entries.get("id");
    const read = id === undefined ? undefined : readValue(id.value, { form: "id" }, at(spot, "id"));
    if (typeof read === "number") return { values: { id: read }, origin };
    const name = Object.keys(kind.writeNames ?? {}).find((each) => entries.has(each));
    if (name !== undefined)
      spot.findings.error(origin, at(spot, name).path, "is the name in requests; in files it is id");
    else if (id === undefined) spot.findings.error(origin, spot.path, "id is missing");
    return undefined;
  }
  const values = readFields(tree, kind.fields, spot, {
    ...(kind.writeNames && { write: kind.writeNames }),
    ...(kind.fieldOf && { more: kind.fieldOf }),
  });
  checkKey(values, kind, origin, spot);
  return { values, origin };
}

function checkKey(values: Values, kind: Kind, origin: Origin, spot: Spot): void {
  const given = kind.keys.filter((names) => names.every((name) => isGiven(values[name])));
  const identities = [...new Set(kind.keys.map((names) => names.at(-1)))];
  // A problem with the entry itself, or with the fields that identify it, has already been reported.
  const reported = ({ file, path }: Finding) =>
    file === spot.file && (path === spot.path || path.startsWith(`${spot.path}.`));
  if (given.length === 0 && !spot.findings.errors.some(reported)) {
    spot.findings.error(origin, spot.path, `cannot be identified: ${identities.join(" or ")} is missing`);
  }
  if (kind.exclusive && given.length > 1) {
    spot.findings.error(origin, spot.path, `has both ${identities.join(" and ")}`, "write two, or leave one out");
  }
}

/** Refuses two entries with the same key: the second would overwrite the first. */
function refuseRepeated(entries: readonly Declared[], kind: Kind, spot: Spot): void {
  const seen = new Map<string, Origin>();
  for (const { values, origin } of entries) {
    const key = namesItsId(kind, values) ? declaredKey(kind, values) : tiedKey(kind, values);
    const first = seen.get(key);
    if (first !== undefined) {
      spot.findings.error(origin, spot.path, `"${key}" is already in ${originText(first)}`, "leave one out");
    }
    seen.set(key, origin);
  }
}
