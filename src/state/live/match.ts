import { grouped } from "../../base/grouped.ts";
import { ownValue } from "../../base/own-value.ts";
import { canonical, normal } from "../fields/normal.ts";
import { isGiven, keyNames, namesItsId } from "../keys.ts";
import { type Declared, isReference, type Kind, type Live, type Scope, type Section, type Values } from "../kind.ts";

/** A declared entry and its live object. */
export interface Pair {
  readonly entry: Declared;
  readonly held: Live | undefined;
  /** Live objects that it may mean, several or one that another entry may mean too; then none of them is `held`. */
  readonly among: readonly Live[];
}

interface Matched {
  readonly pairs: readonly Pair[];
  /** Live objects that no entry means. */
  readonly left: Live[];
}

/**
 * Matches the entries of a file with live objects: by explicit ID, then by key, then by a field that is unique among
 * the rest on both sides.
 */
export function match(section: Pick<Section, "kind" | "scope" | "entries">, live: readonly Live[]): Matched {
  const { kind, entries } = section;
  if (kind.form === "record") {
    return { pairs: entries.map((entry) => ({ entry, held: live[0], among: [] })), left: [] };
  }
  const matching = new Matching(section, live);
  const [named, others] = partition(entries, ({ values }) => namesItsId(kind, values));
  matching.takeById(named);
  const known = others.filter((entry) => unreadKey(kind, entry) === undefined);
  if (isKeyUnshown(kind, live)) matching.takeByAliasAlone(known);
  // The stronger key first, so that an entry known only by its URL does not match one with a name.
  for (const names of kind.keys) {
    const [tied, plain] = partition(
      known.filter(({ values }) => keyNames(kind, values) === names),
      ({ values }) => kind.tie !== undefined && isGiven(values[kind.tie]),
    );
    matching.takeByKey([...tied, ...plain], names);
  }
  matching.takeByAlias(known);
  return { pairs: entries.map((entry) => matching.pair(entry)), left: matching.left };
}

/** The field that identifies an entry, or tells it from others of its key, if that is a reference that was not read. */
export function unreadKey(kind: Kind, { values }: Declared): string | undefined {
  if (namesItsId(kind, values)) return undefined;
  return [...(keyNames(kind, values) ?? []), kind.tie].find((name) => name !== undefined && isReference(values[name]));
}

/** Whether an instance shows no object's first key: before 17.1, webhooks have no names. */
function isKeyUnshown({ alias, keys: [first = []] }: Kind, live: readonly Live[]): boolean {
  const shows = ({ values }: Live) => first.some((name) => Object.hasOwn(values, name));
  return alias !== undefined && live.length > 0 && !live.some(shows);
}

/** What is left of the live objects; each step finds them by an index, so that long lists take no longer per entry. */
class Matching {
  readonly #left: Set<Live>;
  readonly #kind: Kind;
  readonly #scope: Scope;
  readonly #held = new Map<Declared, readonly Live[]>();
  /** Entries of which several may mean the same. */
  readonly #shared = new Set<Declared>();

  constructor({ kind, scope }: Pick<Section, "kind" | "scope">, live: readonly Live[]) {
    this.#kind = kind;
    this.#scope = scope;
    this.#left = new Set(live);
  }

  get left(): Live[] {
    return [...this.#left];
  }

  pair(entry: Declared): Pair {
    const found = this.#held.get(entry) ?? [];
    const isOpen = found.length > 1 || this.#shared.has(entry);
    return isOpen ? { entry, held: undefined, among: found } : { entry, held: found[0], among: [] };
  }

  takeById(entries: readonly Declared[]): void {
    const byId = this.#leftBy(({ id }) => id);
    for (const entry of entries) this.#keep(entry, this.#stillLeft(byId.get(entry.values.id)));
  }

  takeByKey(entries: readonly Declared[], names: readonly string[]): void {
    if (entries.length === 0) return;
    const kind = this.#kind;
    const byKey = this.#leftBy((values) => comparedKey(kind, names, values));
    for (const entry of entries) {
      const alike = this.#stillLeft(byKey.get(comparedKey(kind, names, entry.values)));
      const found = alike.filter(({ values }) => mayTie(kind, entry.values, values));
      const exact = found.filter(({ values }) => keyNames(kind, values) === names);
      this.#keep(entry, this.#closest(entry, exact.length > 0 ? exact : found));
    }
  }

  takeByAlias(entries: readonly Declared[]): void {
    const { alias } = this.#kind;
    if (alias === undefined) return;
    const open = entries.filter((entry) => !this.#held.has(entry));
    const declared = grouped(open, ({ values }) => values[alias]);
    const byAlias = this.#leftBy((values) => values[alias]);
    for (const entry of open) {
      const found = this.#stillLeft(byAlias.get(entry.values[alias]));
      if (found.length === 1 && declared.get(entry.values[alias])?.length === 1) this.#keep(entry, found);
    }
  }

  /** Only the alias identifies entries: several of one are not guessed, nor created again. */
  takeByAliasAlone(entries: readonly Declared[]): void {
    const { alias = "" } = this.#kind;
    const byAlias = this.#leftBy((values) => values[alias]);
    for (const [value, alike] of grouped(entries, ({ values }) => values[alias])) {
      const found = this.#stillLeft(byAlias.get(value));
      for (const entry of alike) {
        this.#keep(entry, alike.length > 1 ? found : this.#closest(entry, found));
        if (alike.length > 1 && found.length > 0) this.#shared.add(entry);
      }
    }
  }

  #leftBy(keyOf: (values: Values) => unknown): ReadonlyMap<unknown, readonly Live[]> {
    return grouped(this.#left, ({ values }) => keyOf(values));
  }

  #stillLeft(found: readonly Live[] = []): readonly Live[] {
    return found.filter((each) => this.#left.has(each));
  }

  /**
   * Of several with one key the one that is alike in what distinguishes them; of several such the one that counts, as a
   * hook does beside one of its name and address that is off.
   */
  #closest({ values }: Declared, found: readonly Live[]): readonly Live[] {
    const kind = this.#kind;
    for (const name of [kind.tie, kind.alias]) {
      if (found.length < 2 || name === undefined) continue;
      const same = found.filter((each) => canonical(each.values[name] ?? null) === canonical(values[name] ?? null));
      if (same.length === 1) return same;
      const counting = same.filter((each) => kind.ignores?.(each.values, this.#scope) !== true);
      if (counting.length === 1) return counting;
    }
    return found;
  }

  #keep(entry: Declared, found: readonly Live[]): void {
    if (found.length === 0) return;
    this.#held.set(entry, found);
    for (const each of found) this.#left.delete(each);
  }
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

/** The normal form of the fields that identify an object. */
export function comparedKey({ fields }: Kind, names: readonly string[], values: Values): string {
  return JSON.stringify(
    names.map((name) => canonical(normal(ownValue(fields, name) ?? { form: "text" }, values[name]))),
  );
}

/** An instance that does not show the field has entries of one key at most once. */
function mayTie({ tie }: Kind, declared: Values, live: Values): boolean {
  if (tie === undefined || !isGiven(declared[tie]) || live[tie] === undefined) return true;
  return canonical(declared[tie]) === canonical(live[tie]);
}
