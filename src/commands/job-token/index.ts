import { getJobTokenScope } from "../../api/endpoints/job-token.ts";

import { jobTokenScopeKind } from "../../state/kinds/job-token.ts";
import { get } from "../../verbs/verbs.ts";
import { applyCommand, planCommand } from "../state/verbs.ts";
import { groups, projects } from "./allowlists.ts";
import { audit } from "./audit.ts";
import { compact } from "./compact.ts";
import { limit } from "./limit.ts";

const plan = planCommand({
  group: "job-token",
  kind: jobTokenScopeKind,
  details:
    "The file is a mapping of inbound_enabled, allowlist, and groups_allowlist, or any state file that has the project. " +
    "Projects and groups are named by ID or path. Sends GET only.",
  examples: [{ line: "job-token plan -f job-token.yaml -p acme/storefront --prune" }],
  related: ["job-token apply", "state plan"],
});

const apply = applyCommand({
  group: "job-token",
  kind: jobTokenScopeKind,
  details: "Adds missing entries, and with --prune removes the others; access is restricted only after the additions.",
  examples: [{ line: "job-token apply -f job-token.yaml -p acme/storefront --prune --yes" }],
  related: ["job-token plan", "state rollback"],
});

export const jobToken = [
  get("get", getJobTokenScope, {
    details:
      "inbound_enabled tells whether only the projects and groups of the allowlists have access. outbound_enabled is " +
      "deprecated; the API documents plan its removal for release 18.0.",
    examples: [{ line: "job-token get -p acme/storefront" }],
    related: ["job-token limit", "job-token projects list", "job-token groups list"],
  }),
  limit,
  projects,
  groups,
  plan,
  apply,
  audit,
  compact,
];
