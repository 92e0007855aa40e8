import { entityOf } from "../../api/endpoint.ts";
import {
  allowGroup,
  allowProject,
  disallowGroup,
  disallowProject,
  listAllowedGroups,
  listAllowedProjects,
} from "../../api/endpoints/job-token.ts";
import { getGroup, getProject } from "../../api/endpoints/places.ts";
import { project } from "../../api/endpoints/scope.ts";
import { type Entity, id, required, string } from "../../api/field.ts";
import type { Api } from "../../api/types.ts";
import type { Context } from "../../context.ts";
import { type Command, command, group } from "../../declare/command.ts";
import { confirm } from "../../verbs/confirm.ts";
import { deletionOf } from "../../verbs/deleted.ts";
import { idIn, lookUp, numericProject } from "../../verbs/lookup.ts";
import { madeOrLookedAt } from "../../verbs/lost.ts";
import { list } from "../../verbs/verbs.ts";

/** One of the two allowlists of a project, with the calls on it. */
interface Allowlist {
  what: "project" | "group";
  /** The parameter that holds the ID of what is listed. */
  key: "target_project_id" | "target_group_id";
  endpoints: Record<
    "allow" | "disallow",
    typeof allowProject | typeof allowGroup | typeof disallowProject | typeof disallowGroup
  >;
  link: Entity;
  allow(context: Context, project: string, target: number): Promise<object>;
  disallow(context: Context, project: string, target: number): Promise<undefined>;
  listed(api: Api, project: string): AsyncIterable<{ id: number }>;
}

const linkOf = (endpoint: typeof allowProject | typeof allowGroup) => entityOf(endpoint) as Entity;

const projectList: Allowlist = {
  what: "project",
  key: "target_project_id",
  endpoints: { allow: allowProject, disallow: disallowProject },
  link: linkOf(allowProject),
  allow: ({ api }, project, target_project_id) => api.call(allowProject, { project, target_project_id }),
  disallow: ({ api }, project, target_project_id) => api.call(disallowProject, { project, target_project_id }),
  listed: (api, project) => api.list(listAllowedProjects, { project }, { limit: undefined }),
};

const groupList: Allowlist = {
  what: "group",
  key: "target_group_id",
  endpoints: { allow: allowGroup, disallow: disallowGroup },
  link: linkOf(allowGroup),
  allow: ({ api }, project, target_group_id) => api.call(allowGroup, { project, target_group_id }),
  disallow: ({ api }, project, target_group_id) => api.call(disallowGroup, { project, target_group_id }),
  listed: (api, project) => api.list(listAllowedGroups, { project }, { limit: undefined }),
};

const other = { project: "groups", group: "projects" } as const;

export const projects = group("projects", "Projects on the allowlist", [
  list("list", listAllowedProjects, ["id", "path_with_namespace", "last_activity_at", "web_url"], {
    examples: [{ line: "job-token projects list -p acme/storefront" }],
    related: ["job-token projects add", "job-token groups list"],
  }),
  add(projectList, ["job-token projects add 9 -p acme/storefront"]),
  remove(projectList, ["job-token projects remove 3 -p acme/storefront --yes"]),
]);

export const groups = group("groups", "Groups on the allowlist", [
  list("list", listAllowedGroups, ["id", "name", "web_url"], {
    examples: [{ line: "job-token groups list -p acme/storefront" }],
    related: ["job-token groups add", "job-token projects list"],
  }),
  add(groupList, ["job-token groups add 8 -p acme/storefront"]),
  remove(groupList, ["job-token groups remove 4 -p acme/storefront --yes"]),
]);

function add(allowlist: Allowlist, lines: readonly string[]): Command {
  const { what, link, endpoints } = allowlist;
  return command({
    name: "add",
    summary: endpoints.allow.summary,
    details: lookedUp(what),
    args: { target: required(target(what)) },
    params: { project: required(project) },
    requests: [endpoints.allow, what === "project" ? getProject : getGroup],
    returns: link,
    examples: lines.map((line) => ({ line })),
    related: [`job-token ${what}s list`, `job-token ${other[what]} add`],
    async run(context, { project, target }) {
      const id = await targetId(context, what, target);
      const place = await numericProject(context, project);
      let record: object = { source_project_id: idIn(place, "--project") ?? null, [allowlist.key]: id };
      await madeOrLookedAt(
        context,
        async () => {
          record = await allowlist.allow(context, place, id);
        },
        (api) => isListed(allowlist.listed(api, place), id),
      );
      return { record };
    },
  });
}

function remove(allowlist: Allowlist, lines: readonly string[]): Command {
  const { what, key, endpoints } = allowlist;
  const Deleted = deletionOf({ [key]: id() });
  return command({
    name: "remove",
    summary: endpoints.disallow.summary,
    details: lookedUp(what),
    args: { target: required(target(what)) },
    params: { project: required(project) },
    requests: [endpoints.disallow, what === "project" ? getProject : getGroup],
    returns: Deleted,
    examples: lines.map((line) => ({ line })),
    related: [`job-token ${what}s list`],
    async run(context, { project, target }) {
      const id = await targetId(context, what, target);
      const named = target === String(id) ? target : `${target} (${id})`;
      await confirm(context, { action: `revoke the access of ${what} ${named} to project ${project}` });
      const place = await numericProject(context, project);
      await madeOrLookedAt(
        context,
        () => allowlist.disallow(context, place, id),
        async (api) => !(await isListed(allowlist.listed(api, place), id)),
        `${what} ${id} is not on the allowlist`,
      );
      return { rows: [{ [key]: id, status: "deleted" }], columns: [key, "status"] };
    },
  });
}

function target(what: "project" | "group") {
  const tokens = what === "project" ? "the project" : "the group's projects";
  return string(`The ${what}, by ID or path; access is for the job tokens of ${tokens}`, {
    placeholder: `${what}-id`,
    completes: what,
    min: 1,
  });
}

function lookedUp(what: "project" | "group"): string {
  return `A path is looked up, where the instance offers that, and shown with its ID; otherwise give the ${what}'s ID.`;
}

async function targetId(context: Context, what: "project" | "group", text: string): Promise<number> {
  return idIn(text, `<${what}-id>`) ?? lookUp(context, what, text);
}

async function isListed(rows: AsyncIterable<{ id: number }>, id: number): Promise<boolean> {
  for await (const row of rows) if (row.id === id) return true;
  return false;
}
