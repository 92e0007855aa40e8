import type { Origin } from "../finding.ts";
import type { At, Section } from "../kind.ts";

/** A list that patterns declare, over all scopes that it is declared for, as if it were one list. */
export interface SharedList {
  /** `acme/** allowlist`; `allowlist below patterns` for all of a kind. */
  readonly name: string;
  readonly origin: Origin | undefined;
  readonly at: At;
  /** How many entries the lists have that can be managed. */
  readonly size: number;
  readonly removals: number;
  /** In how many scopes something is removed. */
  readonly scopes: number;
}

interface Removal {
  readonly kind: string;
  readonly scope: string | null;
  readonly file: string | null;
  readonly line: number | null;
}

/**
 * A list whose removals the counts do not have, in words. Removals of several scopes that one place declares are those
 * of a pattern.
 */
export function uncounted(removals: readonly Removal[], shared: readonly SharedList[]): string | undefined {
  const places = new Map<string, Removal[]>();
  for (const each of removals) {
    const key = `${each.kind} ${each.file}:${each.line}`;
    places.set(key, [...(places.get(key) ?? []), each]);
  }
  for (const [key, [first, ...others]] of places) {
    if (first === undefined || others.every(({ scope }) => scope === first.scope)) continue;
    const isCounted = ({ name, origin, removals: count }: SharedList) =>
      name.endsWith(` ${first.kind}`) &&
      origin?.file === first.file &&
      origin.line === first.line &&
      count > others.length;
    if (!shared.some(isCounted)) return key;
  }
  return undefined;
}

/** Counts what a plan removes from the lists of patterns. */
export class SharedLists {
  readonly #lists = new Map<string, SharedList>();

  /** A list as it is, and how many of its entries are removed. */
  add({ kind, shared = [] }: Section, size: number, removals: number): void {
    const { at } = kind;
    for (const { scope, origin } of shared) {
      this.#count({ name: `${scope.name} ${kind.name}`, origin, at }, size, removals);
    }
    if (shared.length > 0) this.#count({ name: `${kind.name} below patterns`, origin: undefined, at }, size, removals);
  }

  get list(): SharedList[] {
    return [...this.#lists.values()].filter(({ removals }) => removals > 0);
  }

  #count(list: Pick<SharedList, "name" | "origin" | "at">, size: number, removals: number): void {
    const key = `${list.name} ${list.origin?.file} ${list.origin?.line}`;
    const held = this.#lists.get(key) ?? { ...list, size: 0, removals: 0, scopes: 0 };
    const scopes = held.scopes + (removals > 0 ? 1 : 0);
    this.#lists.set(key, { ...held, size: held.size + size, removals: held.removals + removals, scopes });
  }
}
