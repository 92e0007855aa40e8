import {
  allowGroup,
  allowProject,
  disallowGroup,
  disallowProject,
  getJobTokenScope,
  JobTokenScope,
  limitJobTokenScope,
  listAllowedGroups,
  listAllowedProjects,
} from "../api/endpoints/job-token.ts";
import { project } from "../api/endpoints/scope.ts";
import { oneOf, required } from "../api/field.ts";
import { command, group } from "../command/command.ts";
import { create, get, list, remove } from "../command/verbs.ts";

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
    create("add", allowProject, {
      argument: "target_project_id",
      examples: [{ line: "job-token projects add 9 -p acme/storefront" }],
      related: ["job-token projects list", "job-token groups add"],
    }),
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
    create("add", allowGroup, {
      argument: "target_group_id",
      examples: [{ line: "job-token groups add 8 -p acme/storefront" }],
      related: ["job-token groups list", "job-token projects add"],
    }),
    remove("remove", disallowGroup, {
      noun: "the access of group",
      examples: [{ line: "job-token groups remove 4 -p acme/storefront --yes" }],
      related: ["job-token groups list"],
    }),
  ]),
]);
