import { checkUnmodifiedSince } from "../../server/call.ts";
import { page, pageParams } from "../../server/pagination.ts";
import { array, boolean, hash, integer, nullable, required, string, type Values } from "../../server/params.ts";
import { conflict, invalid, notFound, Problem } from "../../server/problem.ts";
import { created, noContent, ok } from "../../server/reply.ts";
import type { Area, Router } from "../../server/router.ts";
import { groups, type Project, users } from "../../store/model.ts";
import type { Collection } from "../../store/store.ts";
import type { World } from "../../store/world.ts";
import { admitted, beforeDot, hasAccess, isGiven } from "./deployed.ts";
import {
  approvalRules,
  deployLevels,
  type ProtectedEnvironment,
  protectedEnvironments,
  type Rule,
  seedProtectedEnvironments,
} from "./seed.ts";

// The documents name no role here; the sandbox requires Maintainer.
const access = { project: "maintainer" } as const;
const guarded = { access, tier: "premium" } as const;
const path = "/projects/:id/protected_environments" as const;

/** Protected environments: 1-project-api: Protected environments. */
export const protectedEnvironmentsArea: Area = {
  name: "protected-environments",
  seed: seedProtectedEnvironments,
  routes(router) {
    reading(router);
    writing(router);
  },
};

const levelNames: Readonly<Record<number, string>> = {
  30: "Developers + Maintainers",
  40: "Maintainers",
  60: "Administrators",
};

const who = {
  user_id: nullable(integer({ min: 1 })),
  group_id: nullable(integer({ min: 1 })),
  access_level: nullable(integer()),
  group_inheritance_type: integer({ min: 0, max: 1 }),
  id: integer({ min: 1 }),
  _destroy: boolean(),
};
const levelElement = hash(who);
const approvalElement = hash({ ...who, required_approvals: integer({ min: 1 }) });
type Element = Values<typeof who> & { readonly required_approvals?: number | undefined };

function reading(router: Router): void {
  router.on(`GET ${path}`, { ...guarded, params: pageParams }, (call) => {
    const rows = call.world.store.table(protectedEnvironments).where((row) => row.project_id === call.project.id);
    return page(call, rows, (row) => view(call.world, row));
  });
  router.on(`GET ${path}/:name`, { ...guarded, params: { name: required(string()) } }, ({ world, project, params }) =>
    ok(view(world, find(world, project, params.name))),
  );
}

function writing(router: Router): void {
  const name = required(string({ min: 1, max: 255 }));
  const approvals = array(approvalElement);
  const params = { name, deploy_access_levels: required(array(levelElement)), approval_rules: approvals };
  router.on(`POST ${path}`, { ...guarded, params }, ({ world, project, params }) => {
    const table = world.store.table(protectedEnvironments);
    if (table.find((row) => row.project_id === project.id && row.name === params.name) !== undefined) {
      throw conflict(`environment "${params.name}" is already protected`);
    }
    const levels = {
      list: deployLevels,
      name: "deploy_access_levels",
      elements: admitted(world, project, params.deploy_access_levels),
    };
    const rules = {
      list: approvalRules,
      name: "approval_rules",
      elements: admitted(world, project, params.approval_rules ?? []),
    };
    for (const change of [levels, rules]) checkAll(world, project, change, undefined);
    const row = table.insert({ project_id: project.id, name: params.name, updated_at: world.timestamp() });
    for (const change of [levels, rules]) applyAll(world, change, row.id);
    return created(view(world, row));
  });
  const changes = { name, deploy_access_levels: array(levelElement), approval_rules: approvals };
  router.on(`PUT ${path}/:name`, { ...guarded, params: changes }, ({ world, project, params }) => {
    const row = find(world, project, world.asDeployed ? beforeDot(params.name) : params.name);
    const levels = {
      list: deployLevels,
      name: "deploy_access_levels",
      elements: admitted(world, project, params.deploy_access_levels ?? []),
    };
    const rules = {
      list: approvalRules,
      name: "approval_rules",
      elements: admitted(world, project, params.approval_rules ?? []),
    };
    for (const change of [levels, rules]) checkAll(world, project, change, row.id);
    for (const change of [levels, rules]) applyAll(world, change, row.id);
    return ok(view(world, world.store.table(protectedEnvironments).update(row.id, { updated_at: world.timestamp() })));
  });
  router.on(`DELETE ${path}/:name`, { ...guarded, params: { name } }, (call) => {
    const { world, project, params } = call;
    const row = find(world, project, params.name);
    checkUnmodifiedSince(call, row.updated_at);
    for (const list of [deployLevels, approvalRules]) {
      for (const rule of rulesOf(world, list, row.id)) world.store.table(list).delete(rule.id);
    }
    world.store.table(protectedEnvironments).delete(row.id);
    return noContent();
  });
}

function find(world: World, project: Project, name: string): ProtectedEnvironment {
  const row = world.store
    .table(protectedEnvironments)
    .find((each) => each.project_id === project.id && each.name === name);
  if (row === undefined) throw notFound();
  return row;
}

function rulesOf(world: World, list: Collection<Rule>, environmentId: number): Rule[] {
  return world.store.table(list).where((rule) => rule.environment_id === environmentId);
}

interface Change {
  readonly list: Collection<Rule>;
  /** The parameter's name. */
  readonly name: string;
  readonly elements: readonly Element[];
}

/** Validates everything before anything is stored. At least one subject must be able to deploy to the environment. */
function checkAll(world: World, project: Project, change: Change, environmentId: number | undefined): void {
  const { list, name, elements } = change;
  const present = environmentId === undefined ? [] : rulesOf(world, list, environmentId);
  if (world.asDeployed && list === approvalRules) requireSubjects(change);
  for (const element of elements) {
    const problem = problemOf(world, project, element, present);
    if (problem !== undefined) throw invalid({ [name]: problem });
  }
  const gone = elements.filter((element) => element._destroy).length;
  const fresh = elements.filter((element) => element.id === undefined).length;
  if (list === deployLevels && present.length + fresh - gone === 0) throw invalid({ [name]: ["can't be blank"] });
}

/** Real instances require a subject in every element of approval_rules, even in one that only removes a rule. */
function requireSubjects({ name, elements }: Change): void {
  const without = elements.findIndex((element) => subjects.every((subject) => element[subject] === undefined));
  if (without === -1) return;
  const names = subjects.map((subject) => `${name}[${without}][${subject}]`).join(", ");
  throw new Problem(400, { error: `${names} are missing, at least one parameter must be provided` });
}

const subjects = ["access_level", "user_id", "group_id"] as const;

function problemOf(world: World, project: Project, element: Element, present: readonly Rule[]) {
  const { id, user_id: user, group_id: group } = element;
  const kinds = [user, group, element.access_level].filter((value) => isGiven(value)).length;
  if (id !== undefined && !present.some((rule) => rule.id === id)) return { id: ["does not exist"] };
  if (element._destroy) return id === undefined ? { id: ["can't be blank"] } : undefined;
  if (kinds > 1 || (kinds === 0 && id === undefined)) {
    return { base: ["must hold exactly one of user_id, group_id, and access_level"] };
  }
  if (isGiven(element.access_level) && levelNames[element.access_level] === undefined) {
    return { access_level: ["is not included in the list"] };
  }
  if (hasAccess(world, project, element)) return undefined;
  return isGiven(user)
    ? { user_id: ["must have access to the project"] }
    : { group_id: ["must have the project shared with it"] };
}

function applyAll(world: World, { list, elements }: Change, environmentId: number): void {
  const table = world.store.table(list);
  for (const { id, _destroy: destroy, ...given } of elements) {
    const { user_id = null, group_id = null, access_level = null } = given;
    const kind = { user_id, group_id, access_level };
    const { group_inheritance_type, required_approvals } = given;
    if (id === undefined) {
      table.insert({
        environment_id: environmentId,
        ...kind,
        group_inheritance_type: group_inheritance_type ?? 0,
        required_approvals: required_approvals ?? 1,
      });
    } else if (destroy) table.delete(id);
    else {
      const names = Object.values(kind).some((value) => value !== null);
      table.update(id, {
        ...(world.asDeployed ? onlyGiven(given) : names && kind),
        ...(group_inheritance_type !== undefined && { group_inheritance_type }),
        ...(required_approvals !== undefined && { required_approvals }),
        // Real instances fill in the default.
        ...(world.asDeployed && required_approvals === undefined && { required_approvals: 1 }),
      });
    }
  }
}

/** On real instances a subject that is left out stays beside the new one. */
function onlyGiven(element: Pick<Element, (typeof subjects)[number]>): Partial<Rule> {
  const given = subjects.filter((name) => element[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, element[name]]));
}

function view(world: World, row: ProtectedEnvironment): Record<string, unknown> {
  return {
    name: row.name,
    deploy_access_levels: rulesOf(world, deployLevels, row.id).map((rule) => viewRule(world, rule)),
    required_approval_count: 0,
    approval_rules: rulesOf(world, approvalRules, row.id).map((rule) => ({
      ...viewRule(world, rule),
      required_approvals: rule.required_approvals,
    })),
  };
}

function viewRule(world: World, rule: Rule): Record<string, unknown> {
  const { id, access_level, user_id, group_id, group_inheritance_type } = rule;
  const named =
    user_id !== null
      ? world.store.table(users).get(user_id)?.name
      : group_id !== null
        ? world.store.table(groups).get(group_id)?.name
        : levelNames[access_level ?? 0];
  return { id, access_level, access_level_description: named ?? "", user_id, group_id, group_inheritance_type };
}
