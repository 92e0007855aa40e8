import { accessLevel, authenticate, type Caller } from "../../server/access.ts";
import { required, string } from "../../server/params.ts";
import { Problem } from "../../server/problem.ts";
import { ok, type Reply } from "../../server/reply.ts";
import type { Router } from "../../server/router.ts";
import { type Project, projects, roles } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { demoRegistry } from "../places/tokens.ts";
import { mayRead } from "./access.ts";
import { liveRepositories, pathOf, type Repository, repositories, tags, tagsOf } from "./model.ts";
import { type Grant, issueToken, registryProblem, requireGrant } from "./token.ts";

const open = { root: true, access: { open: true } } as const;
const CATALOG_DEFAULT = 100;
const CATALOG_MAX = 1000;

/** The registry's own API and its tokens: 1-project-api: Container registry (instance-wide endpoints). */
export function registryService(router: Router): void {
  const asked = { service: string(), scope: string() };
  router.on("GET /jwt/auth", { ...open, params: asked }, ({ world, params, query, header }) => {
    const { caller, name } = signIn(world, header("authorization"));
    if (params.service !== "container_registry") throw new Problem(404, { message: "404 Not Found" });
    const grants = query.getAll("scope").flatMap((scope) => grantsFor(world, caller, scope));
    return ok({ token: issueToken(world, name, grants) });
  });

  router.on("GET /v2/_catalog", { ...open, params: { n: string(), last: string() } }, (call) => {
    requireGrant(call, "registry", "catalog", "*");
    const n = Number(call.params.n ?? CATALOG_DEFAULT);
    if (!Number.isInteger(n) || n < 1 || n > CATALOG_MAX) {
      throw registryProblem(400, "PAGINATION_NUMBER_INVALID", "invalid number of results requested");
    }
    return catalog(call.world, n, call.params.last ?? "");
  });

  const named = { name: required(string()), reference: required(string()) };
  router.on("DELETE /v2/*name/manifests/:reference", { ...open, params: named }, (call) => {
    const { name, reference } = call.params;
    requireGrant(call, "repository", name, "delete");
    return deleteReference(call.world, name, reference);
  });
  router.on("DELETE /v2/*name/tags/reference/:reference", { ...open, params: named }, (call) => {
    const { name, reference } = call.params;
    requireGrant(call, "repository", name, "delete");
    return deleteReference(call.world, name, reference);
  });
}

/** The user behind basic credentials: any name with an access token, or the job's user with a job token. */
function signIn(world: World, authorization: string | undefined): { caller: Caller; name: string } {
  const coded = /^basic +(\S+)$/i.exec(authorization ?? "")?.[1] ?? "";
  const [, name = "", password] = /^([^:]*):(.*)$/s.exec(Buffer.from(coded, "base64").toString("utf8")) ?? [];
  const kind = name === demoRegistry.jobUser ? "job-token" : "private-token";
  const header = (wanted: string) => (wanted === kind ? password : undefined);
  try {
    const caller = authenticate(world, { header, query: new URLSearchParams() }, true, { jobToken: true });
    if (name !== "" && caller.user !== undefined) return { caller, name };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
  throw registryProblem(401, "UNAUTHORIZED", "HTTP Basic: Access denied", {
    "www-authenticate": 'Basic realm="container_registry"',
  });
}

/** The part of a scope that the caller may have; getting less, or nothing, is not an error here. */
function grantsFor(world: World, caller: Caller, scope: string): Grant[] {
  const [, type = "", name = "", asked = ""] = /^([^:]+):(.+):([^:]+)$/.exec(scope) ?? [];
  const actions = asked.split(",");
  if (type === "registry" && name === "catalog") {
    return caller.user?.admin ? [{ type, name, actions }] : [];
  }
  const project = type === "repository" ? owningProject(world, name) : undefined;
  if (project === undefined || !mayRead({ world, ...caller }, project)) return [];
  const level = accessLevel(world, caller.user, { project });
  const least: Readonly<Record<string, number>> = { pull: 0, push: roles.developer, delete: roles.maintainer };
  const granted = actions.filter((action) => level >= (least[action] ?? Number.POSITIVE_INFINITY));
  if (world.asDeployed && granted.includes("push")) makeRepository(world, project, name);
  return [{ type, name, actions: granted }];
}

/** The service makes a repository when a token to push to it is requested (registry-push-token). */
function makeRepository(world: World, { id, path_with_namespace: own }: Project, path: string): void {
  if (findByPath(world, path) !== undefined) return;
  const never = { cleanup_policy_started_at: null, deletion_requested_at: null, bulk_requested_at: null };
  const name = path.slice(own.length + 1);
  world.store.table(repositories).insert({ project_id: id, name, created_at: world.timestamp(), ...never });
}

/** The project whose path equals an image's path or is its prefix. */
function owningProject(world: World, path: string) {
  return world.store.table(projects).find(({ path_with_namespace: own }) => path === own || path.startsWith(`${own}/`));
}

/** Names in order; the link to the next page is a path without scheme and host. */
function catalog(world: World, n: number, last: string): Reply {
  const names = liveRepositories(world).map((repository) => pathOf(world, repository));
  const ahead = names.sort().filter((name) => name > last);
  const shown = ahead.slice(0, n);
  const next = new URLSearchParams({ last: shown.at(-1) ?? "", n: String(n) });
  const more = ahead.length > n ? { link: `</v2/_catalog?${next}>; rel="next"` } : {};
  return ok({ repositories: shown }, more);
}

/** Deletes one tag, or all tags of a digest. */
function deleteReference(world: World, name: string, reference: string): Reply {
  const repository = findByPath(world, name);
  if (repository === undefined) throw registryProblem(404, "NAME_UNKNOWN", "repository name not known to registry");
  const matching = tagsOf(world, repository).filter((tag) => tag.name === reference || tag.digest === reference);
  if (matching.length === 0) throw registryProblem(404, "MANIFEST_UNKNOWN", "manifest unknown");
  for (const { id } of matching) world.store.table(tags).delete(id);
  return { status: 202, headers: {} };
}

function findByPath(world: World, path: string): Repository | undefined {
  return liveRepositories(world).find((repository) => pathOf(world, repository) === path);
}
