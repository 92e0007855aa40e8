import { endpoint } from "../endpoint.ts";
import { array, boolean, entity, id, integer, nullable, object, required, string, timestamp, uncut } from "../field.ts";
import { project } from "./scope.ts";

/** Which job tokens can access a project (`1-project-api: Job token access settings`). */
export const JobTokenScope = entity("JobTokenScope", {
  inbound_enabled: boolean("Only projects on the allowlists have access; if off, all projects do", {
    tones: { yes: "good", no: "bad" },
  }),
  outbound_enabled: boolean(
    "Whether this project's job tokens can access other projects; deprecated, to be removed in product release 18.0",
  ),
});

/** A project on the allowlist, with the limited fields that are shown. */
const AllowedProject = entity("AllowedProject", {
  id: required(id("Project ID")),
  description: nullable(string()),
  name: string(),
  name_with_namespace: string(),
  path: string(),
  path_with_namespace: required(uncut()),
  created_at: timestamp(),
  default_branch: nullable(string()),
  tag_list: array(string()),
  topics: array(string()),
  ssh_url_to_repo: uncut(),
  http_url_to_repo: uncut(),
  web_url: uncut(),
  avatar_url: nullable(string()),
  star_count: integer(),
  last_activity_at: timestamp(),
  namespace: object({
    id: id(),
    name: string(),
    path: string(),
    kind: string(),
    full_path: string(),
    parent_id: nullable(id()),
    avatar_url: nullable(string()),
    web_url: uncut(),
  }),
});

const AllowedGroup = entity("AllowedGroup", { id: required(id("Group ID")), web_url: uncut(), name: string() });

export const ProjectLink = entity("ProjectLink", { source_project_id: id(), target_project_id: id() });
export const GroupLink = entity("GroupLink", { source_project_id: id(), target_group_id: id() });

/** How many entries an instance accepts in each of the two allowlists (job-token-list-limit). */
export const allowlistLimit = 200;

const access = { role: "maintainer" } as const;
// job-token-entry-refusals
const adds = { ...access, refusals: [{ says: /\balready in the job token\b/i, as: 409 }] } as const;
const removes = { ...access, refusals: [{ says: /\bnot in the job token\b/i, as: 404 }] } as const;
const targetProject = id("ID of the project whose job tokens are granted access", { placeholder: "project-id" });
const targetGroup = id("ID of the group whose projects' job tokens are granted access", { placeholder: "group-id" });

export const getJobTokenScope = endpoint({
  route: "GET /projects/:project/job_token_scope",
  summary: "Get a project's job token access settings",
  params: { project },
  returns: JobTokenScope,
  access,
});

export const limitJobTokenScope = endpoint({
  route: "PATCH /projects/:project/job_token_scope",
  summary: "Restrict access by job tokens to the allowlists, or allow all projects",
  directions: {
    by: "enabled",
    on: "Restrict access by job tokens to the allowlists",
    off: "Allow access by the job tokens of all projects",
  },
  params: {
    project,
    enabled: required(boolean("Restrict access to this project", { answered: { as: ["inbound_enabled"] } })),
  },
  returns: "nothing",
  readBy: { endpoint: getJobTokenScope },
  access,
});

export const listAllowedProjects = endpoint({
  route: "GET /projects/:project/job_token_scope/allowlist",
  summary: "List the projects whose job tokens have access",
  params: { project },
  returns: AllowedProject,
  page: "offset",
  access,
});

export const allowProject = endpoint({
  route: "POST /projects/:project/job_token_scope/allowlist",
  summary: "Grant access to a project's job tokens",
  params: { project, target_project_id: required(targetProject) },
  returns: ProjectLink,
  access: adds,
  numeric: true,
});

export const disallowProject = endpoint({
  route: "DELETE /projects/:project/job_token_scope/allowlist/:target_project_id",
  summary: "Revoke the access of a project's job tokens",
  params: { project, target_project_id: targetProject },
  returns: "nothing",
  access: removes,
  numeric: true,
});

export const listAllowedGroups = endpoint({
  route: "GET /projects/:project/job_token_scope/groups_allowlist",
  summary: "List the groups whose projects' job tokens have access",
  params: { project },
  returns: AllowedGroup,
  page: "offset",
  access,
});

export const allowGroup = endpoint({
  route: "POST /projects/:project/job_token_scope/groups_allowlist",
  summary: "Grant access to the job tokens of a group's projects",
  params: { project, target_group_id: required(targetGroup) },
  returns: GroupLink,
  access: adds,
  numeric: true,
});

export const disallowGroup = endpoint({
  route: "DELETE /projects/:project/job_token_scope/groups_allowlist/:target_group_id",
  summary: "Revoke the access of the job tokens of a group's projects",
  params: { project, target_group_id: targetGroup },
  returns: "nothing",
  access: removes,
  numeric: true,
});
