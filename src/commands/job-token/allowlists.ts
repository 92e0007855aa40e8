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
import { type Entity, required, string } from "../../api/field.ts";
import type { Api } from "../../api/types.ts";
import type { Context } from "../../context.ts";
import { type Command, command, group } from "../../declare/command.ts";
import { idIn } from "../../verbs/lookup.ts";
import { madeOrLookedAt } from "../../verbs/lost.ts";
import { remove } from "../../verbs/remove.ts";
import { list } from "../../verbs/verbs.ts";

/** One of the two allowlists of a project, with the calls on it. */
interface Allowlist {
  what: "project" | "group";
  /** The parameter that holds the ID of what is listed. */
  key: "target_project_id" | "target_group_id";
  endpoint: typeof allowProject | typeof allowGroup;
  link: Entity;
  allow(context: Context, project: string, target: number): Promise<object>;
  listed(api: Api, project: string): AsyncIterable<{ id: number }>;
}

const linkOf = (endpoint: typeof allowProject | typeof allowGroup) => entityOf(endpoint) as Entity;

const projectList: Allowlist = {
  what: "project",
  key: "target_project_id",
  endpoint: allowProject,
  link: linkOf(allowProject),
  allow: ({ api }, project, target_project_id) => api.call(allowProject, { project, target_project_id }),
  listed: (api, project) => api.list(listAllowedProjects, { project }, { limit: undefined }),
};

const groupList: Allowlist = {
  what: "group",
  key: "target_group_id",
  endpoint: allowGroup,
  link: linkOf(allowGroup),
  allow: ({ api }, project, target_group_id) => api.call(allowGroup, { project, target_group_id }),
  listed: (api, project) => api.list(listAllowedGroups, { project }, { limit: undefined }),
};

const other = { project: "groups", group: "projects" } as const;

export const projects = group("projects", "Projects on the allowlist", [
  list("list", listAllowedProjects, ["id", "path_with_namespace", "last_activity_at", "web_url"], {
    examples: [{ line: "job-token projects list -p acme/storefront" }],
    related: ["job-token projects add", "job-token groups list"],
  }),
  add(projectList, ["job-token projects add 9 -p acme/storefront"]),
  remove("remove", disallowProject, {
    noun: "the access of project",
    deed: "revoke",
    details: lookedUp("project"),
    params: { target_project_id: target("project") },
    requests: [getProject],
    shows: listAllowedProjects,
    undo: { line: "job-token projects add {target_project_id} -p {project}" },
    examples: [{ line: "job-token projects remove 3 -p acme/storefront --yes" }],
    related: ["job-token projects list"],
  }),
]);

export const groups = group("groups", "Groups on the allowlist", [
  list("list", listAllowedGroups, ["id", "name", "web_url"], {
    examples: [{ line: "job-token groups list -p acme/storefront" }],
    related: ["job-token groups add", "job-token projects list"],
  }),
  add(groupList, ["job-token groups add 8 -p acme/storefront"]),
  remove("remove", disallowGroup, {
    noun: "the access of group",
    deed: "revoke",
    details: lookedUp("group"),
    params: { target_group_id: target("group") },
    requests: [getGroup],
    shows: listAllowedGroups,
    undo: { line: "job-token groups add {target_group_id} -p {project}" },
    examples: [{ line: "job-token groups remove 4 -p acme/storefront --yes" }],
    related: ["job-token groups list"],
  }),
]);

function add(allowlist: Allowlist, lines: readonly string[]): Command {
  const { what, link, endpoint } = allowlist;
  return command({
    name: "add",
    summary: endpoint.summary,
    details: lookedUp(what),
    args: { target: required(target(what)) },
    params: { project: required(project) },
    requests: [endpoint, what === "project" ? getProject : getGroup],
    returns: link,
    examples: lines.map((line) => ({ line })),
    undo: { line: `job-token ${what}s remove {target} -p {project}` },
    related: [`job-token ${what}s list`, `job-token ${other[what]} add`],
    async run(context, { project, target }) {
      const id = Number(target);
      let record: object = { source_project_id: idIn(project, "--project") ?? null, [allowlist.key]: id };
      await madeOrLookedAt(
        context,
        async () => {
          record = await allowlist.allow(context, project, id);
        },
        (api) => isListed(allowlist.listed(api, project), id),
      );
      return { record };
    },
  });
}

function target(what: "project" | "group") {
  const tokens = what === "project" ? "the project" : "the group's projects";
  return string(`The ${what}, by ID or path; access is for the job tokens of ${tokens}`, {
    placeholder: `${what}-id`,
    completes: what,
    names: what,
    min: 1,
  });
}

function lookedUp(what: "project" | "group"): string {
  return `A path is looked up, where the instance offers that, and shown with its ID; otherwise give the ${what}'s ID.`;
}

async function isListed(rows: AsyncIterable<{ id: number }>, id: number): Promise<boolean> {
  for await (const row of rows) if (row.id === id) return true;
  return false;
}
