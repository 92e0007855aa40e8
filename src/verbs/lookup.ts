import { changes } from "../api/endpoint.ts";
import { getGroup, getProject } from "../api/endpoints/places.ts";
import { listUsers } from "../api/endpoints/users.ts";
import { Failure, UsageError, undefinedOn } from "../base/errors.ts";
import { commandLine } from "../base/line.ts";
import type { Context } from "../context.ts";
import type { Command } from "../declare/command.ts";

// One look-up of names: what a person may name, and a route wants by its ID.

export type Named = "user" | "group" | "project";

type Input = Record<string, unknown>;

/**
 * The input with IDs where the command's routes take no names: of fields that name a thing (`names`), of a group or user
 * with a dot where the route takes none (`dotless`), of a project where it must be a number (`numeric`). In the last two
 * what an instance cannot look up is sent as it was typed: by the API documents it takes that.
 */
export async function withIds(context: Context, command: Command, input: Input): Promise<Input> {
  const ids: Input = {};
  const isChange = command.requests.some(changes);
  for (const [name, { names: what, placeholder = name }] of Object.entries({ ...command.args, ...command.params })) {
    const typed = input[name];
    if (what === undefined || typed === undefined) continue;
    const label = name in command.args ? `<${placeholder}>` : `--${name.replaceAll("_", "-")}`;
    ids[name] = await idOf(context, what, String(typed), label, isChange);
  }
  const { group, user, project } = input;
  if (command.requests.some(({ dotless }) => dotless)) {
    if (hasDot(group)) ids.group = String((await placeId(context, "group", group)) ?? group);
    if (hasDot(user)) ids.user = String(await lookUp(context, "user", user, false));
  }
  if (typeof project === "string" && command.requests.some(({ numeric }) => numeric)) {
    ids.project = await numericProject(context, project);
  }
  return { ...input, ...ids };
}

/** A project as a route takes it that wants a number: where the instance does not look projects up, the path is sent. */
export async function numericProject(context: Context, project: string): Promise<string> {
  return /^\d+$/.test(project) ? project : String((await placeId(context, "project", project)) ?? project);
}

function hasDot(text: unknown): text is string {
  return typeof text === "string" && text.includes(".");
}

/**
 * The ID that a text is, or that of what is called so.
 *
 * @param label what gave it: `--parent-id`
 * @param tells a notice says which ID a name stands for
 */
export async function idOf(context: Context, what: Named, text: string, label: string, tells = false): Promise<number> {
  return idIn(text, label) ?? lookUp(context, what, text, tells);
}

/** The ID that a text is; undefined where it is a name. Digits that are no ID are a UsageError. */
export function idIn(text: string, label: string): number | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  const id = Number(text);
  if (Number.isSafeInteger(id) && id > 0) return id;
  throw new UsageError(`${label}: must be an ID (a whole number of at least 1) or a name, not "${text}"`);
}

/** Looks up the ID of what is called so: a username, or the full path of a group or a project. None: exit 3. */
export async function lookUp(context: Context, what: Named, name: string, tells = true): Promise<number> {
  const id = what === "user" ? await userNamed(context, name) : await placeId(context, what, name);
  if (id === undefined) throw missing(what, name);
  if (tells) context.notice(`${what} ${name} is ${what} ${id}`);
  return id;
}

/** Exact, in any case. */
async function userNamed(context: Context, username: string): Promise<number | undefined> {
  for await (const { id } of context.api.list(listUsers, { username }, { limit: 1 })) return id;
  return undefined;
}

async function placeId(context: Context, what: "group" | "project", path: string): Promise<number | undefined> {
  const asked =
    what === "group" ? context.api.call(getGroup, { group: path }) : context.api.call(getProject, { project: path });
  const { id = 0 } = (await asked.catch(undefinedOn("notFound"))) ?? {};
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

function missing(what: Named, name: string): Failure {
  if (what === "user") {
    return new Failure("notFound", `there is no user "${name}"`, {
      reason: "not found, or not visible to this token",
      hint: `forgectl ${commandLine(["users", "list", "--search", name])}`,
    });
  }
  return new Failure("notFound", `the ${what} "${name}" was not found`, {
    reason: "not found, or not visible to this token; nothing was changed",
    hint: `check the path; where the instance does not look ${what}s up by path, give the ID`,
  });
}
