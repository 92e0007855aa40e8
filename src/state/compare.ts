import { holdsMask, isMasked } from "../base/secrets.ts";
import {
  type Caller,
  type Change,
  type Declared,
  declaredKey,
  type FieldChange,
  isGiven,
  isReference,
  type Kind,
  keyOf,
  type Live,
  namesItsId,
  type Section,
  type StateField,
  type Values,
} from "./kind.ts";
import { settingField, settingsKind } from "./kinds/settings.ts";
import { canonical, normal, sameState, writableRule } from "./normal.ts";

export interface CompareOptions {
  /** Removes entries that are not in the file. */
  readonly prune: boolean;
  /** Fields that cannot be read back: `always` sends them in any case, `never` not at all. */
  readonly secrets: "auto" | "always" | "never";
  readonly keep: (kind: Kind, key: string) => boolean;
  readonly caller: Caller | undefined;
  /** Declared entries that name something that was not found, with that name. */
  readonly unknown: ReadonlyMap<Declared, string>;
}

export interface Compared {
  readonly changes: Change[];
  /** Objects that are as declared. */
  readonly equal: number;
  /** Two live objects share a key, so the declared entry is ambiguous. */
  readonly ambiguous: readonly { readonly entry: Declared; readonly key: string; readonly ids: readonly unknown[] }[];
}

/** Computes the changes from live to declared objects, without requests. */
export function compareSection(section: Section, live: readonly Live[], options: CompareOptions): Compared {
  const { pairs, left, ambiguous } = match(section, live);
  const changes: Change[] = [];
  let equal = 0;
  for (const { entry, held } of pairs) {
    // Ignored: a project's own entry in its allowlist.
    if (section.kind.target !== undefined && held && section.kind.ignores?.(held.values, section.scope)) continue;
    const change = compareEntry(section, entry, held, options);
    if (change.length === 0) equal += 1;
    changes.push(...change);
  }
  if (section.kind.form === "list") {
    for (const each of left) {
      const { kind, scope } = section;
      const key = keyOf(kind, each.values);
      if (kind.ignores?.(each.values, scope) || options.keep(kind, key)) continue;
      changes.push(extra(section, each, key, options));
    }
  }
  return { changes, equal, ambiguous };
}

interface Matched {
  pairs: { entry: Declared; held: Live | undefined }[];
  left: Live[];
  ambiguous: Compared["ambiguous"];
}

/** Matches by explicit ID, then by key, then by a field that is unique among the rest on both sides. */
function match({ kind, entries }: Section, live: readonly Live[]): Matched {
  if (kind.form === "record") {
    return { pairs: entries.map((entry) => ({ entry, held: live[0] })), left: [], ambiguous: [] };
  }
  const left = [...live];
  const held = new Map<Declared, Live>();
  const ambiguous: { entry: Declared; key: string; ids: unknown[] }[] = [];
  const take = (entry: Declared, found: readonly Live[]) => {
    const [first] = found;
    if (first === undefined) return;
    if (found.length > 1) {
      ambiguous.push({ entry, key: declaredKey(kind, entry.values), ids: found.map(({ values }) => values.id) });
    }
    held.set(entry, first);
    left.splice(left.indexOf(first), 1);
  };
  const [named, others] = partition(entries, ({ values }) => namesItsId(kind, values));
  for (const entry of named) {
    const same = (each: Live) => each.values.id === entry.values.id;
    take(entry, left.filter(same));
  }
  // The stronger key first, so that an entry known only by its URL does not match one with a name.
  for (const names of kind.keys) {
    for (const entry of others.filter(({ values }) => keyNames(kind, values) === names)) {
      const found = left.filter((each) => sameKey(kind, names, entry.values, each.values));
      const exact = found.filter(({ values }) => keyNames(kind, values) === names);
      take(entry, exact.length > 0 ? exact : found);
    }
  }
  const { alias } = kind;
  if (alias !== undefined) {
    const open = others.filter((entry) => !held.has(entry));
    for (const entry of open) {
      const same = (values: Values) => values[alias] === entry.values[alias];
      const found = left.filter(({ values }) => same(values));
      if (found.length === 1 && open.filter(({ values }) => same(values)).length === 1) take(entry, found);
    }
  }
  return { pairs: entries.map((entry) => ({ entry, held: held.get(entry) })), left, ambiguous };
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

/** The key that identifies an object: the first whose fields are all given. */
function keyNames({ keys }: Kind, values: Values): readonly string[] | undefined {
  return keys.find((each) => each.every((name) => isGiven(values[name])));
}

function sameKey({ fields }: Kind, names: readonly string[], declared: Values, live: Values): boolean {
  return names.every((name) => {
    const field = fields[name] ?? { form: "text" };
    return canonical(normal(field, declared[name])) === canonical(normal(field, live[name]));
  });
}

function compareEntry(section: Section, entry: Declared, held: Live | undefined, options: CompareOptions): Change[] {
  const { scope, kind } = section;
  const key = kind.form === "record" ? "" : (entry.key ?? declaredKey(kind, entry.values));
  const base = { scope, kind, key, id: idOf(held), desired: entry, live: held, lockout: undefined, reason: undefined };
  const unreadable = (reason: string): Change => ({ ...base, action: "unreadable", fields: [], write: [], reason });
  const unknown = options.unknown.get(entry);
  if (unknown !== undefined) return [unreadable(unknown)];
  if (held === undefined) {
    const missing = (kind.needs ?? []).filter((name) => entry.values[name] === undefined);
    if (missing.length > 0) return [unreadable(`a new one needs ${missing.join(" and ")}`)];
    const write = Object.keys(entry.values).filter((name) => name !== "id" || kind.target !== undefined);
    return [finish({ ...base, action: "create", write }, options)];
  }
  const hidden = kind === settingsKind ? notShown(entry.values, held.values) : [];
  const changes = hidden.length === 0 ? [] : [unreadable(`the instance does not show ${hidden.join(", ")}`)];
  const write = Object.entries(entry.values)
    .filter(([name]) => !hidden.includes(name) && name !== "id")
    .filter(([name, value]) => isToWrite(fieldOf(kind, name), value, held.values[name], options))
    .map(([name]) => name);
  if (write.length === 0) return changes;
  const action = kind.replaces ? "replace" : "update";
  return [...changes, finish({ ...base, action, write }, options)];
}

function isToWrite(field: StateField, declared: unknown, live: unknown, { secrets }: CompareOptions): boolean {
  if (field.writeOnly || isReference(declared)) return secrets === "always";
  // A masked value is unknown.
  if (isMasked(live) || (field.form !== "hash" && holdsMask(live))) return false;
  return !sameState(field, declared, live) || (field.form === "keys" && secrets === "always");
}

type Unfinished = Omit<Change, "fields">;

function finish(change: Unfinished, { caller }: CompareOptions): Change {
  const { kind, write } = change;
  const sentAlong = kind.sentAlong?.(change) ?? [];
  const whole = { ...change, write: [...write, ...sentAlong] };
  const lockout = kind.lockout?.(whole, caller);
  const reason = kind.loses?.(whole) ?? change.reason;
  return { ...whole, lockout, reason, fields: fieldsOf(whole, sentAlong) };
}

function fieldsOf(change: Unfinished, sentAlong: readonly string[]): FieldChange[] {
  const { kind, desired, live, write, action } = change;
  const values = desired?.values ?? {};
  const rows = write.map((name): FieldChange => {
    const field = fieldOf(kind, name);
    const value = Object.hasOwn(values, name) ? values[name] : live?.values[name];
    const reference = desired?.read?.[name] ?? value;
    const secret = field.secret === true || (isReference(reference) && reference.reference === "env");
    const source = [sourceOf(reference), sentAlong.includes(name) ? "sent along" : undefined].filter(
      (each) => each !== undefined,
    );
    return {
      path: name,
      from: secret || action === "create" ? null : shown(field, live?.values[name]),
      to: secret ? null : shown(field, value),
      secret,
      source: source.length === 0 ? null : source.join(", "),
    };
  });
  if (action === "create") return rows;
  const hidden = (name: string) => fieldOf(kind, name).writeOnly === true || isReference(values[name]);
  const writeOnly = Object.keys(values).filter((name) => hidden(name) && !write.includes(name));
  return [
    ...rows,
    ...writeOnly.map((path): FieldChange => ({ path, from: null, to: null, secret: true, source: "not comparable" })),
  ];
}

/** `$DEPLOYS_TOKEN`, `file secrets/key`. */
function sourceOf(value: unknown): string | undefined {
  if (!isReference(value)) return undefined;
  return value.reference === "env" ? `$${value.name}` : `file ${value.name}`;
}

/** A value without secrets: of headers only the keys. */
function shown(field: StateField, value: unknown): unknown {
  return field.form === "keys" ? normal(field, value) : (value ?? null);
}

function extra(section: Section, live: Live, key: string, { prune, unknown }: CompareOptions): Change {
  const { scope, kind } = section;
  // It may be the entry whose name was not found.
  const unsure = unknown.size > 0;
  const action = !prune || unsure || kind.removal === "never" ? "extra" : kind.removal;
  const kept = unsure ? "not in the file, but kept: an entry of this list was not found" : undefined;
  const reason = action === "extra" ? (kept ?? "not in the file; --prune removes it") : undefined;
  const base = { scope, kind, key, id: idOf(live), desired: undefined, live, lockout: undefined };
  return { ...base, action, fields: [], write: [], reason };
}

/** A documented setting that an instance leaves out does not exist there, or is not visible to this token. */
function notShown(declared: Values, live: Values): string[] {
  return Object.keys(declared).filter((name) => !Object.hasOwn(live, name) && settingField(name).writeOnly !== true);
}

/** The field of a kind; undocumented settings have one too. */
export function fieldOf(kind: Kind, name: string): StateField {
  return kind === settingsKind ? settingField(name) : (kind.fields[name] ?? { form: "json" });
}

function idOf(live: Live | undefined): number | null {
  const id = live?.values.id;
  return typeof id === "number" ? id : null;
}

/** The values of an earlier object that requests can contain: no nulls, header keys, or fields set by the instance. */
export function writableValues(kind: Kind, values: Values): Values {
  if (kind.at === "instance") return values;
  const entries = Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
    const field = fieldOf(kind, name);
    if (!isGiven(value) || field.readOnly || field.form === "keys") return [];
    if (field.form !== "rules" || !Array.isArray(value)) return [[name, value]];
    return [[name, value.map((rule) => writableRule(field, rule as Values))]];
  });
  return Object.fromEntries(entries);
}
