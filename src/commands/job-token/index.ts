import { getJobTokenScope } from "../../api/endpoints/job-token.ts";
import { group } from "../../command/command.ts";
import { get } from "../../command/verbs.ts";
import { groups, projects } from "./allowlists.ts";
import { limit } from "./limit.ts";

export const jobToken = group("job-token", "Who reaches a project with job tokens", [
  get("get", getJobTokenScope, {
    examples: [{ line: "job-token get -p acme/storefront" }],
    related: ["job-token limit", "job-token projects list", "job-token groups list"],
  }),
  limit,
  projects,
  groups,
]);
