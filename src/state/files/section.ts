import { ownValue } from "../../base/own-value.ts";
import { hideInAddresses } from "../../base/secrets.ts";
import { bare, readFields, readValue } from "../fields/field-value.ts";
import { at, originOf, type Spot } from "../fields/spot.ts";
import { describe } from "../fields/value-words.ts";
import { type Origin, originText } from "../finding.ts";
import { declaredKey, isGiven, namesItsId, tiedKey } from "../keys.ts";
import type { Declared, Kind, Scope, Section, Values } from "../kind.ts";
import { kindsAt } from "../kinds/index.ts";
import { ownForms } from "../kinds/own-forms.ts";
import type { Mapping, Sequence, Tree } from "../yaml/tree.ts";

type Add = (section: Section) => void;

/** Reads one section of a scope, and the lists within it. Invalid parts are reported and left out. */
export function readSection(tree: Tree, kind: Kind, scope: Scope, place: Spot, add: Add): void {
  const spot = { ...place, kind: kind.name };
  const origin = originOf(spot, tree);
  if (tree.kind === "scalar" && tree.value === "unmanaged" && scope.at !== "instance") {
    const inner = kindsAt(scope.at).filter(({ within }) => within === kind.name);
    for (const each of [kind, ...inner]) add({ scope, kind: each, entries: [], origin, unmanaged: true });
    return;
  }
  if (tree.kind === "scalar" && tree.value === null) {
    spot.nulls.push({ scope, kind, origin, path: spot.path });
    return;
  }
  const problem = formProblem(tree, kind);
  if (problem !== undefined) {
    spot.findings.error(origin, spot.path, problem.message, problem.hint);
    return;
  }
  if (kind.form === "list") {
    const { entries, inherits } = readEntries(tree as Sequence, kind, spot);
    add({ scope, kind, entries, origin, ...(inherits && { inherits }) });
    return;
  }
  const entries = readRecord(tree, kind, scope, spot, add);
  if (entries.length > 0) add({ scope, kind, entries, origin });
}

function formProblem(tree: Tree, kind: Kind): { message: string; hint?: string } | undefined {
  const list = kind.form === "list";
  if (list) return tree.kind === "sequence" ? undefined : { message: `must be a list, not ${describe(tree)}` };
  if (tree.kind === "mapping" || kind.bare !== undefined) return undefined;
  return { message: `must be a mapping, not ${describe(tree)}` };
}

function readEntries(tree: Sequence, kind: Kind, spot: Spot): { entries: Declared[]; inherits?: true } {
  const { items } = tree;
  const [first] = items;
  const inherits = first !== undefined && isInherit(first);
  const entries = items.flatMap((item, index) => {
    const here = at(spot, index);
    if (!isInherit(item)) return readEntry(item, kind, here) ?? [];
    if (index > 0) here.findings.error(originOf(here, item), here.path, "inherit is the first entry");
    return [];
  });
  for (const { origin } of inherits ? [] : entries.filter(({ absent }) => absent)) {
    spot.findings.error(origin, spot.path, "nothing is inherited here: leave the entry out", "or begin with inherit");
  }
  refuseRepeated(entries, kind, spot);
  return { entries, ...(inherits && { inherits }) };
}

function isInherit(tree: Tree): boolean {
  return tree.kind === "scalar" && tree.value === "inherit";
}

/** The one record of a section, if it declares anything itself. */
function readRecord(tree: Tree, kind: Kind, scope: Scope, spot: Spot, add: Add): Declared[] {
  const places: Record<string, Origin> = {};
  const values =
    tree.kind === "mapping" ? readMapping(tree, { kind, scope, places }, spot, add) : readBare(tree, kind, spot);
  return Object.keys(values).length === 0 ? [] : [{ values, origin: originOf(spot, tree), places }];
}

function readBare(tree: Tree, { bare: name = "", fields }: Kind, spot: Spot): Values {
  const value = readValue(tree, ownValue(fields, name) ?? { form: "json" }, spot);
  return value === undefined ? {} : { [name]: value };
}

/** A record, and the lists within it. */
function readMapping(
  tree: Mapping,
  { kind, scope, places }: Pick<Section, "kind" | "scope"> & { places: Record<string, Origin> },
  spot: Spot,
  add: Add,
): Values {
  const form = ownForms.get(kind);
  if (form !== undefined) return form.read(tree, places, spot);
  const inner = kindsAt(scope.at).filter(({ within }) => within === kind.name);
  const { line, entries } = tree;
  const own = new Map([...entries].filter(([key]) => !inner.some(({ name }) => name === key)));
  for (const each of inner) {
    const entry = entries.get(each.name);
    if (entry !== undefined) readSection(entry.value, each, scope, at(spot, each.name), add);
  }
  return readFields({ kind: "mapping", line, entries: own }, kind.fields, spot, {
    ...(kind.writeNames && { write: kind.writeNames }),
    partial: true,
    places,
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
  const { entries, ...rest } = tree;
  const absent = entries.get("absent");
  if (absent !== undefined && (absent.value.kind !== "scalar" || absent.value.value !== true)) {
    spot.findings.error(originOf(spot, absent), at(spot, "absent").path, "must be true", "or leave it out");
  }
  const own: Mapping = { ...rest, entries: new Map([...entries].filter(([name]) => name !== "absent")) };
  const entry =
    kind.target === undefined ? readObject(own, kind, spot, absent !== undefined) : readTarget(own, kind, spot);
  return entry === undefined || absent === undefined ? entry : { ...entry, absent: true };
}

/** What an entry has besides its ID or its path does not count: it may be of another one. */
function passOverBeside(key: string, entries: Mapping["entries"], at: { line: number }, spot: Spot): void {
  const names = [...entries.keys()].filter((name) => name !== key);
  if (names.length === 0) return;
  const origin = originOf(spot, at);
  if (!spot.strict) spot.findings.passOver(origin, spot.kind, names);
  else spot.findings.error(origin, spot.path, `${names.join(", ")}: set by the instance`, "leave it out");
}

/** An entry of an allowlist, perhaps copied from the list's output: only its ID counts, or its path. */
function readTarget({ line, entries }: Mapping, kind: Kind, spot: Spot): Declared | undefined {
  const origin = originOf(spot, { line });
  const [id, path] = [entries.get("id"), entries.get("path")];
  const read = id === undefined ? undefined : readValue(id.value, { form: "id" }, at(spot, "id"));
  if (typeof read === "number") {
    passOverBeside("id", entries, { line }, spot);
    return { values: { id: read }, origin };
  }
  if (id !== undefined) return undefined;
  const text = path === undefined ? undefined : bare(path.value);
  if (typeof text === "string" && text !== "") {
    passOverBeside("path", entries, { line }, spot);
    return { values: { path: text }, origin };
  }
  const name = Object.keys(kind.writeNames ?? {}).find((each) => entries.has(each));
  if (name !== undefined)
    spot.findings.error(origin, at(spot, name).path, "is the name in requests; in files it is id");
  else spot.findings.error(origin, spot.path, "id is missing");
  return undefined;
}

/** An entry with fields; of one that is absent only those that identify it. */
function readObject(tree: Mapping, kind: Kind, spot: Spot, absent: boolean): Declared {
  const origin = originOf(spot, tree);
  const identifying = [...kind.keys.flat(), kind.tie];
  const fields = absent
    ? Object.fromEntries(Object.entries(kind.fields).filter(([name]) => identifying.includes(name)))
    : kind.fields;
  const places: Record<string, Origin> = {};
  const before = spot.findings.errorCount;
  const values = readFields(tree, fields, spot, {
    ...(kind.writeNames && { write: kind.writeNames }),
    ...(kind.fieldOf && !absent && { more: kind.fieldOf }),
    partial: absent,
    places,
  });
  if (spot.pattern !== undefined && kind.fields.id !== undefined && values.id !== undefined) {
    spot.findings.error(places.id ?? origin, at(spot, "id").path, idsAreOne(kind));
  }
  checkKey(values, kind, spot.findings.errorCount > before, { ...spot, origin });
  return { values, origin, places };
}

function idsAreOne({ at: of, keys }: Kind): string {
  return `an id is of one ${of}; under a pattern give ${keys[0]?.join(" and ")}`;
}

/** @param reported whether a problem with the entry itself, or with the fields that identify it, has been reported */
function checkKey(values: Values, kind: Kind, reported: boolean, { origin, ...spot }: Spot & { origin: Origin }): void {
  const given = kind.keys.filter((names) => names.every((name) => isGiven(values[name])));
  const identities = [...new Set(kind.keys.map((names) => names.at(-1)))];
  if (given.length === 0 && !reported) {
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
      spot.findings.error(
        origin,
        spot.path,
        `"${hideInAddresses(key)}" is already in ${originText(first)}`,
        "leave one out",
      );
    }
    seen.set(key, origin);
  }
}
