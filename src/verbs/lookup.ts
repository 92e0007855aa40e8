import { changes } from "../api/endpoint.ts";
import { listUsers } from "../api/endpoints/users.ts";
import { type PlaceKind, readPlace } from "../api/place.ts";
import { Failure, UsageError, undefinedOn } from "../base/errors.ts";
import { isId, nameInRequests } from "../base/group-paths.ts";
import { commandLine } from "../base/shell-words.ts";
import type { Context } from "../context.ts";
import type { Command } from "../declare/command.ts";
import { isChanging } from "../declare/is-changing.ts";
import { placeName } from "../declare/place-name.ts";
import type { ListedName } from "./listed-names.ts";

// Looks up IDs of objects that the user may name, for routes that take only IDs.

export type Named = "user" | PlaceKind;

type Input = Record<string, unknown>;

/**
 * Replaces names by IDs if the command's routes take no names: in fields that take a name (`names`), for a group or
 * user with a dot if the route accepts none (`dotless`), for a project if it must be a number (`numeric`). In the last
 * two cases, a name that an instance cannot look up is sent as typed, since the API documents allow it.
 */
export async function withIds(context: Context, command: Command, typed: Input): Promise<Input> {
  const input = { ...typed, ...placesIn(context, command, typed) };
  const ids: Input = {};
  const isChange = command.requests.some(changes);
  for (const [name, field] of Object.entries({ ...command.args, ...command.params })) {
    const { names: what = field.item?.names, placeholder = name } = field;
    const value = input[name];
    if (what === undefined || value === undefined) continue;
    const label = name in command.args ? `<${placeholder}>` : `--${name.replaceAll("_", "-")}`;
    if (what === "hook" || what === "repository") {
      ids[name] = await listedId(context, what, value, { input, notify: isChange });
      continue;
    }
    ids[name] = await idOf(context, what, String(value), label, isChange);
  }
  const { group, user, project } = input;
  if (command.requests.some(({ dotless }) => dotless)) {
    if (hasDot(group)) ids.group = String((await placeId(context, "group", group, isChange)) ?? group);
    if (hasDot(user)) ids.user = String(await lookUp(context, "user", user, false));
  }
  if (typeof project === "string" && command.requests.some(({ numeric }) => numeric)) {
    ids.project = await numericProject(context, project);
  }
  return { ...input, ...ids };
}

/** Projects and groups that are given as arguments, in the form that the API takes. */
function placesIn({ config }: Context, command: Command, input: Input): Input {
  const isToChange = isChanging(command, input);
  const names: Input = {};
  for (const [name, { completes, names: what = completes, placeholder = name }] of Object.entries(command.args)) {
    const text = input[name];
    if ((what !== "project" && what !== "group") || typeof text !== "string") continue;
    names[name] = placeName(text, what, `<${placeholder}>`, config, isToChange);
  }
  return names;
}

/** The ID, or IDs, of objects that a list names; numbers are IDs already. */
async function listedId(
  context: Context,
  what: ListedName,
  typed: unknown,
  { input, notify }: { input: Input; notify: boolean },
): Promise<unknown> {
  if (Array.isArray(typed)) {
    const ids: unknown[] = [];
    for (const each of typed) ids.push(await listedId(context, what, each, { input, notify }));
    return [...new Set(ids)];
  }
  if (typeof typed !== "string") return typed;
  const { idNamed } = await import("./listed-names.ts");
  const id = await idNamed(context, what, typed, input);
  if (notify) context.notice(`${what} ${typed} is ${what} ${id}`);
  return id;
}

/** A project for a change that takes only an ID; if the instance cannot look it up, the path is sent. */
export async function numericProject(context: Context, project: string): Promise<string> {
  return isId(project) ? project : String((await placeId(context, "project", project, true)) ?? project);
}

function hasDot(text: unknown): text is string {
  return typeof text === "string" && text.includes(".");
}

/**
 * Parses an ID, or looks up the ID of a name.
 *
 * @param label its source: `--parent-id`
 * @param notify for a change: prints a notice with the ID of the name, and refuses one that has moved
 */
export async function idOf(
  context: Context,
  what: Named,
  text: string,
  label: string,
  notify = false,
): Promise<number> {
  return idIn(text, label) ?? lookUp(context, what, text, notify);
}

/** Parses an ID; undefined for a name. Digits that are not a valid ID are a UsageError. */
export function idIn(text: string, label: string): number | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  const id = Number(text);
  if (Number.isSafeInteger(id) && id > 0) return id;
  throw new UsageError(`${label}: must be an ID (a whole number of at least 1) or a name, not "${text}"`);
}

/** Looks up an ID by username, or by the full path of a group or a project. Not found: exit 3. */
export async function lookUp(context: Context, what: Named, name: string, notify = true): Promise<number> {
  const id = what === "user" ? await userNamed(context, name) : await placeId(context, what, name, notify);
  if (id === undefined) throw missing(what, name);
  if (notify) context.notice(`${what} ${name} is ${what} ${id}`);
  return id;
}

/** By the exact name, ignoring case: an instance that ignores the filter would answer with any user. */
async function userNamed(context: Context, username: string): Promise<number | undefined> {
  for await (const user of context.api.list(listUsers, { username }, { limit: 1 })) {
    if (user.username.toLowerCase() === username.toLowerCase()) return user.id;
  }
  return undefined;
}

/** The read of an earlier path is redirected; a change is not made by it, nor by the ID that it leads to. */
async function placeId(
  { api }: Context,
  what: PlaceKind,
  name: string,
  isChange: boolean,
): Promise<number | undefined> {
  const place = await readPlace(api, what, name).catch(undefinedOn("notFound"));
  if (place !== undefined && isChange) refuseEarlierPath(what, name, place);
  return place?.id;
}

/** Throws if what was typed is neither an ID nor the path that the instance shows. */
export function refuseEarlierPath(
  what: PlaceKind,
  typed: string,
  shown: { readonly id: number | undefined; readonly path: string },
): void {
  if (isId(typed) || shown.path.toLowerCase() === typed.toLowerCase()) return;
  throw new Failure("refused", `the ${what} ${typed} has moved to ${shown.path}`, {
    code: "moved",
    reason: "an earlier path may be another one's by now",
    nothing: "sent",
    retryable: false,
    hint: `give ${nameInRequests(shown)}`,
  });
}

function missing(what: Named, name: string): Failure {
  if (what === "user") {
    return new Failure("notFound", `the user "${name}" was not found`, {
      reason: "not found, or not visible to this token",
      hint: `forgectl ${commandLine(["users", "list", "--search", name])}`,
    });
  }
  return new Failure("notFound", `the ${what} "${name}" was not found`, {
    reason: "not found, or not visible to this token",
    nothing: "changed",
    hint: `check the path; if the instance does not look up ${what}s by path, give the ID`,
  });
}
