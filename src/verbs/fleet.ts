import { getGroup, listDescendantGroups, listGroupProjects } from "../api/endpoints/places.ts";
import { boolean } from "../api/field.ts";
import { jobTokenRefused } from "../api/job-token.ts";
import { shorterList } from "../api/shorter-lists.ts";
import { compareTexts } from "../base/compare-texts.ts";
import { isBelow, nameInRequests } from "../base/group-paths.ts";
import { requireCredential } from "../config/credential.ts";
import type { Context } from "../context.ts";
import { refuseEarlierPath } from "./lookup.ts";
import { wholeList } from "./whole-list.ts";

/** `--archived`, for commands on all projects of a group. */
export const archivedFlag = boolean("Of a group, take archived projects too");

/** What `projectsBelow` sends. */
export const fleetRequests = [getGroup, listGroupProjects] as const;

/** A project or group below a group. */
export interface FleetScope {
  readonly id: number;
  readonly path: string;
}

/** The projects below a group, or the groups. */
export interface Fleet {
  /** The group's ID. */
  readonly id: number;
  /** The group's full path: what was typed may be an ID, or an earlier path. */
  readonly path: string;
  /** How requests name the group. */
  readonly group: string;
  readonly scopes: readonly FleetScope[];
  /** Those that were left out, and why. */
  readonly passedOver: readonly { readonly path: string; readonly why: string }[];
  /** How many were left out, by reason; reasons without any are left out. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** Whether all of them could be listed; if not, a warning has said so. */
  readonly isWhole: boolean;
}

/**
 * The projects of a group and of all groups below it, by path. Left out are projects that are only shared with one of
 * them, and unless requested archived ones, and those that are about to be deleted (`doomed`).
 */
export async function projectsBelow(
  context: Context,
  group: string,
  { archived = false, doomed = false }: { archived?: boolean | undefined; doomed?: boolean } = {},
): Promise<Fleet> {
  await requireAccessToken(context, "List the projects of a group");
  const { id: groupId, path } = await shownGroup(context, group);
  // By ID, so that a project that is created meanwhile does not shift the pages.
  const below = { group, include_subgroups: true, with_shared: false, order_by: "id", sort: "asc" } as const;
  const projects: FleetScope[] = [];
  const passedOver: { path: string; why: string }[] = [];
  const wanted = { ...below, ...(!archived && { archived: false }) };
  const { rows, isWhole } = await wholeList(context.api, listGroupProjects, wanted);
  for (const { id, path_with_namespace: name, marked_for_deletion_on: end } of rows) {
    if (!isBelow(name, path)) passedOver.push({ path: name, why: "shared only" });
    else if (typeof end === "string" && !doomed) passedOver.push({ path: name, why: "to be deleted" });
    else projects.push({ id, path: name });
  }
  if (!archived) {
    const old = context.api.list(listGroupProjects, { ...below, archived: true }, { limit: undefined });
    for await (const { path_with_namespace: name } of old) {
      if (isBelow(name, path)) passedOver.push({ path: name, why: "archived" });
    }
  }
  return fleetOf(context, { id: groupId, path }, { found: projects, passedOver, isWhole });
}

/** The groups below a group, at any depth, by path. */
export async function groupsBelow(context: Context, group: string): Promise<Fleet> {
  await requireAccessToken(context, "List the groups below a group");
  const { id: groupId, path } = await shownGroup(context, group);
  const groups: FleetScope[] = [];
  const passedOver: { path: string; why: string }[] = [];
  const { rows, isWhole } = await wholeList(context.api, listDescendantGroups, { group });
  for (const found of rows) {
    const {
      id,
      full_path: name,
      marked_for_deletion_on: end,
    } = found as typeof found & {
      marked_for_deletion_on?: unknown;
    };
    if (!isBelow(name, path)) continue;
    if (typeof end === "string") passedOver.push({ path: name, why: "to be deleted" });
    else groups.push({ id, path: name });
  }
  return fleetOf(context, { id: groupId, path }, { found: groups, passedOver, isWhole });
}

/** Of what is not below the path of the group, nothing is listed: one that was not asked for would leave out all. */
async function shownGroup({ api }: Context, group: string): Promise<{ id: number; path: string }> {
  const { id, full_path: path } = await api.call(getGroup, { group });
  refuseEarlierPath("group", group, { id, path });
  return { id, path };
}

/** With a job token, or none, the list has what is public, which says nothing of the others. */
async function requireAccessToken({ config }: Context, summary: string): Promise<void> {
  const { kind, source } = await requireCredential(config);
  if (kind === "job") throw jobTokenRefused(summary, source);
}

type Listed = Pick<Fleet, "passedOver" | "isWhole"> & { readonly found: readonly FleetScope[] };

function fleetOf({ warn }: Context, group: FleetScope, { found, passedOver, isWhole }: Listed): Fleet {
  if (!isWhole) warn(shorterList);
  const leftOut: Record<string, number> = {};
  for (const { why } of passedOver) leftOut[why] = (leftOut[why] ?? 0) + 1;
  // A group that is created while the list is read shifts its pages, and two of them show the same.
  const scopes = [...new Map(found.map((one) => [one.id, one])).values()];
  scopes.sort((a, b) => compareTexts(a.path, b.path));
  return { ...group, group: nameInRequests(group), scopes, passedOver, leftOut, isWhole };
}

/**
 * The projects of several groups, each once, by path, and the groups whose list is in part; what was left out is
 * reported.
 */
export async function pathsBelow(
  context: Context,
  groups: readonly string[],
  options: { archived?: boolean | undefined } = {},
): Promise<{ paths: string[]; inPart: string[] }> {
  const paths: string[] = [];
  const inPart: string[] = [];
  for (const group of groups) {
    const fleet = await projectsBelow(context, group, options);
    if (!fleet.isWhole) inPart.push(fleet.path);
    for (const { path } of fleet.scopes) paths.push(path);
    noticeLeftOut(context, fleet);
  }
  return { paths, inPart };
}

/** Prints how many were left out, and why. */
export function noticeLeftOut(context: Context, { path, leftOut }: Fleet): void {
  const reasons = Object.entries(leftOut).map(([why, count]) => `${count} ${why}`);
  if (reasons.length > 0) context.notice(`${path}: left out ${reasons.join(", ")}`);
}
