import { lineage } from "../../server/access.ts";
import { type Call, checkUnmodifiedSince } from "../../server/call.ts";
import { page, pageParams } from "../../server/pagination.ts";
import { boolean, fallback, integer, oneOf, required } from "../../server/params.ts";
import { notFound } from "../../server/problem.ts";
import { accepted, ok } from "../../server/reply.ts";
import type { Area, Router } from "../../server/router.ts";
import { type Project, projects } from "../../store/model.ts";
import { admitToRegistry, admitToRepository, mayRead, ownJobToken } from "./access.ts";
import {
  findRepository,
  liveRepositories,
  pathOf,
  projectOf,
  type Repository,
  repositories,
  statusOf,
  tagsOf,
} from "./model.ts";
import { protectionRoutes } from "./protection.ts";
import { seedRegistry } from "./seed.ts";
import { registryService } from "./service.ts";
import { tagRoutes, tagSummary } from "./tags.ts";

/** The container registry: 1-project-api: Container registry. */
export const registryArea: Area = {
  name: "registry",
  seed: seedRegistry,
  routes(router) {
    visibility(router);
    lists(router);
    single(router);
    tagRoutes(router);
    protectionRoutes(router);
    registryService(router);
  },
};

function visibility(router: Router): void {
  const params = { container_registry_access_level: oneOf(["enabled", "private", "disabled"]) };
  // The router ignores a trailing slash: this answers `PUT /projects/7/` as documented.
  router.on("PUT /projects/:id", { access: { project: "maintainer" }, params }, ({ world, project, params }) => {
    const level = params.container_registry_access_level;
    const { id, name, container_registry_access_level } =
      level === undefined
        ? project
        : world.store.table(projects).update(project.id, { container_registry_access_level: level });
    return ok({ id, name, container_registry_access_level });
  });
}

const include = { tags: fallback(boolean(), false), tags_count: fallback(boolean(), false) };

function lists(router: Router): void {
  const project = { access: { project: "guest", public: true }, jobToken: true, deployed: ownJobToken } as const;
  router.on(
    "GET /projects/:id/registry/repositories",
    { ...project, params: { ...pageParams, ...include } },
    (call) => {
      admitToRegistry(call);
      const rows = liveRepositories(call.world).filter((row) => row.project_id === call.project.id);
      return page(call, rows, (row) => view(call, row, call.params));
    },
  );
  // `tags` and `tags_count` were removed here in release 15.0: they are ignored.
  const group = { access: { group: "guest", public: true } } as const;
  router.on("GET /groups/:id/registry/repositories", { ...group, params: pageParams }, (call) => {
    const { world } = call;
    const inside = (each: Project) => lineage(world, each.namespace_id).some(({ id }) => id === call.group.id);
    const rows = liveRepositories(world).filter((row) => {
      const owner = projectOf(world, row);
      return inside(owner) && mayRead(call, owner);
    });
    return page(call, rows, (row) => view(call, row));
  });
}

function single(router: Router): void {
  const id = required(integer());
  const reading = { access: { anonymous: true }, jobToken: true } as const;
  const params = { id, ...include, size: fallback(boolean(), false) };
  router.on("GET /registry/repositories/:id", { ...reading, params }, (call) => {
    const repository = findRepository(call.world, call.params.id);
    if (repository === undefined || !mayRead(call, projectOf(call.world, repository))) throw notFound("Repository");
    return ok(view(call, repository, call.params));
  });
  const access = { project: "maintainer" } as const;
  const deleting = { access, jobToken: true, deployed: ownJobToken, params: { repository_id: id } } as const;
  router.on("DELETE /projects/:id/registry/repositories/:repository_id", deleting, (call) => {
    const repository = admitToRepository(call, call.params.repository_id);
    checkUnmodifiedSince(call, repository.created_at);
    if (repository.deletion_requested_at === null) {
      call.world.store.table(repositories).update(repository.id, { deletion_requested_at: call.world.timestamp() });
    }
    return accepted();
  });
}

interface Included {
  readonly tags?: boolean;
  readonly tags_count?: boolean;
  readonly size?: boolean;
}

/** The names that real instances request of the registry, to count them. */
const MOST_COUNTED = 10_000;

/** Sizes are available only on the hosted offering, for repositories created after this day. */
const SIZED_SINCE = "2021-11-04";

function view(call: Pick<Call, "world" | "origin">, repository: Repository, included: Included = {}): object {
  const { world, origin } = call;
  const { id, name, project_id, created_at, cleanup_policy_started_at } = repository;
  const path = pathOf(world, repository);
  const tags = tagsOf(world, repository);
  const images = new Map(tags.map((tag) => [tag.digest, tag.total_size]));
  const sized = included.size && world.hosting === "hosted" && created_at > SIZED_SINCE;
  return {
    id,
    name,
    path,
    project_id,
    location: `${new URL(origin).host}/${path}`,
    created_at,
    cleanup_policy_started_at,
    status: statusOf(world, repository),
    ...(included.tags_count && { tags_count: world.asDeployed ? Math.min(tags.length, MOST_COUNTED) : tags.length }),
    ...(included.tags && { tags: tags.map((tag) => tagSummary(call, repository, tag)) }),
    ...(sized && { size: [...images.values()].reduce((sum, size) => sum + size, 0) }),
  };
}
