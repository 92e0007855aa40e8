import { accessLevel, type Caller, canSeeGroup, canSeeProject, lineage } from "../../server/access.ts";
import type { Call } from "../../server/call.ts";
import { page, pageParams } from "../../server/pagination.ts";
import { boolean, fallback, string } from "../../server/params.ts";
import { unauthorized } from "../../server/problem.ts";
import { ok } from "../../server/reply.ts";
import type { Area, Router } from "../../server/router.ts";
import { type Group, groups, type Project, projects } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { briefProject, groupUrl } from "./view.ts";

/**
 * Endpoints that the service has and the three API documents do not show. Tools need them to turn a path into an ID, to
 * find projects and groups by name, and to read the release and their token's permissions.
 * Deleting and testing hooks, discussions of merge requests, the activity filter of notes, the provider of SAML links,
 * and the search in recent pipelines are not in the documents either; they are in their own areas.
 */
export const companionsArea: Area = {
  name: "companions",
  routes(router) {
    projectRoutes(router);
    groupRoutes(router);
    aboutRoutes(router);
  },
};

const listed = { ...pageParams, search: string() };

function projectRoutes(router: Router): void {
  const anyone = { anonymous: true } as const;
  const params = { ...listed, membership: fallback(boolean(), false) };
  router.on("GET /projects", { access: anyone, params }, (call) => {
    const { world, user, params } = call;
    const found = visibleProjects(call, params.search).filter(
      (project) => !params.membership || isMember(world, { user, token: undefined }, project),
    );
    return page(call, found, (project) => projectView(call, project));
  });
  router.on("GET /projects/:id", { access: { project: "guest", public: true } }, (call) =>
    ok(projectView(call, call.project)),
  );
  const below = { ...listed, include_subgroups: fallback(boolean(), false) };
  router.on("GET /groups/:id/projects", { access: { group: "guest", public: true }, params: below }, (call) => {
    const { world, group, params } = call;
    const found = visibleProjects(call, params.search).filter(({ namespace_id }) =>
      params.include_subgroups
        ? lineage(world, namespace_id).some(({ id }) => id === group.id)
        : namespace_id === group.id,
    );
    return page(call, found, (project) => projectView(call, project));
  });
}

type Seeing = Pick<Call, "world" | "user" | "origin">;

/** Newest first; `search` matches part of the name or of the last path segment. */
function visibleProjects({ world, user }: Pick<Seeing, "world" | "user">, search: string | undefined): Project[] {
  return world.store
    .table(projects)
    .where((project) => canSeeProject(world, user, project) && matches(project, search))
    .sort((a, b) => b.id - a.id);
}

function matches({ name, path }: Pick<Project, "name" | "path">, search: string | undefined): boolean {
  const word = search?.toLowerCase() ?? "";
  return name.toLowerCase().includes(word) || path.toLowerCase().includes(word);
}

/** Administrators are not members of everything: only actual memberships count. */
function isMember(world: World, { user }: Caller, project: Project): boolean {
  return user !== undefined && accessLevel(world, { ...user, admin: false }, { project }) > 0;
}

function projectView({ world, origin }: Seeing, project: Project): object {
  const { visibility, container_registry_access_level } = project;
  return { ...briefProject(world, project, origin), visibility, container_registry_access_level };
}

function groupRoutes(router: Router): void {
  router.on("GET /groups", { access: { anonymous: true }, params: listed }, (call) => {
    const { world, user, params } = call;
    const found = world.store
      .table(groups)
      .where((group) => canSeeGroup(world, user, group) && matches(group, params.search))
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id));
    return page(call, found, (group) => groupView(group, call.origin));
  });
  router.on("GET /groups/:id", { access: { group: "guest", public: true } }, ({ group, origin }) =>
    ok(groupView(group, origin)),
  );
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
