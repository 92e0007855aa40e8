import { isId } from "../../base/group-paths.ts";
import { type Keep, type Keeper, keeperOf } from "../keep.ts";
import type { Kind, Values } from "../kind.ts";
import type { NameLookup } from "./name-lookup.ts";
import { movedTo } from "./places.ts";
import type { Reader } from "./reader.ts";

/**
 * What a plan never removes, by what the files keep. A project or group is kept by an earlier path too, as the lists of
 * the files find it by one, and so is what is below a group.
 */
export class Kept {
  readonly #reader: Reader;
  readonly #names: NameLookup;
  readonly #keep: Keep;
  readonly #present: ReadonlyMap<Kind, Keeper>;
  readonly #earlier = new Map<Kind, Promise<Keeper>>();

  constructor(reader: Reader, names: NameLookup, keep: Keep) {
    this.#reader = reader;
    this.#names = names;
    this.#keep = keep;
    this.#present = new Map([...keep].map(([kind, patterns]) => [kind, keeperOf(kind, patterns)]));
  }

  /** Whether any entry of the kind is kept. */
  concerns(kind: Kind): boolean {
    return this.#present.has(kind);
  }

  async has(kind: Kind, live: Values): Promise<boolean> {
    if (this.#present.get(kind)?.(live)) return true;
    const { target } = kind;
    if (target === undefined || !this.concerns(kind)) return false;
    const earlier = this.#earlier.get(kind) ?? this.#byEarlierPaths(kind, target);
    this.#earlier.set(kind, earlier);
    return (await earlier)(live);
  }

  async #byEarlierPaths(kind: Kind, target: NonNullable<Kind["target"]>): Promise<Keeper> {
    const ids = new Set<unknown>();
    let moved: string[] = [];
    for (const pattern of this.#keep.get(kind) ?? []) {
      if (isId(pattern)) continue;
      const star = pattern.search(/[*?]/);
      if (star === -1) ids.add(await this.#names.idOf(target, pattern));
      else moved = moved.concat(await this.#withPresentGroup(pattern, pattern.lastIndexOf("/", star)));
    }
    ids.delete(undefined);
    const fits = keeperOf(kind, moved);
    return (live) => ids.has(live.id) || fits(live);
  }

  /** A pattern below a group, if that has another path by now. */
  async #withPresentGroup(pattern: string, end: number): Promise<string[]> {
    if (end < 1) return [];
    const scope = { at: "group", name: pattern.slice(0, end) } as const;
    const path = movedTo(scope, await this.#reader.places.of(scope));
    return path === undefined ? [] : [`${path}${pattern.slice(end)}`];
  }
}
