import { grouped } from "../../base/grouped.ts";
import { hideInAddresses } from "../../base/secrets.ts";
import { addressOf, keyNames, keyOf, tiedKey } from "../keys.ts";
import type { Change } from "../kind.ts";
import { findKind } from "../kinds/index.ts";
import { listOf } from "../plan/plan.ts";
import { addressOfChange } from "../plan/plan-row.ts";
import type { RunEntry } from "../runs/runs.ts";

/** What a run created, found by an index: a run may have a hundred thousand entries. */
export class Created {
  readonly #byId: ReadonlyMap<string, readonly RunEntry[]>;
  readonly #unnamed: ReadonlyMap<string, readonly RunEntry[]>;
  readonly #gone: ReadonlyMap<string, readonly RunEntry[]>;
  readonly #live: ReadonlyMap<string, readonly Change[]>;
  readonly #hidden: readonly RunEntry[];

  constructor(changes: readonly Change[], entries: readonly RunEntry[]) {
    const created = entries.filter(({ before }) => before === null);
    this.#byId = grouped(created, (entry) => `${listOfEntry(entry)} ${entry.id}`);
    const live = changes.filter(({ desired, action }) => desired === undefined && action !== "unreadable");
    const ids = new Set(live.map((change) => `${change.scope.at}:${listOf(change)} ${change.id}`));
    const isGone = (entry: RunEntry) => hasOneOfAName(entry) && !ids.has(`${listOfEntry(entry)} ${entry.id}`);
    const withoutId = created.filter(({ id }) => id === null);
    const [hidden, plain] = [true, false].map((hides) => withoutId.filter((entry) => hidesKey(entry) === hides));
    this.#unnamed = grouped(plain ?? [], ({ address }) => address);
    this.#hidden = hidden ?? [];
    this.#gone = grouped(
      created.filter((entry) => entry.id !== null && isGone(entry)),
      ({ address }) => address,
    );
    const named = live.flatMap((change) => [...new Set(addressesOf(change))].map((address) => ({ address, change })));
    const byAddress = grouped(named, ({ address }) => address);
    this.#live = new Map([...byAddress].map(([address, found]) => [address, found.map(({ change }) => change)]));
  }

  /** The entry of an object by its ID. */
  identified(change: Change): RunEntry | undefined {
    const { scope, id } = change;
    return id === null ? undefined : this.#byId.get(`${scope.at}:${listOf(change)} ${id}`)?.[0];
  }

  /** The entry of an object that has no ID, or whose ID is not known. */
  unnamed(change: Change): RunEntry | undefined {
    return addressesOf(change).flatMap((address) => this.#unnamed.get(address) ?? [])[0];
  }

  /** What has a name that no record has, since a variable or a file gave it, with an object that it may be. */
  hidden(live: readonly Change[]): { readonly change: Change; readonly entry: RunEntry }[] {
    const lists = new Map(live.map((change) => [`${change.scope.at}:${listOf(change)}`, change]));
    return this.#hidden.flatMap((entry) => {
      const change = lists.get(listOfEntry(entry));
      return change === undefined ? [] : [{ change, entry }];
    });
  }

  /** The entry of an object of this name that is gone. The one there now may be another user's, or of an undo. */
  predecessor(change: Change): RunEntry | undefined {
    return addressesOf(change).flatMap((address) => this.#gone.get(address) ?? [])[0];
  }

  /** The live objects that have this address. */
  at(address: string): readonly Change[] {
    return this.#live.get(address) ?? [];
  }
}

/**
 * Whether a record does not have what identifies an object: a field of its key, or what distinguishes others of that
 * key. Another object may have the rest in common with it.
 */
export function hidesKey({ kind: name, before, after, sent, hidden = [] }: RunEntry): boolean {
  const kind = findKind(name);
  if (kind === undefined || hidden.length === 0) return false;
  const given = Object.fromEntries(hidden.map((each) => [each, each]));
  const key = keyNames(kind, { ...before, ...sent, ...after, ...given }) ?? [];
  return [...key, kind.tie].some((each) => each !== undefined && hidden.includes(each));
}

/** Whether a list has one object of a name at most, which is then the same for those who use it. */
function hasOneOfAName({ kind: name }: RunEntry): boolean {
  const kind = findKind(name);
  return kind?.form === "list" && kind.alike !== true && kind.target === undefined;
}

/** The addresses of a live entry, also those that it has beside another entry of the same key, and without one. */
function addressesOf(change: Change): string[] {
  const { scope, kind, live } = change;
  const keys = live === undefined ? [] : [keyOf(kind, live.values), tiedKey(kind, live.values)];
  return [addressOfChange(change), ...keys.map((key) => addressOf(scope, kind, hideInAddresses(key)))];
}

/** The list of an entry, or its record. */
export function listOfEntry({ at, scope, kind }: RunEntry): string {
  return `${at}:${scope}#${kind}`;
}
