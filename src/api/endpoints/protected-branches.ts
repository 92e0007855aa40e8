import { endpoint } from "../endpoint.ts";
import {
  array,
  boolean,
  code,
  entity,
  id,
  integer,
  json,
  nullable,
  object,
  required,
  sometimes,
  string,
  uncut,
} from "../field.ts";
import { project } from "./scope.ts";

// Undocumented: protected branches. Lists of users and groups, and changes of levels, need Premium.

/** Access levels of a protected branch. */
export const branchLevels: Readonly<Record<string, number>> = { no_one: 0, developer: 30, maintainer: 40, admin: 60 };

const who = array(
  object({
    id: id("Rule ID"),
    access_level: nullable(code(branchLevels)),
    access_level_description: string(),
    user_id: nullable(id()),
    group_id: nullable(id()),
    deploy_key_id: nullable(id()),
    member_role_id: nullable(id()),
  }),
);

const ProtectedBranch = entity("ProtectedBranch", {
  id: id("Protected branch ID"),
  name: required(uncut("Branch, or a pattern of names with *")),
  push_access_levels: required(who),
  merge_access_levels: required(who),
  unprotect_access_levels: sometimes(nullable(who)), // Premium
  allow_force_push: boolean(),
  code_owner_approval_required: boolean("Premium", { sometimes: true }),
});

const name = string("Branch, or a pattern of names with *", { min: 1 });
const elements = array(json(), "Users, groups, and levels");
const limits = {
  allow_force_push: boolean("Those who may push may force it"),
  code_owner_approval_required: boolean("Code owners must approve"),
  allowed_to_push: elements,
  allowed_to_merge: elements,
  allowed_to_unprotect: elements,
};

export const listProtectedBranches = endpoint({
  route: "GET /projects/:project/protected_branches",
  summary: "List a project's protected branches",
  params: { project },
  returns: ProtectedBranch,
  page: "offset",
  access: {},
  beyond: true,
});

export const protectBranch = endpoint({
  route: "POST /projects/:project/protected_branches",
  summary: "Protect a branch",
  params: {
    project,
    name: required(name),
    push_access_level: integer("Level that may push"),
    merge_access_level: integer("Level that may merge"),
    unprotect_access_level: integer("Level that may unprotect"),
    ...limits,
  },
  returns: ProtectedBranch,
  access: { role: "maintainer" },
  beyond: true,
});

export const updateProtectedBranch = endpoint({
  route: "PATCH /projects/:project/protected_branches/:name",
  summary: "Change a protected branch",
  params: { project, name, ...limits },
  returns: ProtectedBranch,
  // It adds a rule for each element without an ID.
  once: true,
  access: { role: "maintainer" },
  beyond: true,
});

export const unprotectBranch = endpoint({
  route: "DELETE /projects/:project/protected_branches/:name",
  summary: "Unprotect a branch",
  params: { project, name },
  returns: "nothing",
  access: { role: "maintainer" },
  beyond: true,
});
