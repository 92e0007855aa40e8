import { isAsDeclared, isHidden, mayBeMasked } from "../fields/normal.ts";
import { lacksRuleIds } from "../fields/rule-elements.ts";
import { isSecret, withReferences } from "../fields/secrecy.ts";
import { declaredKey, keyNames, namesItsId, referenceText, sharedKeys, shownKey } from "../keys.ts";
import {
  type Caller,
  type Change,
  type Declared,
  fieldOf,
  isReference,
  type Kind,
  type Live,
  type Section,
  type Values,
} from "../kind.ts";
import { fieldsOf, type Unfinished } from "./field-changes.ts";
import { match, type Pair, unreadKey } from "./match.ts";
import { isOtherwiseSet, sentByPresence, uncomparedIn } from "./presence.ts";
import { unreadIn, unreadTarget } from "./unread.ts";
import { writableValues } from "./writable-values.ts";

export interface CompareOptions {
  /** Removes entries that are not in the file. */
  readonly prune: boolean;
  /** Fields that cannot be read back: `always` sends them in any case, `never` not at all. */
  readonly secrets: "auto" | "always" | "never";
  /** Sends what cannot be read back where the instance answers that it is set and should not be, or the reverse. */
  readonly presence?: boolean;
  readonly caller: Caller | undefined;
  /** Declared entries that name something that was not found, with that name. */
  readonly unknown: ReadonlyMap<Declared, string>;
  /** Fields of which a cached read need not show what a recent run wrote. */
  readonly recent?: readonly string[] | undefined;
  /** The declared values were completed before, when the plan was made. */
  readonly settled?: true;
  /** Values that a field may have besides the one compared: it is written unless all of them are as declared. */
  readonly doubts?: ReadonlyMap<string, readonly unknown[]> | undefined;
  /** By its key, what an object had that was removed to be added again: what is not declared is taken from there. */
  readonly removed?: ReadonlyMap<string, Values> | undefined;
  /** Decides whether a field is written whose value cannot be compared here; undefined leaves it to the rules. */
  readonly decided?: (name: string) => boolean | undefined;
  /** Whether a field is sent along whose value cannot be seen here. */
  readonly isAlong?: (name: string) => boolean;
}

export interface SectionChanges {
  readonly changes: Change[];
  /** Objects that are as declared, as far as they can be compared. */
  readonly equal: number;
  /** Declared secrets of existing objects that are neither compared nor sent. */
  readonly uncompared: number;
}

/** Computes the changes from live to declared objects, without requests. */
export function compareSection(section: Section, live: readonly Live[], options: CompareOptions): SectionChanges {
  const { kind, scope, entries } = section;
  const { pairs, left } = match(section, live);
  const lives = live.map(({ values }) => values);
  const shared = sharedKeys(kind, [...entries.map(({ values }) => values), ...lives]);
  const changes: Change[] = [];
  let equal = 0;
  let uncompared = 0;
  for (const pair of pairs) {
    // Ignored: a project's own entry in its allowlist.
    if (kind.target !== undefined && pair.held && kind.ignores?.(pair.held.values, scope)) continue;
    const change = compareEntry(section, pair, options, { shared, lives });
    if (change.length === 0) equal += 1;
    uncompared += uncomparedIn(kind, pair, change, options);
    for (const each of change) changes.push(each);
  }
  const unread = entries.flatMap((entry) => unreadKey(kind, entry) ?? []);
  // Any of the others may be an entry whose live object is not known.
  const unsure =
    options.unknown.size > 0 ||
    unread.length > 0 ||
    pairs.some(({ entry, held }) => held === undefined && namesItsId(kind, entry.values));
  for (const each of left) {
    if (!kind.ignores?.(each.values, scope)) changes.push(extra(section, each, { ...options, unsure, unread, shared }));
  }
  return { changes, equal, uncompared };
}

interface Others {
  /** See `sharedKeys`. */
  readonly shared: ReadonlySet<string>;
  readonly lives: readonly Values[];
}

function compareEntry(
  section: Section,
  { entry: declared, held, among }: Pair,
  options: CompareOptions,
  { shared, lives }: Others,
): Change[] {
  const { scope, kind } = section;
  const { values, problem: unfit }: { values: Values; problem?: string } = options.settled
    ? declared
    : (kind.settle?.(declared.values, held?.values, lives) ?? declared);
  const shown = withReferences(kind, declared);
  const named = namesItsId(kind, shown) ? declaredKey(kind, shown) : shownKey(kind, shown, shared);
  const key = kind.form === "record" ? "" : (declared.key ?? named);
  const entry = { ...declared, values: { ...carried(kind, held?.values ?? options.removed?.get(key)), ...values } };
  const base = { scope, kind, key, id: idOf(held), desired: entry, live: held, lockout: undefined, reason: undefined };
  const unreadable = (reason: string): Change => ({ ...base, action: "unreadable", fields: [], write: [], reason });
  const problem = options.unknown.get(declared) ?? problemOf(kind, declared, held, among) ?? unfit;
  if (problem !== undefined) return [unreadable(problem)];
  if (held === undefined) {
    const write = Object.keys(entry.values).filter((name) => entry.values[name] !== null);
    return [finish({ ...base, action: "create", write }, options)];
  }
  const hidden = new Set(kind.showsAll ? notShown(kind, Object.keys(entry.values), held.values) : []);
  const changes = hidden.size === 0 ? [] : [unreadable(`the instance does not show ${[...hidden].join(", ")}`)];
  const unread = options.secrets === "auto" ? unreadIn(kind, entry, held, options) : undefined;
  if (unread !== undefined) return [...changes, unreadable(unread)];
  const write = Object.keys(entry.values).filter(
    (name) => !hidden.has(name) && isToWrite(kind, entry, name, held, options),
  );
  if (write.length === 0) return changes;
  const unsafe = unreadTarget(kind, entry, write);
  if (unsafe !== undefined) return [...changes, unreadable(unsafe)];
  const unshown = kind.replaces ? notShown(kind, write, held.values) : [];
  if (unshown.length > 0) return [...changes, unreadable(`the instance does not show ${unshown.join(", ")}`)];
  const stuck = write.filter((name) => isStuck(kind, name, entry.values[name], held.values[name]));
  if (stuck.length > 0) return [unreadable(withoutRuleIds(stuck))];
  const action = kind.replaces ? "replace" : "update";
  return [...changes, finish({ ...base, action, write }, options)];
}

/** Rules without an ID cannot be changed or removed: an added one would exist beside them. */
function isStuck(kind: Kind, name: string, desired: unknown, live: unknown): boolean {
  const field = fieldOf(kind, name);
  return field.form === "rules" && lacksRuleIds(field, desired, live);
}

function withoutRuleIds(fields: readonly string[]): string {
  return `instances before release 15.4 show no rule IDs, so ${fields.join(", ")} can only be added to: unprotect it, and apply again`;
}

/** A replacement creates the object again, so what the file does not declare is taken from the live one. */
function carried(kind: Kind, held: Values | undefined): Values {
  if (!kind.replaces || held === undefined) return {};
  const known = Object.entries(held).filter(([name]) => Object.hasOwn(kind.fields, name));
  return writableValues(kind, Object.fromEntries(known));
}

/** Why an entry cannot be compared with the instance. */
function problemOf(kind: Kind, entry: Declared, held: Live | undefined, among: readonly Live[]): string | undefined {
  const { values } = entry;
  const unread = unreadKey(kind, entry);
  if (unread !== undefined) {
    const reference = values[unread];
    return `${isReference(reference) ? referenceText(reference) : unread} is not set, and identifies it: ${unread}`;
  }
  if (among.length > 0) {
    if (kind.tie !== undefined) return `${among.length} of them exist: add ${kind.tie} to the entry`;
    const ids = among.map((each) => each.values.id).join(", ");
    const exist =
      among.length === 1 ? `one may be it, with the ID ${ids}` : `${among.length} of them exist, with the IDs ${ids}`;
    return `${exist}: add id to the entry, as forgectl state export writes it`;
  }
  if (held !== undefined) return undefined;
  if (namesItsId(kind, values)) return `the ID ${values.id} does not exist; leave id out to create it`;
  const missing = (kind.needs ?? []).filter((name) => values[name] === undefined);
  return missing.length === 0 ? undefined : `a new one needs ${missing.join(" and ")}`;
}

function isToWrite(kind: Kind, entry: Declared, name: string, live: Live, options: CompareOptions): boolean {
  const { secrets, decided } = options;
  const field = fieldOf(kind, name);
  const declared = entry.values[name];
  const shown = live.values[name];
  const isUnknown = field.form !== "hash" && isHidden(field, shown);
  const known = isUnknown || isSecret(kind, entry, name) ? decided?.(name) : undefined;
  if (known !== undefined) return known;
  if (options.presence === true && field.writeOnly && isOtherwiseSet(kind, name, declared, { live, ...options }))
    return true;
  if (field.writeOnly || isReference(declared)) return secrets === "always";
  if (mayBeMasked(field, declared, shown)) return false;
  const values = [shown, ...(options.doubts?.get(name) ?? [])];
  if (values.some((value) => !isAsDeclared(field, entry, name, value))) return true;
  return field.form === "keys" && secrets === "always";
}

function finish(change: Unfinished, { caller, presence, recent, isAlong }: CompareOptions): Change {
  const { kind, write } = change;
  const sentAlong = kind.sentAlong?.(change, isAlong) ?? [];
  const whole = { ...change, write: [...write, ...sentAlong] };
  const lockout = kind.lockout?.(whole, caller);
  return {
    ...whole,
    ...(presence && { byPresence: sentByPresence(change, write, recent) }),
    lockout,
    reason: kind.loses?.(whole) ?? kind.besides?.(whole),
    fields: fieldsOf(whole, sentAlong),
  };
}

interface Extras extends CompareOptions {
  /** An entry of the file could not be matched. */
  readonly unsure: boolean;
  /** The fields that identify such entries by what a variable gives: what others have there may be the secret. */
  readonly unread: readonly string[];
  readonly shared: ReadonlySet<string>;
}

/** Why an object is a row that is no entry of the file, if it is certain that it is none. */
export const prunable = "not in the file; --prune removes it";

function extra({ scope, kind, origin }: Section, live: Live, { prune, unsure, unread, shared }: Extras): Change {
  const action: Change["action"] = !prune || unsure || kind.removal === "never" ? "extra" : kind.removal;
  const kept = unsure ? "not in the file, but kept: an entry of this list was not found" : undefined;
  const id = idOf(live);
  const hidden = id === null ? [] : unread;
  const isNamed = !hidden.some((name) => keyNames(kind, live.values)?.includes(name));
  const key = isNamed ? shownKey(kind, live.values, shared) : String(id);
  const base = { scope, kind, key, id, desired: undefined, origin, live, lockout: undefined, hidden };
  const whole = { ...base, action, fields: [], write: [] };
  if (action === "extra") return { ...whole, reason: kept ?? prunable };
  return { ...whole, reason: kind.unrestored ?? kind.besides?.(whole) };
}

/** A documented field that an instance leaves out does not exist there, or is not visible to this token. */
export function notShown(kind: Kind, names: readonly string[], live: Values): string[] {
  return names.filter((name) => !Object.hasOwn(live, name) && fieldOf(kind, name).writeOnly !== true);
}

/** The ID of an object, if it has one. */
export function idOf(live: Live | undefined): number | null {
  const id = live?.values.id;
  return typeof id === "number" ? id : null;
}
