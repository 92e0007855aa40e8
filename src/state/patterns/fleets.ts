import { Failure } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { groupsBelow, projectsBelow } from "../../verbs/fleet.ts";
import type { At, Scope } from "../kind.ts";
import { movedTo } from "../places.ts";
import { isLocal, type Reader } from "../reader.ts";
import { type Block, leavesOut } from "./block.ts";
import { matches, rootOf } from "./pattern.ts";

/** The projects or groups below a group, and those of them that a pattern matches. */
export interface Fleet {
  readonly scopes: readonly Scope[];
  readonly matched: readonly Scope[];
  /** Those that are not managed, and why. */
  readonly passedOver: readonly { readonly name: string; readonly why: string }[];
}

type Unreadable = { readonly unreadable: string };
/** The scopes are in the order of their names in lower case. */
type Listed = (Omit<Fleet, "matched"> & { readonly lower: readonly string[] }) | Unreadable;

/** What patterns match, read from the instance once for each group that a pattern begins with. */
export class Fleets {
  readonly #context: Context;
  readonly #reader: Reader;
  readonly #at: Exclude<At, "instance">;
  readonly #lists = new Map<string, Promise<Listed>>();
  readonly #covered = new Map<string, Scope>();

  constructor(context: Context, reader: Reader, at: Exclude<At, "instance">) {
    this.#context = context;
    this.#reader = reader;
    this.#at = at;
  }

  /** The scopes that any of the blocks covers. */
  scopes(): Iterable<Scope> {
    return this.#covered.values();
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
    const { literal } = block.pattern;
    const near = found.scopes.slice(placeOf(found.lower, literal), placeOf(found.lower, `${literal}\uffff`));
    const matched = near.filter(({ name }) => matches(block.pattern, name));
    for (const scope of matched) if (!leavesOut(block, scope.name)) this.#covered.set(scope.name.toLowerCase(), scope);
    return {
      scopes: found.scopes,
      matched,
      passedOver: found.passedOver.filter(({ name }) => matches(block.pattern, name)),
    };
  }

  /** Why nothing can be said of what is below a group; undefined if it exists. */
  async #prove(name: string): Promise<string | undefined> {
    const scope: Scope = { at: "group", name };
    const place = await this.#reader.places.of(scope);
    if (place === undefined) return `the group ${name} was not found, or is not visible to this token`;
    const moved = movedTo(scope, place);
    return moved === undefined ? undefined : `the group ${name} has moved to ${moved}: write that in the file`;
  }

  async #list(group: string): Promise<Listed> {
    const at = this.#at;
    try {
      const { projects, passedOver } = await (at === "project" ? projectsBelow : groupsBelow)(this.#context, group);
      const sorted = projects
        .map(({ id, path }) => ({ lower: path.toLowerCase(), scope: { at, name: path, id } }))
        .sort((a, b) => (a.lower < b.lower ? -1 : 1));
      return {
        scopes: sorted.map(({ scope }) => scope),
        lower: sorted.map(({ lower }) => lower),
        passedOver: passedOver.map(({ path, why }) => ({ name: path, why })),
      };
    } catch (error) {
      if (!(error instanceof Failure) || !isLocal(error)) throw error;
      return { unreadable: `the ${at}s of ${group} could not be listed: ${error.details.reason ?? error.message}` };
    }
  }
}

/** Where a text is or would be in a sorted list. */
function placeOf(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? "") < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
