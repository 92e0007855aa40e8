import { allowlistLimit, listAllowedGroups, listAllowedProjects } from "../../api/endpoints/job-token.ts";
import { getGroup, getProject } from "../../api/endpoints/places.ts";
import { project as projectScope } from "../../api/endpoints/scope.ts";
import { array, entity, id, integer, nullable, required, string, uncut } from "../../api/field.ts";
import { undefinedOn } from "../../base/errors.ts";
import { groupsAbove, isId, isPossiblePath } from "../../base/group-paths.ts";
import { actionTones } from "../../base/tone.ts";
import { requireBaseUrl } from "../../config/resolve.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { fleetRequests, projectsBelow } from "../../verbs/fleet.ts";
import { checkOutputFile, writeText } from "../../verbs/output-file.ts";
import { type Allowed, accessBy, type Compaction, compact as compactEntries } from "./compaction.ts";

const CompactionStep = entity("CompactionStep", {
  action: string("create or delete", { tones: actionTones }),
  kind: string("project or group"),
  id: nullable(id("ID of the project or the group")),
  path: uncut(),
  by: nullable(uncut("The group that covers a deleted entry")),
  covers: nullable(integer("How many entries a group replaces")),
  admits: nullable(
    array(string(), "Projects that have access only by the group", { whole: true, worded: (all) => all.join("; ") }),
  ),
});

export const compact = command({
  name: "compact",
  summary: "Plan fewer entries on a project's allowlists: groups in place of many projects",
  details:
    "Proposes the fewest groups that cover at least three entries each (--at-least), and lists the projects that each would newly " +
    "let in: future projects of the group are let in too, and projects that this token cannot see. No project loses " +
    "access, and one whose permissions are restricted, which the API does not show, gains all by a group. A group that " +
    "this token does not see is not proposed. " +
    `Instances accept ${allowlistLimit} projects and ${allowlistLimit} groups. Sends GET only; --save writes a ` +
    "file for state apply --prune.",
  params: {
    project: required(projectScope),
    at_least: integer("Fewest entries that a group replaces", { placeholder: "n", min: 1, default: 3 }),
    exclude: array(string("", { placeholder: "id|path" }), "Do not propose this group"),
    save: string("Write the allowlists as a state file", { placeholder: "file", completes: "file", writes: "whole" }),
  },
  requests: [listAllowedProjects, listAllowedGroups, ...fleetRequests, getProject],
  returns: CompactionStep,
  prints: "rows",
  examples: [
    { line: "job-token compact -p acme/storefront" },
    { line: "job-token compact -p acme/storefront --at-least 2 --exclude acme --save allowlists.yaml" },
  ],
  related: ["job-token projects list", "job-token groups list", "state plan"],
  async run(context, { project, at_least: atLeast = 3, exclude = [], save }) {
    if (save !== undefined) await checkOutputFile(context, save, "--save");
    const own = (await context.api.call(getProject, { project })).path_with_namespace;
    const entries = await entriesOf(context, project, own);
    const excluded = await excludedPaths(context, exclude, entries);
    const { plan, added } = await proposal(context, entries, { own, atLeast, excluded });
    const after = left(entries, plan, added);
    const covered = new Map<string, number>();
    for (const { by } of plan.remove) covered.set(by, (covered.get(by) ?? 0) + 1);
    if (save !== undefined) {
      const text = await stateFile({ instance: requireBaseUrl(context.config), own, entries, plan, added });
      if ((await writeText(context, save, text)) === "would be written") context.notice(`${save} would be written`);
    }
    return {
      rows: [
        ...added.map(({ id, path, admits }) => {
          return { action: "create", kind: "group", id, path, by: null, covers: covered.get(path) ?? 0, admits };
        }),
        ...plan.remove.map(({ entry: { kind, id, path }, by }) => {
          return { action: "delete", kind, id, path, by, covers: null, admits: null };
        }),
      ],
      columns: ["action", "kind", "id", "path", "by", "covers", "admits"],
      finishes: true,
      until: async (printed) => {
        await printed;
        const accepted = `an instance accepts ${allowlistLimit} projects and ${allowlistLimit} groups`;
        context.notice(`${entries.length} entries become ${after.project + after.group}; ${accepted}`);
        for (const kind of ["project", "group"] as const) {
          if (after[kind] <= allowlistLimit) continue;
          context.warn(`${after[kind]} ${kind}s are still too many: lower --at-least, or exclude fewer groups`);
        }
      },
    };
  },
});

/** How many entries of each kind there are after the plan. */
function left(entries: readonly Allowed[], { remove }: Compaction, added: readonly Added[]) {
  const rest = (kind: Allowed["kind"]) =>
    entries.filter((entry) => entry.kind === kind).length - remove.filter(({ entry }) => entry.kind === kind).length;
  return { project: rest("project"), group: rest("group") + added.length };
}

interface Added {
  readonly id: number;
  readonly path: string;
  readonly admits: readonly string[];
}

/** Both allowlists, without the project itself, which always has access. */
async function entriesOf(context: Context, project: string, own: string): Promise<Allowed[]> {
  const entries: Allowed[] = [];
  const all = { limit: undefined };
  for await (const { id, path_with_namespace: path, namespace } of context.api.list(
    listAllowedProjects,
    { project },
    all,
  )) {
    // Some instances return only ID and path.
    const personal = (namespace as { kind?: string } | undefined)?.kind === "user";
    if (path !== own) entries.push({ kind: "project", id, path, personal });
  }
  for await (const { id } of context.api.list(listAllowedGroups, { project }, all)) {
    const found = await shownGroup(context, String(id));
    entries.push({ kind: "group", id, path: found?.full_path });
  }
  return entries;
}

/** A group above an entry is not looked up: the instance need not show it to this token. */
async function excludedPaths(context: Context, exclude: readonly string[], entries: readonly Allowed[]) {
  const possible = entries.flatMap(({ path }) => (path !== undefined && isPossiblePath(path) ? [path] : []));
  const above = new Set(possible.flatMap((path) => [...groupsAbove(path)]).map((path) => path.toLowerCase()));
  const paths: string[] = [];
  for (const group of exclude) {
    const isKnown = !isId(group) && above.has(group.toLowerCase());
    paths.push(isKnown ? group : (await context.api.call(getGroup, { group })).full_path);
  }
  return paths;
}

interface Wanted {
  readonly own: string;
  readonly atLeast: number;
  readonly excluded: readonly string[];
}

/**
 * The plan, and its groups as the instance shows them. One that it does not show to this token, or that is a user's
 * namespace, is left out, and the rest is planned again.
 */
async function proposal(context: Context, entries: readonly Allowed[], { own, atLeast, excluded }: Wanted) {
  const hasAccess = accessBy(entries);
  const found = new Map<string, Added | undefined>();
  const unseen: string[] = [];
  while (true) {
    const plan = compactEntries(entries, atLeast, [...excluded, ...unseen]);
    for (const path of plan.add) {
      if (found.has(path)) continue;
      const shown = await shownGroup(context, path);
      found.set(path, shown && (await addedGroup(context, { id: shown.id, path }, hasAccess, own)));
    }
    const hidden = plan.add.filter((path) => found.get(path) === undefined);
    if (hidden.length === 0) return { plan, added: plan.add.flatMap((path) => found.get(path) ?? []) };
    for (const path of hidden) {
      context.warn(`${path} is not proposed: this token does not see a group of this path`);
      unseen.push(path);
    }
  }
}

/** Undefined if this token does not see it; any other failure does not say so. */
function shownGroup(context: Context, group: string) {
  return context.api.call(getGroup, { group }).catch(undefinedOn("notFound", "forbidden"));
}

async function addedGroup(
  context: Context,
  { id, path: group }: { id: number; path: string },
  hasAccess: (project: string) => boolean,
  own: string,
): Promise<Added> {
  const { scopes } = await projectsBelow(context, group, { archived: true, doomed: true });
  const admits = scopes.map(({ path }) => path).filter((path) => path !== own && !hasAccess(path));
  return { id, path: group, admits };
}

interface Compacted {
  readonly instance: string;
  readonly own: string;
  readonly entries: readonly Allowed[];
  readonly plan: Compaction;
  readonly added: readonly Added[];
}

/** For this instance alone: its groups are given by ID, which is another group's on another one. */
async function stateFile({ instance, own, entries, plan, added }: Compacted): Promise<string> {
  const { toStateYaml } = await import("../../state/yaml/yaml.ts");
  const removed = new Set(plan.remove.map(({ entry }) => entry));
  const kept = entries.filter((entry) => !removed.has(entry));
  const projects = kept.filter(({ kind }) => kind === "project").map(({ id, path }) => path ?? id);
  const groups = [...kept.filter(({ kind }) => kind === "group"), ...added].map(({ id }) => id);
  const section = { job_token_scope: { allowlist: projects, groups_allowlist: groups } };
  return toStateYaml({ forgectl: 1, instance, projects: { [own]: section } });
}
