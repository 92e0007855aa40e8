import { shorter } from "../../api/shorter-lists.ts";
import { compareTexts } from "../../base/compare-texts.ts";
import { Failure } from "../../base/errors.ts";
import { isId } from "../../base/group-paths.ts";
import { pauses } from "../../base/next-turn.ts";
import type { Context } from "../../context.ts";
import { groupsBelow, projectsBelow } from "../../verbs/fleet.ts";
import { type Block, leavesOut } from "../block.ts";
import type { At, Scope } from "../kind.ts";
import { movedTo } from "../live/places.ts";
import { isLocal, type Reader } from "../live/reader.ts";
import { matches, type Pattern, rootOf } from "../pattern.ts";

/** Which of the projects or groups below a group a pattern matches. */
export interface Fleet {
  /** All of them. */
  readonly scopes: readonly Scope[];
  /** Whether there is one of this name, in lower case, matched or not. */
  has(name: string): boolean;
  /** Whether there is one below a group of this path, in lower case. */
  hasBelow(group: string): boolean;
  /** Whether one fits a pattern, matched or not, also among those that are not managed. */
  hasAny(pattern: Pattern): boolean;
  readonly matched: readonly Scope[];
  /** How many of them exceptions leave out. */
  readonly leftOut: number;
  /** Those that are matched, but not managed, and why. */
  readonly passedOver: readonly PassedOver[];
}

interface PassedOver {
  readonly name: string;
  readonly why: string;
}

type Unreadable = { readonly unreadable: string };
type Listed = { readonly scopes: ByName<Scope>; readonly passedOver: ByName<PassedOver> } | Unreadable;

/** What patterns match, read from the instance once for each group that a pattern begins with. */
export class Fleets {
  readonly #context: Context;
  readonly #reader: Reader;
  readonly #at: Exclude<At, "instance">;
  readonly #lists = new Map<string, Promise<Listed>>();
  readonly #covered = new Map<string, Scope>();
  readonly #names = new Set<ByName<Scope>>();
  readonly #pause: () => Promise<void>;

  constructor(context: Context, reader: Reader, at: Exclude<At, "instance">) {
    this.#context = context;
    this.#pause = pauses(context);
    this.#reader = reader;
    this.#at = at;
  }

  /** The scopes that any of the blocks covers. */
  scopes(): Iterable<Scope> {
    return this.#covered.values();
  }

  /** Whether a list has one of this name, in lower case. */
  has(name: string): boolean {
    for (const names of this.#names) if (names.has(name)) return true;
    return false;
  }

  async of(block: Block): Promise<Fleet | Unreadable> {
    const root = rootOf(block.pattern);
    const proof = await this.#prove(root);
    if (proof !== undefined) return { unreadable: proof };
    // A list of a group above has all that is below this one.
    const above = [...this.#lists.keys()].find((each) => `${root}/`.startsWith(`${each}/`)) ?? root;
    const list = this.#lists.get(above) ?? this.#list(above);
    this.#lists.set(above, list);
    const found = await list;
    if ("unreadable" in found) return found;
    this.#names.add(found.scopes);
    const matched = found.scopes.matching(block.pattern);
    let leftOut = 0;
    for (const scope of matched) {
      // How many there are, and how many exceptions, is up to others.
      await this.#pause();
      if (leavesOut(block, scope.name)) leftOut += 1;
      else this.#covered.set(scope.name.toLowerCase(), scope);
    }
    const has = (name: string) => found.scopes.has(name);
    const hasBelow = (group: string) => found.scopes.hasBelow(`${group}/`);
    return {
      scopes: found.scopes.all,
      has,
      hasBelow,
      hasAny: (pattern) => found.scopes.hasAny(pattern) || found.passedOver.hasAny(pattern),
      matched,
      leftOut,
      passedOver: found.passedOver.matching(block.pattern),
    };
  }

  /** Why nothing can be said of what is below a group; undefined if it exists. */
  async #prove(name: string): Promise<string | undefined> {
    if (isId(name))
      return `requests would read the path ${name} as the ID of another group: no pattern can begin with it`;
    const scope: Scope = { at: "group", name };
    const place = await this.#reader.places.of(scope);
    if (place === undefined) return `the group ${name} was not found, or is not visible to this token`;
    const moved = movedTo(scope, place);
    return moved === undefined ? undefined : `the group ${name} has moved to ${moved}: write that in the file`;
  }

  async #list(group: string): Promise<Listed> {
    const at = this.#at;
    try {
      const { scopes, passedOver, isWhole } = await (at === "project" ? projectsBelow : groupsBelow)(
        this.#context,
        group,
      );
      if (!isWhole) throw shorter();
      return {
        scopes: new ByName(scopes.map(({ id, path }) => ({ at, name: path, id }))),
        passedOver: new ByName(passedOver.map(({ path, why }) => ({ name: path, why }))),
      };
    } catch (error) {
      if (!(error instanceof Failure) || !(isLocal(error) || error.exit === "partial")) throw error;
      return { unreadable: `the ${at}s of ${group} could not be listed: ${error.details.reason ?? error.message}` };
    }
  }
}

/** Those whose names are not among what the patterns' groups have. */
export async function unlisted<T extends { readonly scope: Scope }>(
  fleets: Fleets,
  blocks: readonly Block[],
  named: readonly T[],
): Promise<T[]> {
  for (const block of blocks) await fleets.of(block);
  return named.filter(({ scope }) => !fleets.has(scope.name.toLowerCase()));
}

/** What was listed, in the order of its names in lower case: a pattern is compared with a few of them. */
class ByName<T extends { readonly name: string }> {
  readonly all: readonly T[];
  readonly #lower: readonly string[];

  constructor(found: readonly T[]) {
    const sorted = found
      .map((each) => ({ lower: each.name.toLowerCase(), each }))
      .sort((a, b) => compareTexts(a.lower, b.lower));
    this.all = sorted.map(({ each }) => each);
    this.#lower = sorted.map(({ lower }) => lower);
  }

  has(lower: string): boolean {
    return this.#lower[this.#placeOf(lower)] === lower;
  }

  hasBelow(beginning: string): boolean {
    return this.#lower[this.#placeOf(beginning)]?.startsWith(beginning) === true;
  }

  matching(pattern: Pattern): T[] {
    return this.#near(pattern).filter(({ name }) => matches(pattern, name));
  }

  hasAny(pattern: Pattern): boolean {
    return this.#near(pattern).some(({ name }) => matches(pattern, name));
  }

  #near({ literal }: Pattern): readonly T[] {
    return this.all.slice(this.#placeOf(literal), this.#placeOf(`${literal}\uffff`));
  }

  /** Where a name in lower case is, or would be. */
  #placeOf(text: string): number {
    let [low, high] = [0, this.#lower.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#lower[middle] ?? "") < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
