import { endpoint } from "../endpoint.ts";
import { entity, id, string } from "../field.ts";
import { Hook, hookAttributes, provesHook } from "./hooks.ts";
import { project } from "./scope.ts";

// Undocumented: webhooks of projects. The service has them in every tier, with the attributes of group webhooks.

const { group_id: _, ...shown } = Hook.shape;

const ProjectHook = entity(
  "ProjectHook",
  { project_id: id("Project that it belongs to"), ...shown },
  { proof: provesHook },
);

const access = { role: "maintainer" } as const;
const hookId = id("Hook ID");

export const listProjectHooks = endpoint({
  route: "GET /projects/:project/hooks",
  summary: "List the webhooks of a project",
  params: { project },
  returns: ProjectHook,
  page: "offset",
  access,
  beyond: true,
});

/** Instances list hooks of projects without their headers and variables (hooks-and-branches-of-projects). */
export const getProjectHook = endpoint({
  route: "GET /projects/:project/hooks/:hook_id",
  summary: "Get a project webhook",
  params: { project, hook_id: hookId },
  returns: ProjectHook,
  access,
  beyond: true,
});

export const createProjectHook = endpoint({
  route: "POST /projects/:project/hooks",
  summary: "Create a project webhook",
  params: { project, ...hookAttributes },
  returns: ProjectHook,
  access,
  beyond: true,
});

/** Attributes that are not given are unchanged, except that the API requires `url` each time. */
export const updateProjectHook = endpoint({
  route: "PUT /projects/:project/hooks/:hook_id",
  summary: "Change a project webhook",
  params: { project, hook_id: hookId, ...hookAttributes },
  returns: ProjectHook,
  access,
  beyond: true,
});

export const removeProjectHookHeader = endpoint({
  route: "DELETE /projects/:project/hooks/:hook_id/custom_headers/:key",
  summary: "Remove a custom header of a project webhook",
  params: { project, hook_id: hookId, key: string("Name of the header") },
  returns: "nothing",
  cutNames: { showing: getProjectHook, within: "custom_headers", instead: "remove it on the webhook's page" },
  access,
  beyond: true,
});
