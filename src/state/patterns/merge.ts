import { type Origin, originText } from "../finding.ts";
import { declaredKey, isGiven, keyOf, sectionName, tiedKey } from "../keys.ts";
import type { Declared, Kind, Scope, Section, Values } from "../kind.ts";
import { inOrder } from "./layers.ts";

/** The ID of a project or group by its path; undefined if it is not known. */
export type IdOf = (path: string) => number | undefined;

/** A doubt about a declaration; `strict` makes some of them errors. */
export interface Doubt {
  readonly origin: Origin;
  readonly path: string;
  readonly message: string;
  readonly strict: boolean;
}

/** A value of a less specific declaration, that does not take effect. */
interface Overruled {
  readonly path: string;
  readonly value: unknown;
  readonly origin: Origin;
}

export interface Merged {
  /** The effective declaration; undefined if there is none. */
  readonly section: Section | undefined;
  readonly overruled: readonly Overruled[];
  readonly doubts: readonly Doubt[];
}

/** Puts the sections of one kind for one scope together, the most specific first. */
export function merge(scope: Scope, kind: Kind, layers: readonly Section[], idOf: IdOf = () => undefined): Merged {
  return kind.form === "list" ? mergeList(scope, kind, layers, idOf) : mergeRecord(scope, kind, layers);
}

/** A field belongs to the most specific section that declares it. */
function mergeRecord(scope: Scope, kind: Kind, layers: readonly Section[]): Merged {
  const held = new Map(layers.map((section) => [section, section.entries[0]]));
  const names = new Set([...held.values()].flatMap((entry) => Object.keys(entry?.values ?? {})));
  const values: Record<string, unknown> = {};
  const places: Record<string, Origin> = {};
  const overruled: Overruled[] = [];
  const owners = new Set<Section>();
  const exact = layers.filter(({ block }) => block === undefined);
  // Only these have an order among them.
  const wide = inOrder(layers.filter(({ block }) => block !== undefined));
  for (const name of names) {
    const declaring = [...exact, ...wide].filter(
      (each) => each.unmanaged || Object.hasOwn(held.get(each)?.values ?? {}, name),
    );
    let isOver = false;
    for (const section of declaring) {
      const entry = held.get(section);
      const origin = entry?.places?.[name] ?? entry?.origin ?? section.origin;
      if (section.unmanaged) isOver = true;
      else if (isOver || Object.hasOwn(values, name))
        overruled.push({ path: name, value: entry?.values[name], origin });
      else {
        values[name] = entry?.values[name];
        places[name] = origin;
        owners.add(section);
      }
    }
  }
  const owner = layers.find((each) => owners.has(each));
  if (owner === undefined) return { section: undefined, overruled, doubts: [] };
  const origin = held.get(owner)?.origin ?? owner.origin;
  const entries: Declared[] = [{ values: Object.freeze(values), origin, places: Object.freeze(places) }];
  return { section: Object.freeze({ scope, kind, entries, origin: owner.origin }), overruled, doubts: [] };
}

/** A list is that of the most specific section; if it inherits, the next one is its beginning. */
function mergeList(scope: Scope, kind: Kind, layers: readonly Section[], idOf: IdOf): Merged {
  const chain: Section[] = [];
  for (const layer of layers) {
    if (layer.unmanaged) break;
    chain.push(layer);
    if (!layer.inherits) break;
  }
  const rest = layers.slice(chain.length).filter(({ unmanaged }) => !unmanaged);
  const overruled: Overruled[] = rest.flatMap(({ entries }) => entries.map((entry) => overruledEntry(kind, entry)));
  const doubts: Doubt[] = [];
  const [top, last] = [chain[0], chain.at(-1)];
  if (top === undefined || last === undefined) return { section: undefined, overruled, doubts };
  if (last.inherits) {
    doubts.push({ origin: last.origin, path: pathOf(last), message: "has nothing to inherit", strict: true });
  }
  let entries: readonly Declared[] = [];
  for (const [index, layer] of [...chain.entries()].reverse()) {
    const list = new InheritedList(kind, entries, chain[index + 1], idOf);
    for (const entry of layer.entries) list.add(entry);
    entries = list.entries;
    for (const each of list.overruled) overruled.push(each);
    for (const each of list.doubts) doubts.push(each);
  }
  const own = entries.filter((entry) => !isOwn(kind, scope, entry.values, idOf));
  const shared = chain.filter(({ block }) => block !== undefined);
  const section = { scope, kind, entries: Object.freeze(own), origin: top.origin, shared };
  return { section: Object.freeze(section), overruled, doubts };
}

/** How many inherited keys a doubt names. */
const maxNamed = 20;

/** A list that begins with inherited entries. Adding one takes no longer if the list is long. */
class InheritedList {
  readonly overruled: Overruled[] = [];
  readonly doubts: Doubt[] = [];
  readonly #kind: Kind;
  /** The inherited entries, each with what is in its place; undefined: it was taken out. */
  readonly #places: Map<Declared, Declared | undefined>;
  /** The inherited entries that are still in their places, by key, and by the key with what distinguishes them. */
  readonly #byKey = new Map<string, Map<string, Set<Declared>>>();
  readonly #added: Declared[] = [];
  /** The section that they come from. */
  readonly #below: Section | undefined;
  readonly #idOf: IdOf;

  constructor(kind: Kind, inherited: readonly Declared[], below: Section | undefined, idOf: IdOf) {
    this.#kind = kind;
    this.#below = below;
    this.#idOf = idOf;
    this.#places = new Map(inherited.map((each) => [each, each]));
    for (const each of inherited) {
      const [key, tied] = [this.#key(each.values), tiedKey(kind, each.values)];
      const held = this.#byKey.get(key) ?? new Map<string, Set<Declared>>();
      this.#byKey.set(key, held.set(tied, (held.get(tied) ?? new Set()).add(each)));
    }
  }

  get entries(): readonly Declared[] {
    return [...[...this.#places.values()].filter((each) => each !== undefined), ...this.#added];
  }

  /** Adds an entry in the place of the inherited one with the same key, or takes that one out. */
  add(entry: Declared): void {
    const same = this.#same(entry);
    for (const each of same) {
      this.overruled.push(overruledEntry(this.#kind, each));
      this.#places.set(each, undefined);
      this.#byKey.get(this.#key(each.values))?.get(tiedKey(this.#kind, each.values))?.delete(each);
    }
    const [first] = same;
    if (entry.absent) {
      if (first === undefined) this.#missing(entry);
    } else if (first === undefined) this.#added.push(entry);
    else {
      this.#compare(entry, first);
      this.#places.set(first, entry);
    }
  }

  /** The inherited entries with its key; one that does not name what distinguishes them means all. */
  #same({ values }: Declared): Declared[] {
    const kind = this.#kind;
    const found = this.#byKey.get(this.#key(values));
    if (found === undefined) return [];
    if (kind.tie === undefined || !isGiven(values[kind.tie])) return [...found.values()].flatMap((each) => [...each]);
    const exact = [...(found.get(tiedKey(kind, values)) ?? [])];
    return exact.length > 0 ? exact : [...(found.get(keyOf(kind, values)) ?? [])];
  }

  #key(values: Values): string {
    return entryKey(this.#kind, values, this.#idOf);
  }

  #missing(entry: Declared): void {
    const below = this.#below;
    if (below === undefined) return;
    const keys = [...this.#places.keys()].slice(0, maxNamed).map(({ values }) => shownEntry(this.#kind, values));
    const all = `${keys.join(", ")}${this.#places.size > maxNamed ? ", ..." : ""}`;
    const message = `is not inherited (${below.kind.name} of ${originText(below.origin)} is [${all}])`;
    this.doubts.push({ origin: entry.origin, path: shownEntry(this.#kind, entry.values), message, strict: true });
  }

  #compare(entry: Declared, before: Declared): void {
    const lost = Object.keys(before.values).filter((name) => !Object.hasOwn(entry.values, name));
    if (lost.length === 0 || this.#kind.target !== undefined) return;
    const message = `replaces that of ${originText(before.origin)} and no longer declares ${lost.join(", ")}`;
    this.doubts.push({ origin: entry.origin, path: shownEntry(this.#kind, entry.values), message, strict: false });
  }
}

/** What identifies an entry of a list among others. */
function entryKey(kind: Kind, values: Values, idOf: IdOf): string {
  if (kind.target === undefined) return keyOf(kind, values);
  const { id, path } = values;
  const known = typeof path === "string" ? idOf(path) : id;
  return known === undefined ? String(path).toLowerCase() : String(known);
}

/** An entry's name for messages. */
function shownEntry(kind: Kind, values: Values): string {
  return kind.target === undefined ? keyOf(kind, values) : String(values.path ?? values.id);
}

function overruledEntry(kind: Kind, { values, origin }: Declared): Overruled {
  return { path: declaredKey(kind, values), value: values, origin };
}

/** A project is always on its own allowlist, so its own entry says nothing. */
function isOwn(kind: Kind, scope: Scope, { id, path }: Values, idOf: IdOf): boolean {
  if (kind.target !== scope.at) return false;
  const isPath = typeof path === "string" && path.toLowerCase() === scope.name.toLowerCase();
  const known = typeof path === "string" ? idOf(path) : id;
  return isPath || String(known) === scope.name || (known !== undefined && known === scope.id);
}

/** `projects.acme/**.protected_environments` */
export function pathOf({ scope, kind }: Section): string {
  return `${scope.at}s.${scope.name}.${kind.within === undefined ? "" : `${kind.within}.`}${sectionName(kind)}`;
}
