import type { Api } from "../../api/api.ts";
import { Failure } from "../../base/errors.ts";
import { groupsAbove, isId } from "../../base/group-paths.ts";
import { type Keep, type Keeper, keeperOf } from "../keep.ts";
import type { Kind, Live, Values } from "../kind.ts";
import { movedTo } from "./places.ts";
import { isLocal, type Reader } from "./reader.ts";
import { hadPath, mayBe, OldestProjects } from "./renamed.ts";

/** Whether an entry is kept; if that cannot be told, why. */
export type IsKept = boolean | { readonly doubt: string };

/**
 * What a plan never removes, by what the files keep. A project or group is kept by an earlier path too, as the lists of
 * the files find it by one, and so is what is below a group.
 */
export class Kept {
  readonly #reader: Reader;
  readonly #keep: Keep;
  readonly #present: ReadonlyMap<Kind, Keeper>;
  readonly #earlier = new Map<Kind, Promise<Earlier>>();
  readonly #oldest: OldestProjects;

  constructor(api: Pick<Api, "list">, reader: Reader, keep: Keep) {
    this.#oldest = new OldestProjects(api);
    this.#reader = reader;
    this.#keep = keep;
    this.#present = new Map([...keep].map(([kind, patterns]) => [kind, keeperOf(kind, patterns)]));
  }

  /** Whether any entry of the kind is kept. */
  concerns(kind: Kind): boolean {
    return this.#present.has(kind);
  }

  /**
   * Whether one of the files' patterns fits an entry, by its present names or an earlier path.
   *
   * @param list the entries of its list: what one of them has is no earlier path
   */
  async has(kind: Kind, live: Values, list: readonly Live[]): Promise<IsKept> {
    if (this.#present.get(kind)?.(live)) return true;
    const { target } = kind;
    if (target === undefined || !this.concerns(kind)) return false;
    const known = this.#earlier.get(kind) ?? this.#byEarlierPaths(kind, target);
    this.#earlier.set(kind, known);
    const { keeps, unfound } = await known;
    if (keeps(live)) return true;
    const lost = unfound.filter(({ fits }) => !list.some(({ values }) => fits(values)));
    if (lost.length === 0) return false;
    return this.#isOneOf(lost, target, live).catch((error: unknown) => {
      if (!(error instanceof Failure) || !isLocal(error)) throw error;
      return doubtOf(lost);
    });
  }

  async #byEarlierPaths(kind: Kind, target: Target): Promise<Earlier> {
    const ids = new Set<unknown>();
    const moved: string[] = [];
    const unfound: Unfound[] = [];
    for (const pattern of this.#keep.get(kind) ?? []) {
      const star = pattern.search(/[*?]/);
      const isWhole = star === -1;
      const name = isWhole ? pattern : pattern.slice(0, Math.max(pattern.lastIndexOf("/", star), 0));
      // Before the first slash there is no group whose path could be another one by now.
      if (isId(name) || name === "") continue;
      const scope = { at: isWhole ? target : "group", name } as const;
      const place = await this.#reader.places.of(scope);
      const path = movedTo(scope, place);
      if (place === undefined) unfound.push({ pattern, name, isWhole, fits: keeperOf(kind, [pattern]) });
      else if (isWhole) ids.add(place.id);
      else if (path !== undefined) moved.push(`${path}${pattern.slice(name.length)}`);
    }
    ids.delete(undefined);
    const fits = keeperOf(kind, moved);
    return { keeps: (live) => ids.has(live.id) || fits(live), unfound };
  }

  /** Whether an entry had one of the paths that were not found. One that the token may not read could have had each. */
  async #isOneOf(unfound: readonly Unfound[], target: Target, live: Values): Promise<IsKept> {
    const path = (await this.#reader.places.of({ at: target, name: String(live.id) }))?.path;
    if (path === undefined) return doubtOf(unfound);
    const own = target === "project" ? [path] : await this.#oldest.below(path);
    if (own.length === 0) return doubtOf(unfound);
    for (const { name, isWhole, fits } of unfound) {
      // The instance would have led from the path that a project had.
      if (isWhole && target === "project") continue;
      const groups = isWhole ? [path] : [...groupsAbove(path), ...(target === "group" ? [path] : [])];
      const possible = groups.filter((group) => fits({ full_path: `${name}${path.slice(group.length)}` }));
      for (const group of possible) {
        const others = mayBe(group, name) ? await this.#oldest.below(group) : [];
        for (const project of new Set([...own, ...others])) {
          if (await hadPath(this.#reader, name, project, group)) return true;
        }
      }
    }
    // The oldest projects of a group may have come later than its present path.
    const likely = unfound.filter(({ name, isWhole }) => isWhole && target === "group" && mayBe(path, name));
    return likely.length > 0 && doubtOf(likely);
  }
}

function doubtOf(unfound: readonly Unfound[]): { readonly doubt: string } {
  const names = unfound.map(({ pattern }) => pattern).join(" and ");
  return { doubt: `it may be what keep names ${names}, which was not found: give its ID, or remove that from keep` };
}

type Target = NonNullable<Kind["target"]>;

/** A pattern, and the project or group that it names, or the group that it is below. */
interface Unfound {
  readonly pattern: string;
  readonly name: string;
  readonly isWhole: boolean;
  readonly fits: Keeper;
}

interface Earlier {
  readonly keeps: Keeper;
  readonly unfound: readonly Unfound[];
}
