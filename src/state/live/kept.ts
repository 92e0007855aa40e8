import { isId } from "../../base/group-paths.ts";
import { type Keep, type Keeper, keeperOf } from "../keep.ts";
import type { Kind, Values } from "../kind.ts";
import { movedTo } from "./places.ts";
import type { Reader } from "./reader.ts";

/**
 * What a plan never removes, by what the files keep. A project or group is kept by an earlier path too, as the lists of
 * the files find it by one, and so is what is below a group.
 */
export class Kept {
  readonly #reader: Reader;
  readonly #keep: Keep;
  readonly #present: ReadonlyMap<Kind, Keeper>;
  readonly #earlier = new Map<Kind, Promise<Earlier>>();

  constructor(reader: Reader, keep: Keep) {
    this.#reader = reader;
    this.#keep = keep;
    this.#present = new Map([...keep].map(([kind, patterns]) => [kind, keeperOf(kind, patterns)]));
  }

  /** Whether any entry of the kind is kept. */
  concerns(kind: Kind): boolean {
    return this.#present.has(kind);
  }

  async has(kind: Kind, live: Values): Promise<boolean> {
    if (this.#present.get(kind)?.(live)) return true;
    return (await this.#earlierOf(kind))?.keeps(live) === true;
  }

  /**
   * What the files keep of the kind and cannot be looked up, such as `the project acme/shop`: any entry may have had
   * that path before it was renamed. Instances do not say where the path of a private project or of any group leads.
   */
  async missing(kind: Kind): Promise<readonly string[]> {
    return (await this.#earlierOf(kind))?.missing ?? [];
  }

  async #earlierOf(kind: Kind): Promise<Earlier | undefined> {
    const { target } = kind;
    if (target === undefined || !this.concerns(kind)) return undefined;
    const earlier = this.#earlier.get(kind) ?? this.#byEarlierPaths(kind, target);
    this.#earlier.set(kind, earlier);
    return earlier;
  }

  async #byEarlierPaths(kind: Kind, target: NonNullable<Kind["target"]>): Promise<Earlier> {
    const ids = new Set<unknown>();
    const moved: string[] = [];
    const missing: string[] = [];
    for (const pattern of this.#keep.get(kind) ?? []) {
      const star = pattern.search(/[*?]/);
      const isWhole = star === -1;
      const name = isWhole ? pattern : pattern.slice(0, Math.max(pattern.lastIndexOf("/", star), 0));
      // Before the first slash there is no group whose path could be another one by now.
      if (isId(name) || name === "") continue;
      const scope = { at: isWhole ? target : "group", name } as const;
      const place = await this.#reader.places.of(scope);
      const path = movedTo(scope, place);
      if (place === undefined) missing.push(`the ${scope.at} ${name}`);
      else if (isWhole) ids.add(place.id);
      else if (path !== undefined) moved.push(`${path}${pattern.slice(name.length)}`);
    }
    ids.delete(undefined);
    const fits = keeperOf(kind, moved);
    return { keeps: (live) => ids.has(live.id) || fits(live), missing };
  }
}

interface Earlier {
  readonly keeps: Keeper;
  readonly missing: readonly string[];
}
