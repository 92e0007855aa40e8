import {
  allowGroup,
  allowProject,
  disallowGroup,
  disallowProject,
  GroupLink,
  getJobTokenScope,
  JobTokenScope,
  limitJobTokenScope,
  listAllowedGroups,
  listAllowedProjects,
  ProjectLink,
  targetGroup,
  targetProject,
} from "../api/endpoints/job-token.ts";
import { project } from "../api/endpoints/scope.ts";
import { oneOf, required } from "../api/field.ts";
import { command, group } from "../command/command.ts";
import { get, list, remove } from "../command/verbs.ts";

const scoped = { project: required(project) };

const limit = command({
  name: "limit",
  summary: "Limit access by job tokens to the allowlists, or open it to all projects",
  details:
    "On: only jobs of the projects and groups on the allowlists reach this project. Off: jobs of any project do.",
  args: { state: required(oneOf(["on", "off"], "on to limit access, off to open it to all projects")) },
  params: scoped,
  requests: [limitJobTokenScope, getJobTokenScope],
  returns: JobTokenScope,
  examples: [{ line: "job-token limit on -p acme/docs", note: "only the allowlists from now on" }],
  related: ["job-token get", "job-token projects list"],
  async run(context, input) {
    await context.api.call(limitJobTokenScope, { project: input.project, enabled: input.state === "on" });
    return { record: await context.api.call(getJobTokenScope, { project: input.project }), entity: JobTokenScope };
  },
});

const addProject = command({
  name: "add",
  summary: allowProject.summary,
  args: { target_project_id: required(targetProject) },
  params: scoped,
  requests: [allowProject],
  returns: ProjectLink,
  examples: [{ line: "job-token projects add 9 -p acme/storefront" }],
  related: ["job-token projects list", "job-token groups add"],
  run: async (context, input) => ({ record: await context.api.call(allowProject, input), entity: ProjectLink }),
});

const addGroup = command({
  name: "add",
  summary: allowGroup.summary,
  args: { target_group_id: required(targetGroup) },
  params: scoped,
  requests: [allowGroup],
  returns: GroupLink,
  examples: [{ line: "job-token groups add 8 -p acme/storefront" }],
  related: ["job-token groups list", "job-token projects add"],
  run: async (context, input) => ({ record: await context.api.call(allowGroup, input), entity: GroupLink }),
});

export const jobToken = group("job-token", "Who reaches a project with job tokens", [
  get("get", getJobTokenScope, {
    examples: [{ line: "job-token get -p acme/storefront" }],
    related: ["job-token limit", "job-token projects list", "job-token groups list"],
  }),
  limit,
  group("projects", "Projects on the allowlist", [
    list("list", listAllowedProjects, ["id", "path_with_namespace", "last_activity_at", "web_url"], {
      examples: [{ line: "job-token projects list -p acme/storefront" }],
      related: ["job-token projects add", "job-token groups list"],
    }),
    addProject,
    remove("remove", disallowProject, {
      noun: "the access of project",
      examples: [{ line: "job-token projects remove 3 -p acme/storefront --yes" }],
      related: ["job-token projects list"],
    }),
  ]),
  group("groups", "Groups on the allowlist", [
    list("list", listAllowedGroups, ["id", "name", "web_url"], {
      examples: [{ line: "job-token groups list -p acme/storefront" }],
      related: ["job-token groups add", "job-token projects list"],
    }),
    addGroup,
    remove("remove", disallowGroup, {
      noun: "the access of group",
      examples: [{ line: "job-token groups remove 4 -p acme/storefront --yes" }],
      related: ["job-token groups list"],
    }),
  ]),
]);
