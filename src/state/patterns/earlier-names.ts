import { Failure, UsageError } from "../../base/errors.ts";
import { groupsAbove, isId } from "../../base/group-paths.ts";
import type { Context } from "../../context.ts";
import { concurrently } from "../../jobs/concurrently.ts";
import { type Block, covers, leavesOut } from "../block.ts";
import { type Origin, originText } from "../finding.ts";
import type { At, Kind, Scope, Section } from "../kind.ts";
import { movedTo } from "../live/places.ts";
import type { Reader } from "../live/reader.ts";
import { hadPath, mayBe, OldestProjects, oldestAsked } from "../live/renamed.ts";
import { exactly, matches, readPattern, rootOf } from "../pattern.ts";
import type { Declared } from "./layers.ts";

// What a file says of a project or a group by the path that it had before it was renamed: an exception, a section of
// its own, a pattern of a group further down. A wider pattern is for it under its present path, and would do to it what
// the file says it should not.

type Of = Exclude<At, "instance">;

/** Projects or groups as the instance shows them: all that a pattern is for, or those that are asked for. */
export interface Shown {
  scopes(): readonly Scope[];
}

/** The present path of what the files name, and the project that told it of a group. */
interface Found {
  readonly path: string;
  readonly project?: string;
}

/** A project or a group that the files name. */
interface Named {
  readonly scope: Scope;
  readonly sections: readonly Section[];
}

export class EarlierNames {
  readonly #reader: Reader;
  readonly #declared: Declared;
  readonly #oldest: OldestProjects;

  constructor({ api }: Pick<Context, "api">, reader: Reader, declared: Declared) {
    this.#reader = reader;
    this.#declared = declared;
    this.#oldest = new OldestProjects(api);
  }

  /**
   * What an exception leaves out would be changed after it was renamed; not if the pattern is for it no more.
   *
   * @param matched what the pattern of the block matches
   */
  async refuseException(block: Block, exception: Block["except"][number], matched: Shown): Promise<void> {
    const scopes = () => matched.scopes().filter(({ name }) => !leavesOut(block, name));
    await this.#refusePattern({ ...exception, at: block.at }, { scopes });
  }

  /** The same of a pattern below a group whose path is another one by now, where others are for what it was for. */
  async refuseNarrower(narrow: Block, listed: Shown): Promise<void> {
    const kinds = new Set(this.#declared.sectionsOf(narrow).map(({ kind }) => kind));
    const others = this.#declared.blocks(narrow.at).filter((block) => block !== narrow && this.#declares(block, kinds));
    if (others.length === 0) return;
    const scopes = () => listed.scopes().filter(({ at, name }) => this.#alike(at as Of, name, kinds).length > 0);
    const isWritten = (text: string) => {
      const same = others.filter(({ pattern }) => pattern.text.toLowerCase() === text.toLowerCase());
      return [...kinds].every((kind) => same.some((block) => this.#declares(block, new Set([kind]))));
    };
    await this.#refusePattern(narrow, { scopes }, isWritten);
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
    // What is passed over is left alone. Without `only`, two sections for one project are found by another check.
    const looked = this.#reader.places.of(scope);
    const place = await (only === undefined ? looked.catch(undefinedUnlessEnded) : looked);
    if (place === undefined ? scope.at === "project" : place.inactive !== undefined) return;
    const found = await this.#presentPath(scope, listed);
    if (found === undefined || (only !== undefined && only.toLowerCase() !== found.path.toLowerCase())) return;
    const others = new Set(this.#declared.exact(at, found.path).map(({ kind }) => kind));
    const left = new Set([...kinds].filter((kind) => !others.has(kind)));
    if (this.#alike(at, found.path, left).length > 0) throw hasMoved(first.origin, scope.name, found);
    if (only === undefined || left.size === kinds.size || found.project !== undefined) return;
    const message = `${originText(first.origin)}: ${scope.name} is ${found.path}, which the files name too: merge the two`;
    throw new UsageError(message, { code: "named_twice", nothing: "sent" });
  }

  async #refusePattern(
    { at, pattern, origin }: Pick<Block, "at" | "pattern" | "origin">,
    shown: Shown,
    isWritten: (text: string) => boolean = () => false,
  ): Promise<void> {
    const isWide = pattern.text.includes("*");
    const scope: Scope = isWide ? { at: "group", name: rootOf(pattern) } : { at, name: pattern.text };
    const found = await this.#presentPath(scope, shown);
    if (found === undefined) return;
    const now = isWide ? readPattern(`${found.path}${pattern.text.slice(scope.name.length)}`) : exactly(found.path);
    if ("problem" in now || isWritten(now.text) || !shown.scopes().some(({ name }) => matches(now, name))) return;
    throw hasMoved(origin, isWide ? `${pattern.text}: the group ${scope.name}` : scope.name, found);
  }

  /** The path that a project or a group has by now, if that is another one. */
  async #presentPath(scope: Scope, shown: Shown): Promise<Found | undefined> {
    const place = await this.#reader.places.of(scope);
    if (place === undefined && scope.at === "group") return this.#renamedGroup(scope.name, shown);
    const path = movedTo(scope, place);
    return path === undefined ? undefined : { path };
  }

  /**
   * Of each group that it may be, the oldest projects are asked for by the paths that they would have had: those of
   * `shown`, and those that no pattern is for, such as archived ones.
   */
  async #renamedGroup(earlier: string, shown: Shown): Promise<Found | undefined> {
    const samples = new Map<string, string[]>();
    for (const { at, name } of shown.scopes().toSorted((a, b) => Number(a.id ?? 0) - Number(b.id ?? 0))) {
      for (const group of at === "group" ? [...groupsAbove(name), name] : groupsAbove(name)) {
        if (!mayBe(group, earlier)) continue;
        const projects = samples.get(group) ?? [];
        samples.set(group, projects);
        if (at === "project" && projects.length < oldestAsked) projects.push(name);
      }
    }
    const leads = async ([group, known]: readonly [string, readonly string[]]): Promise<Found | undefined> => {
      for (const project of new Set([...known, ...(await this.#oldest.below(group))])) {
        if (await hadPath(this.#reader, earlier, project, group)) return { path: group, project };
      }
      return undefined;
    };
    for await (const found of concurrently(samples, leads, { limit: this.#reader.ahead })) if (found) return found;
    return undefined;
  }

  /** The patterns that are for a path, and declare one of the kinds. */
  #alike(at: Of, path: string, kinds: ReadonlySet<Kind>): Block[] {
    return [...this.#declared.near(at, path)].filter((block) => covers(block, path) && this.#declares(block, kinds));
  }

  #declares(block: Block, kinds: ReadonlySet<Kind>): boolean {
    return this.#declared.sectionsOf(block).some(({ kind, unmanaged }) => kinds.has(kind) && !unmanaged);
  }
}

/** What one of many cannot be asked for says nothing; for its own sections the plan asks again. */
function undefinedUnlessEnded(error: unknown): undefined {
  if (!(error instanceof Failure) || error.exit === "interrupted") throw error;
}

function hasMoved(origin: Origin, what: string, { path, project }: Found): UsageError {
  const message =
    project === undefined
      ? `${what} has moved to ${path}: write that in the file`
      : `${what} was not found, and ${project} had a path below it: write the present path, or remove it`;
  return new UsageError(`${originText(origin)}: ${message}`, { code: "invalid_state", nothing: "sent" });
}
