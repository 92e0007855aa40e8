import { getGroup, getProject } from "../api/endpoints/places.ts";
import { Failure, UsageError } from "../base/errors.ts";
import type { Context } from "../context.ts";
import { userId } from "./user.ts";

export type Named = "user" | "group" | "project";

/** The ID that a text is; undefined where it is a name. Digits that are no ID are a UsageError. */
export function idIn(text: string, label: string): number | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  const id = Number(text);
  if (Number.isSafeInteger(id) && id > 0) return id;
  throw new UsageError(`${label}: must be an ID (a whole number of at least 1) or a name, not "${text}"`);
}

/** Looks up the ID of what is called so: a username, or the full path of a group or a project. None: exit 3. */
export async function lookUp(context: Context, what: Named, name: string): Promise<number> {
  const id = what === "user" ? await userId(context, name) : await placeId(context, what, name);
  context.notice(`${what} ${name} is ${what} ${id}`);
  return id;
}

async function placeId(context: Context, what: "group" | "project", path: string): Promise<number> {
  const found = await find(context, what, path);
  if (found !== undefined) return found;
  throw new Failure("notFound", `the ${what} "${path}" was not found`, {
    reason: "not found, or not visible to this token; nothing was changed",
    hint: `check the path; where the instance does not look ${what}s up by path, give the ID`,
  });
}

/**
 * A project as a route takes it that wants a number: instances take no path in some, where the API documents do
 * (numeric-project-id). Where the instance does not look projects up, the path is sent.
 */
export async function numericProject(context: Context, project: string): Promise<string> {
  if (/^\d+$/.test(project)) return project;
  return String((await find(context, "project", project)) ?? project);
}

async function find(context: Context, what: "group" | "project", path: string): Promise<number | undefined> {
  try {
    const { id } =
      what === "group"
        ? await context.api.call(getGroup, { group: path })
        : await context.api.call(getProject, { project: path });
    if (Number.isSafeInteger(id) && id > 0) return id;
  } catch (error) {
    if (!(error instanceof Failure && error.exit === "notFound")) throw error;
  }
  return undefined;
}
