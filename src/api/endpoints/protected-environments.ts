import { endpoint } from "../endpoint.ts";
import { array, code, entity, id, integer, json, nullable, object, required, string, uncut } from "../field.ts";
import { project } from "./scope.ts";
import { deployLevels, rulesText } from "./who.ts";

const who = {
  user_id: nullable(id()),
  group_id: nullable(id()),
  access_level: nullable(code(deployLevels)),
  access_level_description: string(),
  group_inheritance_type: integer("0: direct members of the group only; 1: inherited members too"),
};

const worded = { worded: rulesText, whole: true };

/** An environment with restricted deployments (`1-project-api: Protected environment`). */
export const ProtectedEnvironment = entity("ProtectedEnvironment", {
  name: required(uncut()),
  deploy_access_levels: required(
    array(object({ id: id("Rule ID"), ...who }), "Users, groups, and levels that may deploy", worded),
  ),
  required_approval_count: integer(),
  approval_rules: array(
    object({ id: id("Rule ID"), ...who, required_approvals: integer() }),
    "Users, groups, and levels that must approve, and how many approvals",
    worded,
  ),
});

const access = { tier: "premium" } as const;
const newName = string("Environment", { placeholder: "name", min: 1 });
const name: typeof newName = { ...newName, completes: "environment" };

// An element has exactly one of user_id, group_id, and access_level. In an update, an existing element is identified
// by its `id`, and removed with `_destroy`.
const answered = { answered: { form: "rules" } } as const;
const levels = array(json(), "Users, groups, and levels that may deploy", answered);
const approvals = array(json(), "Users, groups, and levels that must approve", answered);

export const listProtectedEnvironments = endpoint({
  route: "GET /projects/:project/protected_environments",
  summary: "List a project's protected environments",
  params: { project },
  returns: ProtectedEnvironment,
  page: "offset",
  access,
});

export const getProtectedEnvironment = endpoint({
  route: "GET /projects/:project/protected_environments/:name",
  summary: "Get a protected environment",
  params: { project, name },
  returns: ProtectedEnvironment,
  access,
});

export const protectEnvironment = endpoint({
  route: "POST /projects/:project/protected_environments",
  summary: "Protect an environment",
  params: { project, name: required(newName), deploy_access_levels: required(levels), approval_rules: approvals },
  returns: ProtectedEnvironment,
  access,
});

const instead = "unprotect it, and protect it again with the rules: forgectl envs unprotect, envs protect";

/** Answers with the environment, or with only the changed rules. */
export const updateProtectedEnvironment = endpoint({
  route: "PUT /projects/:project/protected_environments/:name",
  summary: "Change a protected environment's rules",
  params: { project, name, deploy_access_levels: levels, approval_rules: approvals },
  returns: "json",
  readBy: { endpoint: getProtectedEnvironment },
  // It adds a rule for each element without an ID.
  once: true,
  cutNames: { showing: getProtectedEnvironment, instead },
  access: {
    ...access,
    notFound: `check the name; if it has a dot, some releases cannot change the environment: then ${instead}`,
  },
});

export const unprotectEnvironment = endpoint({
  route: "DELETE /projects/:project/protected_environments/:name",
  summary: "Unprotect an environment",
  params: { project, name },
  returns: "nothing",
  access,
});
