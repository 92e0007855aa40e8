import { page, pageParams } from "../../server/pagination.ts";
import { array, boolean, hash, integer, required, string, type Values } from "../../server/params.ts";
import { invalid, notFound, Problem } from "../../server/problem.ts";
import { created, noContent, ok } from "../../server/reply.ts";
import type { Area, Router } from "../../server/router.ts";
import { groups, type Project, users } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import {
  addLevel,
  type BranchLevel,
  branchLevels,
  type Limit,
  limits,
  type ProtectedBranch,
  protectedBranches,
  seedProtectedBranches,
} from "./model.ts";

const path = "/projects/:id/protected_branches" as const;
const reading = { access: { project: "reporter", public: true } } as const;
const access = { project: "maintainer" } as const;

/** Protected branches, which the service has and the API documents do not mention. */
export const protectedBranchesArea: Area = {
  name: "protected-branches",
  seed: seedProtectedBranches,
  routes(router) {
    reads(router);
    protect(router);
    change(router);
  },
};

const name = required(string({ min: 1 }));
/** An element of `allowed_to_…`: a new one, one by its ID with another subject, or one to remove. */
const element = hash({
  id: integer(),
  user_id: integer({ min: 1 }),
  group_id: integer({ min: 1 }),
  access_level: integer(),
  member_role_id: integer({ min: 1 }),
  _destroy: boolean(),
});
const flags = { allow_force_push: boolean(), code_owner_approval_required: boolean() };
const lists = {
  allowed_to_push: array(element),
  allowed_to_merge: array(element),
  allowed_to_unprotect: array(element),
};
type Lists = Values<typeof lists>;
type Element = NonNullable<Lists["allowed_to_push"]>[number];

function reads(router: Router): void {
  router.on(`GET ${path}`, { ...reading, params: { ...pageParams, search: string() } }, (call) => {
    const { world, project, params } = call;
    const rows = world.store
      .table(protectedBranches)
      .where((row) => row.project_id === project.id && row.name.includes(params.search ?? ""));
    return page(call, rows, (branch) => view(world, branch));
  });
  router.on(`GET ${path}/:name`, { ...reading, params: { name } }, ({ world, project, params }) =>
    ok(view(world, find(world, project, params.name))),
  );
}

function protect(router: Router): void {
  const levels = { push_access_level: integer(), merge_access_level: integer(), unprotect_access_level: integer() };
  const params = { name, ...levels, ...flags, ...lists };
  router.on(`POST ${path}`, { access, params }, ({ world, project, params }) => {
    const taken = named(world, project, params.name);
    if (taken !== undefined) throw new Problem(409, { message: `Protected branch '${params.name}' already exists` });
    const wanted = limits.map((limit) => {
      const level = params[`${limit}_access_level`];
      const elements = allowed(world, params, limit);
      const byLevel = level === undefined && elements.length > 0 ? [] : [{ access_level: level ?? 40 }];
      if (limit === "unprotect" && level === 0)
        throw invalid({ unprotect_access_level: ["does not have a valid value"] });
      for (const each of [...byLevel, ...elements]) checkSubject(world, limit, each);
      return { limit, elements: [...byLevel, ...elements] };
    });
    const { allow_force_push = false, code_owner_approval_required = false } = params;
    const branch = world.store
      .table(protectedBranches)
      .insert({ project_id: project.id, name: params.name, allow_force_push, code_owner_approval_required });
    for (const { limit, elements } of wanted) {
      for (const each of elements) addLevel(world, branch.id, limit, subjectOf(each));
    }
    return created(view(world, branch));
  });
}

function change(router: Router): void {
  router.on(`PATCH ${path}/:name`, { access, params: { name, ...flags, ...lists } }, ({ world, project, params }) => {
    const branch = find(world, project, params.name);
    const changes = limits.map((limit) => ({ limit, elements: allowed(world, params, limit) }));
    for (const { limit, elements } of changes) for (const each of elements) checkChange(world, branch, limit, each);
    for (const { limit, elements } of changes) for (const each of elements) apply(world, branch, limit, each);
    const {
      allow_force_push = branch.allow_force_push,
      code_owner_approval_required = branch.code_owner_approval_required,
    } = params;
    const changed = { allow_force_push, code_owner_approval_required };
    return ok(view(world, world.store.table(protectedBranches).update(branch.id, changed)));
  });
  router.on(`DELETE ${path}/:name`, { access, params: { name } }, ({ world, project, params }) => {
    const branch = find(world, project, params.name);
    for (const { id } of levelsOf(world, branch)) world.store.table(branchLevels).delete(id);
    world.store.table(protectedBranches).delete(branch.id);
    return noContent();
  });
}

/** Single users and groups require Premium: below it, the lists are ignored. */
function allowed(world: World, params: Lists, limit: Limit): Element[] {
  return world.has("premium") ? (params[`allowed_to_${limit}`] ?? []) : [];
}

function named(world: World, project: Project, wanted: string): ProtectedBranch | undefined {
  return world.store.table(protectedBranches).find((row) => row.project_id === project.id && row.name === wanted);
}

function find(world: World, project: Project, wanted: string): ProtectedBranch {
  const branch = named(world, project, wanted);
  if (branch === undefined) throw notFound();
  return branch;
}

function levelsOf(world: World, branch: ProtectedBranch, limit?: Limit): BranchLevel[] {
  return world.store
    .table(branchLevels)
    .where((level) => level.branch_id === branch.id && (limit === undefined || level.limit === limit));
}

/** As real instances do, a rule for a custom role has a level too, by default that of Maintainers. */
function subjectOf(given: Partial<Element>): Omit<BranchLevel, "id" | "branch_id" | "limit"> {
  if (given.member_role_id !== undefined) {
    return { user_id: null, group_id: null, access_level: 40, member_role_id: given.member_role_id };
  }
  return {
    user_id: given.user_id ?? null,
    group_id: given.group_id ?? null,
    access_level: given.access_level ?? null,
  };
}

const words: Readonly<Record<number, string>> = {
  0: "No one",
  30: "Developers + Maintainers",
  40: "Maintainers",
  60: "Administrators",
};

/** A branch that no one may unprotect would stay protected for good. */
function checkSubject(world: World, limit: Limit, given: Partial<Element>): void {
  const { user_id: user, group_id: group, access_level: level, member_role_id: role } = given;
  if (role !== undefined && !(world.asDeployed && world.has("ultimate")))
    throw invalid({ member_role: ["is invalid"] });
  const count = [user, group, level, role].filter((each) => each !== undefined).length;
  const exists =
    (user === undefined || world.store.table(users).get(user) !== undefined) &&
    (group === undefined || world.store.table(groups).get(group) !== undefined) &&
    (level === undefined || (Object.hasOwn(words, level) && !(limit === "unprotect" && level === 0)));
  if (count !== 1 || !exists) throw invalid({ access_level: ["is invalid"] });
}

function checkChange(world: World, branch: ProtectedBranch, limit: Limit, given: Element): void {
  const isKnown = levelsOf(world, branch, limit).some(({ id }) => id === given.id);
  if (given.id !== undefined && !isKnown) throw notFound();
  if (given._destroy !== true || given.id === undefined) checkSubject(world, limit, given);
}

function apply(world: World, branch: ProtectedBranch, limit: Limit, given: Element): void {
  const table = world.store.table(branchLevels);
  if (given.id === undefined) addLevel(world, branch.id, limit, subjectOf(given));
  else if (given._destroy === true) table.delete(given.id);
  else table.update(given.id, subjectOf(given));
}

function view(world: World, branch: ProtectedBranch): Record<string, unknown> {
  const { id, name, allow_force_push, code_owner_approval_required } = branch;
  const levels = (limit: Limit) => levelsOf(world, branch, limit).map((level) => viewLevel(world, level));
  return {
    id,
    name,
    push_access_levels: levels("push"),
    merge_access_levels: levels("merge"),
    allow_force_push,
    // Below Premium, the service has neither.
    ...(world.has("premium") && { unprotect_access_levels: levels("unprotect"), code_owner_approval_required }),
    inherited: false,
  };
}

function viewLevel(world: World, level: BranchLevel): Record<string, unknown> {
  const { id, user_id, group_id, access_level, member_role_id: role = null } = level;
  const access_level_description =
    (role === null ? undefined : `Custom role ${role}`) ??
    world.store.table(users).get(user_id ?? 0)?.name ??
    world.store.table(groups).get(group_id ?? 0)?.name ??
    words[access_level ?? 0];
  const shown = { id, access_level, access_level_description, deploy_key_id: null, user_id, group_id };
  return world.asDeployed && world.has("ultimate") ? { ...shown, member_role_id: role } : shown;
}
