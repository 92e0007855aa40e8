import { accessLevel, type Caller, canSeeGroup, canSeeProject, isInGroup, lineage } from "../../server/access.ts";
import type { Call } from "../../server/call.ts";
import { cursorPage, keysetPage, keysetParams, page, pageParams } from "../../server/pagination.ts";
import { boolean, fallback, oneOf, string, type Values } from "../../server/params.ts";
import { unauthorized } from "../../server/problem.ts";
import { ok, type Reply } from "../../server/reply.ts";
import type { Area, Router } from "../../server/router.ts";
import { foundIn } from "../../server/search.ts";
import { type Group, groups, type Project, projects, shares } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { seedFleet } from "./fleet.ts";
import { briefProject, groupUrl } from "./view.ts";

/**
 * Endpoints that the service has and the three API documents do not show. Tools need them to turn a path into an ID, to
 * find projects and groups by name or by what they contain, and to read the release and their token's permissions.
 * Deleting and testing hooks, hooks of projects, protected branches, protection rules of the registry, discussions of
 * merge requests, the activity filter of notes, the provider of SAML links, and the search in recent pipelines are not
 * in the documents either; they are in their own areas.
 */
export const companionsArea: Area = {
  name: "companions",
  seed: seedFleet,
  routes(router) {
    projectRoutes(router);
    groupRoutes(router);
    aboutRoutes(router);
  },
};

const listed = { ...pageParams, search: string() };
const byName = { pagination: oneOf(["offset", "keyset"]), order_by: oneOf(["name"]), cursor: string() };
const sorted = { sort: oneOf(["asc", "desc"]) };
const filtered = {
  ...keysetParams,
  ...sorted,
  search: string(),
  archived: boolean(),
  visibility: oneOf(["private", "internal", "public"]),
  order_by: oneOf(["id", "name", "path", "created_at", "updated_at", "last_activity_at", "star_count"]),
};

function projectRoutes(router: Router): void {
  const anyone = { anonymous: true } as const;
  const params = { ...filtered, membership: fallback(boolean(), false) };
  router.on("GET /projects", { access: anyone, params }, (call) => {
    const { world, user, params } = call;
    const isWanted = (project: Project) => !params.membership || isMember(world, { user, token: undefined }, project);
    return listProjects(call, isWanted);
  });
  router.on("GET /projects/:id", { access: { project: "guest", public: true } }, (call) =>
    ok({ ...projectView(call, call.project), ...(call.world.asDeployed && { permissions: permissionsOf(call) }) }),
  );
  const below = { ...filtered, include_subgroups: fallback(boolean(), false), with_shared: fallback(boolean(), true) };
  router.on("GET /groups/:id/projects", { access: { group: "guest", public: true }, params: below }, (call) => {
    const { world, group, params } = call;
    // Projects that are shared with the group itself: those of subgroups are not listed, with or without the subgroups.
    const shared = params.with_shared ? world.store.table(shares).where(({ group_id }) => group_id === group.id) : [];
    return listProjects(
      call,
      ({ id, namespace_id }) =>
        shared.some(({ project_id }) => project_id === id) ||
        (params.include_subgroups
          ? lineage(world, namespace_id).some((above) => above.id === group.id)
          : namespace_id === group.id),
    );
  });
}

type Listing = Pick<Call, "world" | "origin" | "path" | "query"> & {
  readonly user: Seeing["user"];
  readonly params: Values<typeof filtered>;
};

/** The visible projects that match, newest first unless ordered otherwise. */
function listProjects(call: Listing, isWanted: (project: Project) => boolean): Reply {
  const { world, user, params } = call;
  const found = world.store
    .table(projects)
    .where(
      (project) =>
        canSeeProject(world, user, project) &&
        isFound(world, project, params.search) &&
        (params.archived === undefined || params.archived === (project.archived ?? false)) &&
        (params.visibility === undefined || params.visibility === project.visibility) &&
        isWanted(project),
    );
  const view = (project: Project) => projectView(call, project);
  const { order_by = "created_at", sort = "desc" } = params;
  if (params.pagination === "keyset") return keysetPage(call, found, { by: params.order_by, sort }, view);
  return page(call, inOrder(found, order_by, sort), view);
}

function inOrder(found: readonly Project[], by: string, sort: "asc" | "desc"): Project[] {
  // The service shows no time of an update that differs from the last activity's here.
  const field = (by === "created_at" ? "id" : by === "updated_at" ? "last_activity_at" : by) as keyof Project;
  const value = (project: Project) => project[field] as string | number;
  const compare = (a: Project, b: Project) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : a.id - b.id);
  return found.toSorted((a, b) => (sort === "asc" ? compare(a, b) : compare(b, a)));
}

type Seeing = Pick<Call, "world" | "user" | "origin">;

/** Real instances search the description too. */
function isFound(world: World, project: Project, search: string | undefined): boolean {
  if (!world.asDeployed || search === undefined) return matches(project, search);
  return foundIn([project.name, project.path, project.description], search);
}

/** `search` matches part of the name or of the last path segment. */
function matches({ name, path }: Pick<Project, "name" | "path">, search: string | undefined): boolean {
  const word = search?.toLowerCase() ?? "";
  return name.toLowerCase().includes(word) || path.toLowerCase().includes(word);
}

/** Administrators are not members of everything: only actual memberships count. */
function isMember(world: World, { user }: Caller, project: Project): boolean {
  return user !== undefined && accessLevel(world, { ...user, admin: false }, { project }) > 0;
}

/** The caller's own memberships, which the documents do not mention; being an administrator is none. */
function permissionsOf({ world, user, project }: Pick<Seeing, "world" | "user"> & { project: Project }): object {
  const level = user === undefined ? 0 : accessLevel(world, { ...user, admin: false }, { project });
  return { project_access: level > 0 ? { access_level: level } : null, group_access: null };
}

function projectView({ world, origin }: Seeing, project: Project): object {
  const { visibility, container_registry_access_level, archived = false, marked_for_deletion_on = null } = project;
  return {
    ...briefProject(world, project, origin),
    ...{ visibility, container_registry_access_level, archived },
    ...{ marked_for_deletion_at: marked_for_deletion_on, marked_for_deletion_on },
  };
}

function groupRoutes(router: Router): void {
  const params = {
    ...listed,
    ...byName,
    ...sorted,
    top_level_only: fallback(boolean(), false),
    all_available: boolean(),
  };
  router.on("GET /groups", { access: { anonymous: true }, params }, (call) => {
    const { world, user, params } = call;
    // By default, real instances list to a user the groups that they are in; administrators and auditors are in all.
    const isOwn = (group: Group) => user === undefined || user.auditor || isInGroup(world, user, group);
    const areOwn = world.asDeployed && params.all_available !== true;
    return listGroups(
      call,
      (group) => (!params.top_level_only || group.parent_id === null) && (!areOwn || isOwn(group)),
    );
  });
  const inside = { access: { group: "guest", public: true }, params: { ...listed, ...byName, ...sorted } } as const;
  router.on("GET /groups/:id/subgroups", inside, (call) =>
    listGroups(call, (group) => group.parent_id === call.group.id),
  );
  router.on("GET /groups/:id/descendant_groups", inside, (call) =>
    listGroups(call, (group) => lineage(call.world, group.parent_id).some(({ id }) => id === call.group.id)),
  );
  router.on("GET /groups/:id", { access: { group: "guest", public: true } }, ({ group, origin }) =>
    ok(groupView(group, origin)),
  );
}

type GroupListing = Omit<Listing, "params"> & {
  readonly params: Values<typeof listed> & Values<typeof byName> & Values<typeof sorted>;
};

/** The visible groups that match, by name. */
function listGroups(call: GroupListing, isWanted: (group: Group) => boolean): Reply {
  const { world, user, params } = call;
  const found = world.store
    .table(groups)
    .where((group) => canSeeGroup(world, user, group) && isNamed(world, group, params.search) && isWanted(group))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id));
  const view = (group: Group) => groupView(group, call.origin);
  if (params.pagination === "keyset") return cursorPage(call, found, view);
  return page(call, params.sort === "desc" ? found.reverse() : found, view);
}

/** Real instances search the names of the groups above too. */
function isNamed(world: World, group: Group, search: string | undefined): boolean {
  if (!world.asDeployed || search === undefined) return matches(group, search);
  return foundIn([group.full_name, group.full_path], search);
}

function groupView(group: Group, origin: string): object {
  const { id, name, path, full_name, full_path, parent_id, description, visibility, created_at } = group;
  const web_url = groupUrl(group, origin);
  return { id, name, path, full_name, full_path, parent_id, description, visibility, created_at, web_url };
}

/** The release that the sandbox reports: the newest one mentioned in the documents. */
const release = { version: "17.4.0-sandbox", revision: "5a9db0c5a11" };

/** The server for agents in clusters, which a sandbox does not have. */
const kas = { enabled: false, externalUrl: null, externalK8sProxyUrl: null, version: null };

function aboutRoutes(router: Router): void {
  router.on("GET /metadata", { scopes: ["read_api", "read_user"] }, ({ world }) =>
    ok({ ...release, ...(world.asDeployed && { kas }), enterprise: true }),
  );
  router.on("GET /version", { scopes: ["read_api", "read_user"] }, () => ok(release));
  const scopes = ["read_api", "read_user", "read_repository"] as const;
  router.on("GET /personal_access_tokens/self", { scopes }, ({ world, user, token }) => {
    if (token === undefined) throw unauthorized();
    return ok({
      id: token.id,
      name: token.name ?? `Token ${token.id}`,
      description: null,
      revoked: token.revoked,
      created_at: user.created_at,
      scopes: token.scopes,
      user_id: token.user_id,
      last_used_at: world.timestamp(),
      active: true,
      expires_at: token.expires_at?.slice(0, 10) ?? null,
    });
  });
}
