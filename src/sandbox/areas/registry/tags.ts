import { accessLevel } from "../../server/access.ts";
import { type Call, checkUnmodifiedSince } from "../../server/call.ts";
import { namePage, page, pageParams } from "../../server/pagination.ts";
import { integer, oneOf, required, string } from "../../server/params.ts";
import { badRequest, forbidden, notFound, Problem } from "../../server/problem.ts";
import { accepted, noContent, ok } from "../../server/reply.ts";
import type { Router } from "../../server/router.ts";
import { roles } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { admitToRepository, ownJobToken } from "./access.ts";
import { chooseTags } from "./cleanup.ts";
import { pathOf, type Repository, repositories, scheduleCleanup, type Tag, tags, tagsOf } from "./model.ts";
import { isProtected } from "./protection.ts";

const HOUR = 3_600_000;
/** On the hosted offering, a bulk delete stops after this many tags; the documents mention a limit without a number. */
const HOSTED_LIMIT = 20;
/** The names that real instances look at when they search for one. */
const SEARCHED = 100;

const path = "/projects/:id/registry/repositories/:repository_id/tags" as const;
const repository_id = required(integer());
const reading = { access: { project: "guest", public: true }, jobToken: true, deployed: ownJobToken } as const;
/** The documents name no role for deletes. */
const deleting = { access: { project: "maintainer" }, jobToken: true, deployed: ownJobToken } as const;

/** Tags: 1-project-api: Container registry (project and group API). */
export function tagRoutes(router: Router): void {
  const listed = { ...pageParams, repository_id, pagination: oneOf(["offset", "keyset"]), last: string() };
  router.on(`GET ${path}`, { ...reading, params: listed }, (call) => {
    const repository = admitToRepository(call, call.params.repository_id);
    const view = (tag: Tag) => tagSummary(call, repository, tag);
    const rows = tagsOf(call.world, repository);
    if (call.params.pagination !== "keyset") return page(call, rows, view);
    // Real instances have it wherever the registry has the service's own API, which is the rule.
    if (call.world.hosting !== "hosted" && !call.world.asDeployed) {
      throw new Problem(405, { message: "405 Keyset pagination of tags is available on the hosted offering only" });
    }
    return namePage(call, rows, view);
  });

  const named = { repository_id, tag_name: required(string()) };
  router.on(`GET ${path}/:tag_name`, { ...reading, params: named }, (call) => {
    const repository = admitToRepository(call, call.params.repository_id);
    return ok(tagDetails(call, repository, lookUp(call.world, repository, call.params.tag_name)));
  });
  // Real instances let Developers delete single tags.
  const access = { project: "developer" } as const;
  router.on(`DELETE ${path}/:tag_name`, { ...deleting, access, params: named }, (call) => {
    const level = accessLevel(call.world, call.user, { project: call.project });
    if (!call.world.asDeployed && level < roles.maintainer) throw forbidden();
    const repository = admitToRepository(call, call.params.repository_id);
    const tag = search(call.world, repository, call.params.tag_name);
    // Newer instances look up no tag before they ask for the right to delete it.
    if (tag === undefined) throw call.world.asDeployed ? forbidden() : notFound("Tag");
    if (isProtected(call, repository, tag)) throw forbidden();
    checkUnmodifiedSince(call, tag.created_at);
    call.world.store.table(tags).delete(tag.id);
    return noContent();
  });
  bulkDelete(router);
}

function bulkDelete(router: Router): void {
  const params = {
    repository_id,
    name_regex: string(),
    name_regex_delete: string(),
    name_regex_keep: string(),
    keep_n: integer({ min: 0 }),
    older_than: string(),
  };
  router.on(`DELETE ${path}`, { ...deleting, params }, (call) => {
    const { world, params } = call;
    const repository = admitToRepository(call, params.repository_id);
    const matching = chooseTags(tagsOf(world, repository), params, world.now());
    const chosen = matching.filter((tag) => !isProtected(call, repository, tag));
    checkHour(world, repository);
    world.store.table(repositories).update(repository.id, { bulk_requested_at: world.timestamp() });
    scheduleCleanup(world, world.hosting === "hosted" ? chosen.slice(-HOSTED_LIMIT) : chosen);
    return accepted();
  });
}

function checkHour(world: World, { bulk_requested_at: last }: Repository): void {
  if (last === null || world.now().getTime() - Date.parse(last) >= HOUR) return;
  throw badRequest("This request has already been made. It may run at most once an hour for a container repository.");
}

/**
 * A tag by name. Real instances search for it among the first names that contain it: a tag can be listed, and still not
 * be found.
 */
function lookUp(world: World, repository: Repository, name: string): Tag {
  const tag = search(world, repository, name);
  if (tag === undefined) throw notFound("Tag");
  return tag;
}

function search(world: World, repository: Repository, name: string): Tag | undefined {
  const all = tagsOf(world, repository);
  const searched = world.asDeployed ? all.filter((tag) => tag.name.includes(name)).slice(0, SEARCHED) : all;
  return searched.find((candidate) => candidate.name === name);
}

export function tagSummary(call: Pick<Call, "world" | "origin">, repository: Repository, { name }: Tag) {
  const tagged = `${pathOf(call.world, repository)}:${name}`;
  return { name, path: tagged, location: `${new URL(call.origin).host}/${tagged}` };
}

/** Here, unlike everywhere else, the time has a numeric UTC offset. */
function tagDetails(call: Pick<Call, "world" | "origin">, repository: Repository, tag: Tag): object {
  const { revision, digest, total_size } = tag;
  // The bulk delete decides by the last push, which real instances do not show: they show the first.
  const created_at = (call.world.asDeployed && tag.first_pushed_at) || tag.created_at;
  return {
    ...tagSummary(call, repository, tag),
    revision,
    short_revision: revision.slice(0, 9),
    digest,
    created_at: created_at.replace(/Z$/, "+00:00"),
    total_size,
  };
}
