import { RE2JS } from "re2js";
import { accessLevel } from "../../server/access.ts";
import type { Call } from "../../server/call.ts";
import { page, pageParams } from "../../server/pagination.ts";
import { notFound } from "../../server/problem.ts";
import type { Router } from "../../server/router.ts";
import { type Project, roles, type User } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { projectOf, type Repository, type RuleLevel, type Tag, type TagRule, tagRules } from "./model.ts";

const ADMINISTRATOR = 60;
const levels: Readonly<Record<RuleLevel, number>> = {
  maintainer: roles.maintainer,
  owner: roles.owner,
  admin: ADMINISTRATOR,
};

/** The rules that protect tags, which the documents do not mention; those that make tags immutable are not listed. */
export function protectionRoutes(router: Router): void {
  const options = { access: { project: "maintainer" }, params: pageParams } as const;
  router.on("GET /projects/:id/registry/protection/tag/rules", options, (call) => {
    if (!call.world.asDeployed) throw notFound();
    const shown = rulesOf(call.world, call.project).filter((rule) => rule.minimum_access_level_for_delete !== null);
    return page(call, shown, (rule) => rule);
  });
}

/** Whether a rule keeps the caller from deleting a tag; documented instances have none. */
export function isProtected(
  { world, user }: Pick<Call, "world"> & { readonly user: User },
  repository: Repository,
  tag: Tag,
): boolean {
  if (!world.asDeployed) return false;
  const project = projectOf(world, repository);
  const level = accessLevel(world, user, { project });
  return rulesOf(world, project).some(
    ({ tag_name_pattern: pattern, minimum_access_level_for_delete: least }) =>
      RE2JS.compile(pattern).matcher(tag.name).find() && (least === null || level < levels[least]),
  );
}

function rulesOf(world: World, project: Project): TagRule[] {
  return world.store.table(tagRules).where((rule) => rule.project_id === project.id);
}
