import { integer, type Param, required } from "../../server/params.ts";
import { badRequest, invalid } from "../../server/problem.ts";
import type { World } from "../../store/world.ts";

/** Access levels that a link can give to members. */
const levels: readonly number[] = [5, 10, 15, 20, 30, 40, 50];

/** The access level of a link: a number of an existing level. */
export function linkLevel(): Param<number> {
  const read = required(integer());
  return (value, at) => {
    const level = read(value, at);
    if (!levels.includes(level)) throw invalid({ [at]: ["does not have a valid value"] });
    return level;
  };
}

/** A custom role with its level, which real instances give to a link with it. */
export const demoRole = { id: 12, level: 10 } as const;

/**
 * The custom role that is stored. It requires Ultimate (2-collaboration-identity-api: LDAP group links); real ones
 * drop it silently elsewhere.
 */
export function storedRole(world: World, id: number | undefined): number | null {
  if (world.has("ultimate")) return id ?? null;
  if (id !== undefined && !world.asDeployed) throw badRequest("member_role_id needs the Ultimate tier");
  return null;
}

/** The role as answered: where there are no custom roles, the answers of real instances do not have it. */
export function shownRole(world: World, member_role_id: number | null): object {
  return world.asDeployed && !world.has("ultimate") ? {} : { member_role_id };
}
