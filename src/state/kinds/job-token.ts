import type { AnyEndpoint } from "../../api/endpoint.ts";
import {
  allowGroup,
  allowlistLimit,
  allowProject,
  disallowGroup,
  disallowProject,
  getJobTokenScope,
  limitJobTokenScope,
  listAllowedGroups,
  listAllowedProjects,
} from "../../api/endpoints/job-token.ts";
import type { Kind } from "../kind.ts";

/** Access to a project by job tokens (`1-project-api: Job token access settings`). */
export const jobTokenScopeKind: Kind = {
  name: "job_token_scope",
  at: "project",
  form: "record",
  summary: "Whether only projects on the allowlists have access by job tokens",
  fields: {
    inbound_enabled: { form: "boolean", description: "Only projects on the allowlists have access" },
    outbound_enabled: { form: "boolean", readOnly: true },
  },
  writeNames: { enabled: "inbound_enabled" },
  keys: [],
  read: { endpoint: getJobTokenScope },
  removal: "never",
  // Additions to the allowlists come first, so that no listed project loses access in between.
  restricts: ({ desired }) => desired?.values.inbound_enabled === true,
  steps: ({ scope, desired }) => [
    { endpoint: limitJobTokenScope, input: { project: scope.name, enabled: desired?.values.inbound_enabled } },
  ],
};

interface Allowlist {
  name: string;
  target: "project" | "group";
  list: AnyEndpoint;
  allow: AnyEndpoint;
  disallow: AnyEndpoint;
}

/** The API neither shows nor takes an entry's permissions (job-token-permissions). */
export const regained = "its permissions, if they were restricted, are not known to the API: added again, it has all";

function allowlist({ name, target, list, allow, disallow }: Allowlist): Kind {
  const parameter = `target_${target}_id`;
  return {
    name,
    within: "job_token_scope",
    gives: true,
    at: "project",
    form: "list",
    summary: `The ${target}s whose job tokens have access to a project`,
    fields: { id: { form: "id", required: true, description: `ID of the ${target}` } },
    writeNames: { [parameter]: "id" },
    keys: [["id"]],
    target,
    read: { endpoint: list },
    fromAnswer: ({ [parameter]: id }) => ({ id }),
    limit: { entries: allowlistLimit, mend: ({ name }) => ["job-token", "compact", "-p", name] },
    removal: "delete",
    unrestored: regained,
    unshown: "the permissions of an added entry, which the API does not show; it has all",
    // Instances list the project itself, which cannot be added or removed.
    ignores: ({ id, path_with_namespace: path }, { id: own, name }) =>
      target === "project" && (id === own || String(id) === name || isSamePath(path, name)),
    steps: ({ scope, action, desired, live }) => {
      const input = { project: scope.name, [parameter]: (desired ?? live)?.values.id };
      return [{ endpoint: action === "create" ? allow : disallow, input }];
    },
  };
}

function isSamePath(path: unknown, name: string): boolean {
  return typeof path === "string" && path.toLowerCase() === name.toLowerCase();
}

export const allowlistKind = allowlist({
  name: "allowlist",
  target: "project",
  list: listAllowedProjects,
  allow: allowProject,
  disallow: disallowProject,
});

export const groupsAllowlistKind = allowlist({
  name: "groups_allowlist",
  target: "group",
  list: listAllowedGroups,
  allow: allowGroup,
  disallow: disallowGroup,
});
