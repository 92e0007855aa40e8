import {
  allowGroup,
  allowProject,
  disallowGroup,
  disallowProject,
  GroupLink,
  listAllowedGroups,
  listAllowedProjects,
  ProjectLink,
} from "../../api/endpoints/job-token.ts";
import { getGroup, getProject } from "../../api/endpoints/places.ts";
import { type Entity, string } from "../../api/field.ts";
import { unseenGroup } from "../../api/unseen-targets.ts";
import { group } from "../../declare/command.ts";
import { regained } from "../../state/kinds/job-token.ts";
import { idIn } from "../../verbs/lookup.ts";
import { remove } from "../../verbs/remove.ts";
import type { ResourceView } from "../../verbs/resource-view.ts";
import { create, list } from "../../verbs/verbs.ts";

/** The argument that names an entry of an allowlist. */
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
  return `A path is looked up, if the instance supports that, and shown with its ID; otherwise give the ${what}'s ID.`;
}

/** A new entry as answered; if the answer was lost, as sent. */
function link(entity: Entity): ResourceView {
  return {
    entity,
    read: ({ project, ...rest }: { project?: string }) =>
      project === undefined ? rest : { source_project_id: idIn(project, "--project") ?? null, ...rest },
  };
}

export const projects = group("projects", "Projects on the allowlist", [
  list("list", listAllowedProjects, ["id", "path_with_namespace", "last_activity_at", "web_url"], {
    examples: [{ line: "job-token projects list -p acme/storefront" }],
    related: ["job-token projects add", "job-token groups list"],
  }),
  create("add", allowProject, {
    details: lookedUp("project"),
    params: { target_project_id: target("project") },
    argument: "target_project_id",
    requests: [getProject, listAllowedProjects],
    shows: listAllowedProjects,
    shown: link(ProjectLink),
    undo: { line: "job-token projects remove {target_project_id} -p {project}" },
    examples: [{ line: "job-token projects add 9 -p acme/storefront" }],
    related: ["job-token projects list", "job-token groups add"],
  }),
  remove("remove", disallowProject, {
    noun: "the access of project",
    action: "revoke",
    remark: regained,
    details:
      `${lookedUp("project")} Restricted permissions of an entry are not known to the API: added again, it has all. ` +
      "Only an entry of a project that the token sees can be removed.",
    params: { target_project_id: target("project") },
    requests: [getProject],
    shows: listAllowedProjects,
    unseen: true,
    undo: { line: "job-token projects add {target_project_id} -p {project}", but: regained },
    examples: [{ line: "job-token projects remove 3 -p acme/storefront --yes" }],
    related: ["job-token projects list"],
  }),
]);

export const groups = group("groups", "Groups on the allowlist", [
  list("list", listAllowedGroups, ["id", "name", "web_url"], {
    examples: [{ line: "job-token groups list -p acme/storefront" }],
    related: ["job-token groups add", "job-token projects list"],
  }),
  create("add", allowGroup, {
    details: lookedUp("group"),
    params: { target_group_id: target("group") },
    argument: "target_group_id",
    requests: [getGroup, listAllowedGroups],
    shows: listAllowedGroups,
    shown: link(GroupLink),
    undo: { line: "job-token groups remove {target_group_id} -p {project}" },
    examples: [{ line: "job-token groups add 8 -p acme/storefront" }],
    related: ["job-token groups list", "job-token projects add"],
  }),
  remove("remove", disallowGroup, {
    noun: "the access of group",
    action: "revoke",
    remark: regained,
    details:
      `${lookedUp("group")} Restricted permissions of an entry are not known to the API: added again, it has all. ` +
      "A group that the token does not see can be removed, but not added again.",
    params: { target_group_id: target("group") },
    requests: [getGroup],
    shows: listAllowedGroups,
    sight: { read: (api, group) => api.call(getGroup, { group: String(group) }), without: unseenGroup },
    undo: { line: "job-token groups add {target_group_id} -p {project}", but: regained, unless: ["before.unseen"] },
    examples: [{ line: "job-token groups remove 4 -p acme/storefront --yes" }],
    related: ["job-token groups list"],
  }),
]);
