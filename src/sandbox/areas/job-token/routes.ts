import { canSeeGroup, canSeeProject, lineage } from "../../server/access.ts";
import { checkUnmodifiedSince } from "../../server/call.ts";
import { page, pageParams } from "../../server/pagination.ts";
import { boolean, integer, required } from "../../server/params.ts";
import { badRequest, conflict, notFound, type Problem } from "../../server/problem.ts";
import { created, noContent, ok } from "../../server/reply.ts";
import type { Area, Router } from "../../server/router.ts";
import { groups, projects, type Timestamp } from "../../store/model.ts";
import { type Collection, collection, type Row } from "../../store/store.ts";
import type { World } from "../../store/world.ts";
import { briefProject, groupUrl } from "../places/view.ts";
import { settingOf } from "../settings/routes.ts";

/** Whether a project limits access to its allowlists; the id is the project's. A project without a row limits it. */
interface TokenScope extends Row {
  readonly inbound_enabled: boolean;
}

interface Allowed extends Row {
  readonly project_id: number;
  /** The project or group that has access. */
  readonly target_id: number;
  /** What it may do; without these, everything. No request shows them, and a new entry has none. */
  readonly permissions?: readonly string[];
  readonly created_at: Timestamp;
}

/** With this setting, real instances limit the access to every project, whatever it says itself. */
const ENFORCED = "enforce_ci_inbound_job_token_scope_enabled";

/** The most entries that real instances accept in one allowlist. */
const LIST_LIMIT = 200;

const scopes = collection<TokenScope>("job_token_scopes");
const allowedProjects = collection<Allowed>("job_token_allowed_projects");
const allowedGroups = collection<Allowed>("job_token_allowed_groups");

const access = { project: "maintainer" } as const;
const signedIn = { access, deployed: { authenticates: true } } as const;
/** On real instances, endpoints that change the lists accept projects only by ID. */
const written = { access, deployed: { numericId: true, authenticates: true } } as const;

/** Access to projects with job tokens: 1-project-api: Job token scope. */
export const jobTokenArea: Area = {
  name: "job-token",
  seed(world) {
    const { store } = world;
    for (const id of [2, 11]) store.table(scopes).insert({ id, inbound_enabled: false });
    const created_at = world.timestamp();
    for (const target_id of [1, 3, 12]) store.table(allowedProjects).insert({ project_id: 7, target_id, created_at });
    for (const project_id of [3, 4]) store.table(allowedProjects).insert({ project_id, target_id: 7, created_at });
    // Real instances can limit an entry: billing lets the storefront read packages, but no jobs.
    const limited = find(world, allowedProjects, 4, 7);
    if (world.asDeployed && limited !== undefined) {
      store.table(allowedProjects).update(limited.id, { permissions: ["read_packages"] });
    }
    store.table(allowedGroups).insert({ project_id: 7, target_id: 4, created_at });
    store.table(allowedGroups).insert({ project_id: 5, target_id: 1, created_at });
  },
  routes(router) {
    settings(router);
    projectList(router);
    groupList(router);
  },
  jobTokenReaches(world, from, to) {
    if (!isLimited(world, to)) return true;
    if (find(world, allowedProjects, to, from) !== undefined) return true;
    const above = lineage(world, world.store.table(projects).get(from)?.namespace_id ?? null);
    return above.some((group) => find(world, allowedGroups, to, group.id) !== undefined);
  },
  jobTokenPermissions: (world, from, to) =>
    isLimited(world, to) ? find(world, allowedProjects, to, from)?.permissions : undefined,
};

function isLimited(world: World, projectId: number): boolean {
  if (world.asDeployed && settingOf(world, ENFORCED) === true) return true;
  return world.store.table(scopes).get(projectId)?.inbound_enabled ?? true;
}

function find(world: World, list: Collection<Allowed>, projectId: number, targetId: number): Allowed | undefined {
  return world.store.table(list).find((row) => row.project_id === projectId && row.target_id === targetId);
}

function refuseFull(world: World, list: Collection<Allowed>, projectId: number, what: string): void {
  const { length } = world.store.table(list).where((row) => row.project_id === projectId);
  if (world.asDeployed && length >= LIST_LIMIT) {
    throw badRequest(`Source project exceeds the allowable number of ${what}`);
  }
}

/** Real instances answer 400 to an entry that exists, */
function taken(world: World, what: "project" | "group"): Problem {
  const message = `This ${what} is already in the job token allowlist.`;
  return world.asDeployed ? badRequest(message) : conflict(message);
}

/** and to the removal of one that does not, of something that exists. */
function absent(world: World, what: "project" | "group", target: object | undefined): Problem {
  if (!world.asDeployed || target === undefined) return notFound(`Target ${what}`);
  return badRequest(`Target ${what} is not in the job token scope`);
}

/** What cannot be added: real instances answer 400 for what exists and the caller does not see. */
function unknown(world: World, what: "project" | "group", target: object | undefined): Problem {
  if (!world.asDeployed || target === undefined) return notFound(`Target ${what}`);
  const text = "that you are attempting to access does not exist or you don't have permission to perform this action";
  return badRequest(`The target_${what} ${text}`);
}

function settings(router: Router): void {
  router.on("GET /projects/:id/job_token_scope", signedIn, ({ world, project }) =>
    // Outbound access can no longer be limited: the setting is deprecated, and no request changes it.
    ok({ inbound_enabled: isLimited(world, project.id), outbound_enabled: true }),
  );
  const params = { enabled: required(boolean()) };
  router.on("PATCH /projects/:id/job_token_scope", { ...signedIn, params }, ({ world, project, params }) => {
    world.store.table(scopes).insert({ id: project.id, inbound_enabled: params.enabled });
    return noContent();
  });
}

/** A project is always first on its own allowlist, without a row. */
function projectList(router: Router): void {
  const path = "/projects/:id/job_token_scope/allowlist" as const;
  router.on(`GET ${path}`, { ...signedIn, params: pageParams }, (call) => {
    const { world, project } = call;
    const rows = world.store.table(allowedProjects).where((row) => row.project_id === project.id);
    const listed = rows.flatMap((row) => world.store.table(projects).get(row.target_id) ?? []);
    return page(call, [project, ...listed], (each) => briefProject(world, each, call.origin));
  });
  const params = { target_project_id: required(integer()) };
  router.on(`POST ${path}`, { ...written, params }, ({ world, project, params, user }) => {
    const target = world.store.table(projects).get(params.target_project_id);
    if (target === undefined || !canSeeProject(world, user, target)) throw unknown(world, "project", target);
    if (target.id === project.id || find(world, allowedProjects, project.id, target.id) !== undefined) {
      throw taken(world, "project");
    }
    refuseFull(world, allowedProjects, project.id, "project links in this direction");
    world.store
      .table(allowedProjects)
      .insert({ project_id: project.id, target_id: target.id, created_at: world.timestamp() });
    return created({ source_project_id: project.id, target_project_id: target.id });
  });
  router.on(`DELETE ${path}/:target_project_id`, { ...written, params }, (call) => {
    const { world, project, params, user } = call;
    // Real instances remove an entry of a group without a look at the group, but not one of a hidden project.
    const target = world.store.table(projects).get(params.target_project_id);
    if (world.asDeployed && (target === undefined || !canSeeProject(world, user, target))) throw notFound("Project");
    if (params.target_project_id === project.id) {
      throw badRequest("a project cannot be removed from its own job token allowlist");
    }
    const row = find(world, allowedProjects, project.id, params.target_project_id);
    if (row === undefined) throw absent(world, "project", target);
    checkUnmodifiedSince(call, row.created_at);
    world.store.table(allowedProjects).delete(row.id);
    return noContent();
  });
}

function groupList(router: Router): void {
  const path = "/projects/:id/job_token_scope/groups_allowlist" as const;
  router.on(`GET ${path}`, { ...signedIn, params: pageParams }, (call) => {
    const { world, project } = call;
    const rows = world.store.table(allowedGroups).where((row) => row.project_id === project.id);
    const listed = rows.flatMap((row) => world.store.table(groups).get(row.target_id) ?? []);
    return page(call, listed, (each) => ({ id: each.id, web_url: groupUrl(each, call.origin), name: each.name }));
  });
  const params = { target_group_id: required(integer()) };
  router.on(`POST ${path}`, { ...written, params }, ({ world, project, params, user }) => {
    const target = world.store.table(groups).get(params.target_group_id);
    if (target === undefined || !canSeeGroup(world, user, target)) throw unknown(world, "group", target);
    if (find(world, allowedGroups, project.id, target.id) !== undefined) {
      throw taken(world, "group");
    }
    refuseFull(world, allowedGroups, project.id, "group links");
    world.store
      .table(allowedGroups)
      .insert({ project_id: project.id, target_id: target.id, created_at: world.timestamp() });
    return created({ source_project_id: project.id, target_group_id: target.id });
  });
  router.on(`DELETE ${path}/:target_group_id`, { ...written, params }, (call) => {
    const { world, project, params } = call;
    const row = find(world, allowedGroups, project.id, params.target_group_id);
    if (row === undefined) throw absent(world, "group", world.store.table(groups).get(params.target_group_id));
    checkUnmodifiedSince(call, row.created_at);
    world.store.table(allowedGroups).delete(row.id);
    return noContent();
  });
}
