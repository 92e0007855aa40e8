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

/** Custom roles require Ultimate (2-collaboration-identity-api: LDAP group links). */
export function checkMemberRole(world: World, id: number | undefined): void {
  if (id !== undefined && !world.has("ultimate")) throw badRequest("member_role_id needs the Ultimate tier");
}
