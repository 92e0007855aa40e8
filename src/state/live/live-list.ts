import { grouped } from "../../base/grouped.ts";
import { isGiven, keyNames, namesItsId, tiedKey } from "../keys.ts";
import type { Declared, Kind, Live, Scope, Values } from "../kind.ts";
import { comparedKey, match } from "./match.ts";

type KeyOf = (values: Values) => unknown;

/**
 * The live objects of one list, by what identifies them: each of many changes finds its own without looking through
 * all of them.
 */
export class LiveList {
  readonly #kind: Kind;
  readonly #all: Set<Live>;
  readonly #indexes = new Map<string, { readonly keyOf: KeyOf; readonly groups: Map<unknown, Live[]> }>();

  constructor(kind: Kind, live: readonly Live[]) {
    this.#kind = kind;
    this.#all = new Set(live);
  }

  get size(): number {
    return this.#all.size;
  }

  /** A record's only one. */
  get first(): Live | undefined {
    const [first] = this.#all;
    return first;
  }

  withId(id: unknown): readonly Live[] {
    return this.#of("id", (values) => values.id, { id });
  }

  /** Those that have a key, and what distinguishes others of it, in common with these values. */
  tiedTo(values: Values): readonly Live[] {
    return this.#of("tied", (each) => tiedKey(this.#kind, each), values);
  }

  /** The one that an entry means, or the first of several. */
  meant(entry: Declared, scope: Scope): Live | undefined {
    const { alias } = this.#kind;
    const found = this.#matched(entry, scope, this.#named(entry));
    if (found !== undefined || alias === undefined) return found;
    const alike = this.#of("alias", (values) => values[alias], entry.values);
    return match({ kind: this.#kind, scope, entries: [entry] }, alike).pairs[0]?.held;
  }

  /**
   * The one that the creation of an entry made. An object of another key is none, even if something else of it is the
   * same: an unnamed hook is not the named one of its URL, nor a link without a provider the one of its name with one.
   */
  made(entry: Declared, scope: Scope): Live | undefined {
    const { alias: _, ...kind } = this.#kind;
    const names = keyNames(this.#kind, entry.values);
    const { tie } = kind;
    const isTied = (values: Values) => tie !== undefined && isGiven(values[tie]);
    const alike = this.#named(entry).filter(
      ({ values }) => keyNames(this.#kind, values) === names && (isTied(entry.values) || !isTied(values)),
    );
    return this.#matched(entry, scope, alike, kind);
  }

  /** Leaves out an object, and adds what has taken its place. */
  replace(old: Live | undefined, now: Live | undefined): void {
    if (old !== undefined) this.#all.delete(old);
    if (now !== undefined) this.#all.add(now);
    for (const { keyOf, groups } of this.#indexes.values()) {
      if (old !== undefined) {
        const key = keyOf(old.values);
        groups.set(
          key,
          (groups.get(key) ?? []).filter((each) => each !== old),
        );
      }
      if (now !== undefined) {
        const key = keyOf(now.values);
        groups.set(key, [...(groups.get(key) ?? []), now]);
      }
    }
  }

  /** Those with the ID of an entry, or else with its key. */
  #named({ values }: Declared): readonly Live[] {
    const kind = this.#kind;
    if (namesItsId(kind, values)) return this.withId(values.id);
    const names = keyNames(kind, values);
    return names === undefined
      ? []
      : this.#of(`key ${names.join(" ")}`, (each) => comparedKey(kind, names, each), values);
  }

  #matched(entry: Declared, scope: Scope, among: readonly Live[], kind = this.#kind): Live | undefined {
    const [pair] = match({ kind, scope, entries: [entry] }, among).pairs;
    return pair?.held ?? pair?.among[0];
  }

  #of(name: string, keyOf: KeyOf, values: Values): readonly Live[] {
    let index = this.#indexes.get(name);
    if (index === undefined) {
      index = { keyOf, groups: grouped(this.#all, (each) => keyOf(each.values)) };
      this.#indexes.set(name, index);
    }
    return index.groups.get(keyOf(values)) ?? [];
  }
}
