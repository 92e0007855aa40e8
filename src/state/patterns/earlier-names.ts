import { listGroupProjects } from "../../api/endpoints/places.ts";
import { UsageError, undefinedOn } from "../../base/errors.ts";
import { groupsAbove, isBelow, isId } from "../../base/group-paths.ts";
import type { Context } from "../../context.ts";
import { concurrently } from "../../jobs/concurrently.ts";
import { type Block, covers, leavesOut } from "../block.ts";
import { type Origin, originText } from "../finding.ts";
import type { At, Kind, Scope, Section } from "../kind.ts";
import { movedTo } from "../live/places.ts";
import type { Reader } from "../live/reader.ts";
import { exactly, matches, readPattern, rootOf } from "../pattern.ts";
import type { Declared } from "./layers.ts";

// What a file says of a project or a group by the path that it had before it was renamed: an exception, a section of
// its own, a pattern of a group further down. A wider pattern is for it under its present path, and would do to it what
// the file says it should not.

type Of = Exclude<At, "instance">;

/** Projects or groups as the instance shows them. */
type Shown = () => readonly Scope[];

/** A project or a group that the files name. */
interface Named {
  readonly scope: Scope;
  readonly sections: readonly Section[];
}

export class EarlierNames {
  readonly #context: Context;
  readonly #reader: Reader;
  readonly #declared: Declared;

  constructor(context: Context, reader: Reader, declared: Declared) {
    this.#context = context;
    this.#reader = reader;
    this.#declared = declared;
  }

  /**
   * What an exception leaves out would be changed after it was renamed; not if the pattern is for it no more.
   *
   * @param matched what the pattern of the block matches
   */
  async refuseException(block: Block, exception: Block["except"][number], matched: Shown): Promise<void> {
    const shown = () => matched().filter(({ name }) => !leavesOut(block, name));
    await this.#refusePattern({ ...exception, at: block.at }, shown);
  }

  /** The same of a pattern below a group whose path is another one by now, where wider ones are for what it was for. */
  async refuseNarrower(narrow: Block, listed: Shown): Promise<void> {
    const root = rootOf(narrow.pattern);
    const kinds = new Set(this.#declared.sectionsOf(narrow).map(({ kind }) => kind));
    const isWider = ({ pattern }: Block) => isBelow(root, rootOf(pattern));
    if (!this.#declared.blocks(narrow.at).some((block) => isWider(block) && this.#declares(block, kinds))) return;
    const shown = () => listed().filter(({ at, name }) => this.#alike(at as Of, name, kinds).some(isWider));
    await this.#refusePattern(narrow, shown);
  }

  /**
   * The same of a project or a group with sections of its own.
   *
   * @param only the one project or group that is asked for
   */
  async refuseSection(at: Of, { scope, sections }: Named, listed: Shown, only?: string): Promise<void> {
    const [first] = sections;
    const kinds = new Set(sections.map(({ kind }) => kind));
    const isInPattern = this.#declared.blocks(at).some((block) => this.#declares(block, kinds));
    if (first === undefined || isId(scope.name) || !isInPattern) return;
    const moved = await this.#presentPath(scope, listed);
    if (moved === undefined || (only !== undefined && only.toLowerCase() !== moved.toLowerCase())) return;
    if (this.#alike(at, moved, kinds).length > 0) throw hasMoved(first.origin, scope.name, moved);
  }

  async #refusePattern({ at, pattern, origin }: Pick<Block, "at" | "pattern" | "origin">, shown: Shown): Promise<void> {
    const isWide = pattern.text.includes("*");
    const scope: Scope = isWide ? { at: "group", name: rootOf(pattern) } : { at, name: pattern.text };
    const moved = await this.#presentPath(scope, shown);
    if (moved === undefined) return;
    const now = isWide ? readPattern(`${moved}${pattern.text.slice(scope.name.length)}`) : exactly(moved);
    if ("problem" in now || !shown().some(({ name }) => matches(now, name))) return;
    throw hasMoved(origin, isWide ? `${pattern.text}: the group ${scope.name}` : scope.name, moved);
  }

  /** The path that a project or a group has by now, if that is another one. */
  async #presentPath(scope: Scope, shown: Shown): Promise<string | undefined> {
    const place = await this.#reader.places.of(scope);
    if (place !== undefined || scope.at !== "group") return movedTo(scope, place);
    return this.#renamedGroup(scope.name, shown());
  }

  /**
   * Instances answer 404 for the path that a group had, but lead from that of a project below it to the present one: of
   * each group that it may be, the oldest project is asked for.
   */
  async #renamedGroup(earlier: string, shown: readonly Scope[]): Promise<string | undefined> {
    const asked = new Set<string>();
    const { places, ahead } = this.#reader;
    for await (const project of this.#projects(shown)) {
      const groups = [...groupsAbove(project)].filter((group) => !asked.has(group) && !isBelow(earlier, group));
      for (const group of groups) asked.add(group);
      const leads = async (group: string) => {
        const name = `${earlier}${project.slice(group.length)}`;
        const place = await places.of({ at: "project", name });
        return place?.path?.toLowerCase() === project.toLowerCase() ? group : undefined;
      };
      for await (const found of concurrently(groups, leads, { limit: ahead })) if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The paths of projects, the oldest first, or of the oldest below each group. */
  async *#projects(shown: readonly Scope[]): AsyncGenerator<string> {
    for (const { at, name } of shown.toSorted((a, b) => Number(a.id ?? 0) - Number(b.id ?? 0))) {
      if (at === "project") yield name;
      if (at !== "group") continue;
      const first = await this.#oldestBelow(name).catch(undefinedOn("notFound", "forbidden"));
      if (first !== undefined) yield first;
    }
  }

  async #oldestBelow(group: string): Promise<string | undefined> {
    const oldest = { include_subgroups: true, with_shared: false, order_by: "id", sort: "asc" } as const;
    const listed = this.#context.api.list(listGroupProjects, { group, ...oldest }, { limit: 1 });
    for await (const { path_with_namespace: path } of listed) return path;
    return undefined;
  }

  /** The patterns that are for a path, and declare one of the kinds. */
  #alike(at: Of, path: string, kinds: ReadonlySet<Kind>): Block[] {
    return [...this.#declared.near(at, path)].filter((block) => covers(block, path) && this.#declares(block, kinds));
  }

  #declares(block: Block, kinds: ReadonlySet<Kind>): boolean {
    return this.#declared.sectionsOf(block).some(({ kind }) => kinds.has(kind));
  }
}

function hasMoved(origin: Origin, what: string, moved: string): UsageError {
  return new UsageError(`${originText(origin)}: ${what} has moved to ${moved}: write that in the file`, {
    code: "invalid_state",
    nothing: "sent",
  });
}
