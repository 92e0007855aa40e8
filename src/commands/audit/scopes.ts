import { listDescendantGroups } from "../../api/endpoints/places.ts";
import { readPlace } from "../../api/place.ts";
import { Failure } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { concurrently } from "../../jobs/concurrently.ts";
import { projectsBelow } from "../../verbs/fleet.ts";
import { namesNone, placeNames, scopeNames } from "../../verbs/scope-names.ts";
import { wholeList } from "../../verbs/whole-list.ts";

export interface Asked {
  readonly group?: readonly string[] | undefined;
  readonly project?: readonly string[] | undefined;
  readonly projects_file?: string | undefined;
  readonly archived?: boolean | undefined;
}

export interface Scopes {
  /** As requests name them: full paths, if they can. */
  readonly groups: readonly string[];
  readonly projects: readonly string[];
  /** Projects of groups that were left out: "2 archived". */
  readonly leftOut: readonly string[];
  /** The lists that are in part. */
  readonly unlisted: readonly Unlisted[];
}

export interface Unlisted {
  readonly group: string;
  readonly lists: "projects" | "groups";
}

/** The groups and projects that are asked for, each once, and everything below the groups. */
export async function scopesOf(context: Context, asked: Asked): Promise<Scopes> {
  const typed = await scopeNames(context, asked.project, asked.projects_file);
  if (asked.projects_file !== undefined && typed.length === 0) throw namesNone(asked.projects_file, "project");
  const projects = new Map<string, string>();
  const groups = new Map<string, string>();
  const add = (map: Map<string, string>, path: string) =>
    map.set(path.toLowerCase(), map.get(path.toLowerCase()) ?? path);
  const leftOut: string[] = [];
  const unlisted: Unlisted[] = [];
  for (const name of placeNames(context, asked.group ?? [], "group")) {
    const { group, path, scopes: below, leftOut: left, isWhole } = await projectsBelow(context, name, asked);
    add(groups, group);
    const inner = await wholeList(context.api, listDescendantGroups, { group });
    for (const each of inner.rows.map(({ full_path: path }) => path).sort()) add(groups, each);
    for (const each of below) add(projects, each.path);
    if (!inner.isWhole) unlisted.push({ group, lists: "groups" });
    if (!isWhole) unlisted.push({ group, lists: "projects" });
    leftOut.push(...Object.entries(left).map(([why, count]) => `${count} ${why} in ${path}`));
  }
  const named = concurrently(typed, (name) => pathOf(context, name), {
    limit: context.config.concurrency,
    ordered: true,
  });
  for await (const path of named) add(projects, path);
  return { groups: [...groups.values()], projects: [...projects.values()], leftOut, unlisted };
}

/**
 * A report, and what a baseline file says of places, name projects by their path, which may be typed as an ID, in
 * another case, or as an earlier path: all are looked up. One that is refused keeps its name, for every machine that
 * asks; any other failure ends the audit, since the path decides to which part of a shared audit a project belongs.
 */
async function pathOf(context: Context, name: string): Promise<string> {
  try {
    return (await readPlace(context.api, "project", name)).path;
  } catch (error) {
    if (error instanceof Failure && isRefusal(error)) return name;
    throw error;
  }
}

/** Whether the instance answers the same whenever it is asked, as one does that has no such request (405). */
function isRefusal({ exit, details: { status = 0 } }: Failure): boolean {
  return status >= 400 && status < 500 && exit !== "unauthenticated" && exit !== "rateLimited";
}
