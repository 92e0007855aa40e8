import { getProject } from "../../../api/endpoints/places.ts";
import { listTagProtectionRules } from "../../../api/endpoints/registry.ts";
import { getCurrentUser } from "../../../api/endpoints/users.ts";
import { Failure } from "../../../base/errors.ts";
import { isObject } from "../../../base/is-object.ts";
import { ownValue } from "../../../base/own-value.ts";
import type { Context } from "../../../context.ts";
import { collected } from "../../../verbs/row-collection.ts";

const maintainer = 40;
const levels: Readonly<Record<string, number>> = { maintainer, owner: 50, admin: 60 };

/** What the rules of a project's instance say about one tag, for this caller. */
type Verdict = "open" | "protected" | "unknown";

/** The rules that protect the tags of a project. */
export interface Protection {
  /** Whether the instance listed its rules, which it does for Maintainers. */
  readonly isListed: boolean;
  /** `unknown`: a rule exempts a role that the caller may have. */
  of(name: string): Verdict;
}

/** Looks up the rules of each project once. */
export class Protections {
  readonly #context: Context;
  readonly #known = new Map<string, Promise<Protection>>();

  constructor(context: Context) {
    this.#context = context;
  }

  in(project: string): Promise<Protection> {
    const known = this.#known.get(project) ?? read(this.#context, project);
    this.#known.set(project, known);
    return known;
  }
}

/** Older instances have no such list; rules that make tags immutable are in none. */
async function read(context: Context, project: string): Promise<Protection> {
  const rules = await collected(context.api.list(listTagProtectionRules, { project }, { limit: undefined })).catch(
    (error: unknown) => {
      const { status = 0 } = error instanceof Failure ? error.details : {};
      if (status >= 400 && status < 500) return undefined;
      throw error;
    },
  );
  const matcherOf = (rules ?? []).length === 0 ? undefined : await readMatcher();
  const strict = (rules ?? []).flatMap(({ tag_name_pattern: pattern, minimum_access_level_for_delete: least }) => {
    const level = ownValue(levels, least ?? "");
    // Maintainers, to whom alone the rules are listed, are exempt from their own level.
    return level === undefined || level <= maintainer
      ? []
      : [{ matches: (pattern && matcherOf?.(pattern)) || all, level }];
  });
  const shown = strict.length === 0 ? undefined : await levelIn(context, project);
  // The rules are listed for Maintainers: less is not all of the access, such as that of a group that is invited.
  const own = shown !== undefined && shown < maintainer ? undefined : shown;
  const of = (name: string): Verdict => {
    const matching = strict.filter(({ matches }) => matches(name));
    if (matching.length === 0) return "open";
    if (own === undefined) return "unknown";
    return matching.some(({ level }) => own < level) ? "protected" : "open";
  };
  return { isListed: rules !== undefined, of };
}

const all = () => true;

/**
 * For all rules of a project together. Repetitions multiply: ten characters can be a program of thousands of steps,
 * tried at each character of a name.
 */
const maxProgram = 1000;
/** Characters, as the platform allows. To read a longer one takes memory before its size is known. */
const maxPattern = 100;

/** The platform searches for a pattern anywhere in a name. One that cannot be read, or is too large, protects all. */
async function readMatcher(): Promise<(pattern: string) => (name: string) => boolean> {
  const { RE2JS } = await import("re2js");
  let left = maxProgram;
  return (pattern) => {
    if (left < 0 || pattern.length > maxPattern) return all;
    try {
      const compiled = RE2JS.compile(pattern);
      left -= compiled.programSize();
      if (left < 0) return all;
      return (name) => compiled.matcher(name).find();
    } catch {
      return all;
    }
  };
}

/** The caller's access level in a project; undefined if the instance does not say. */
export async function levelIn(context: Context, project: string): Promise<number | undefined> {
  const answered = async (request: Promise<object>): Promise<Record<string, unknown>> => {
    try {
      return { ...(await request) };
    } catch (error) {
      if (error instanceof Failure && error.exit !== "interrupted") return {};
      throw error;
    }
  };
  const { permissions } = await answered(context.api.call(getProject, { project }));
  const { is_admin } = await answered(context.api.call(getCurrentUser, {}));
  if (is_admin === true) return levels.admin;
  if (!isObject(permissions)) return undefined;
  const { project_access, group_access } = permissions;
  return Math.max(...[project_access, group_access].map((each) => (isObject(each) ? Number(each.access_level) : 0)));
}
