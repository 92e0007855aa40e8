import { pageOrWhole, pageParams } from "../../server/pagination.ts";
import { integer, required, string } from "../../server/params.ts";
import { badRequest, conflict, notFound, Problem } from "../../server/problem.ts";
import { created, noContent } from "../../server/reply.ts";
import type { Area } from "../../server/router.ts";
import type { Group } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { linkLevel, shownRole, storedRole } from "./link.ts";
import { type LdapLink, ldapLinks } from "./model.ts";
import { seedLdap } from "./seed.ts";

const options = {
  access: { group: "owner" },
  tier: "premium",
  hosting: "self-managed",
  deployed: { dotless: true, authenticates: true },
} as const;
const path = "/groups/:id/ldap_group_links";

/** LDAP group links: 2-collaboration-identity-api: LDAP group links. */
export const ldapArea: Area = {
  name: "ldap",
  seed: seedLdap,
  routes(router) {
    const target = { cn: string({ min: 1 }), filter: string({ min: 1 }) };
    const provider = required(string({ min: 1 }));
    router.on(`GET ${path}`, { ...options, params: pageParams }, (call) => {
      const rows = call.world.store.table(ldapLinks).where((link) => link.group_id === call.group.id);
      if (call.world.asDeployed && rows.length === 0) {
        throw new Problem(404, { message: "No linked LDAP groups found" });
      }
      return pageOrWhole(call, rows, (link) => view(call.world, link));
    });
    const params = {
      ...target,
      provider,
      group_access: linkLevel(),
      member_role_id: integer({ min: 1 }),
    };
    router.on(`POST ${path}`, { ...options, params }, ({ world, group, params }) => {
      const member_role_id = storedRole(world, params.member_role_id);
      checkOne(params);
      if (find(world, group, params) !== undefined)
        throw conflict("Provider has already been taken for this CN or filter");
      const { provider, group_access, cn = null, filter = null } = params;
      const link = { group_id: group.id, provider, cn, filter, group_access, member_role_id };
      return created(view(world, world.store.table(ldapLinks).insert(link)));
    });
    router.on(`DELETE ${path}`, { ...options, params: { ...target, provider } }, ({ world, group, params }) => {
      checkOne(params);
      return remove(world, find(world, group, params));
    });
    // Both are deprecated: given only the CN, the first link with it is deleted.
    const cn = required(string());
    const named = { ...options, deployed: { ...options.deployed, cuts: "cn" } };
    router.on(`DELETE ${path}/:cn`, { ...named, params: { cn } }, ({ world, group, params }) =>
      remove(world, find(world, group, params)),
    );
    router.on(`DELETE ${path}/:provider/:cn`, { ...named, params: { provider, cn } }, ({ world, group, params }) =>
      remove(world, find(world, group, params)),
    );
  },
};

interface Target {
  readonly provider?: string | undefined;
  readonly cn?: string | undefined;
  readonly filter?: string | undefined;
}

function checkOne({ cn, filter }: Target): void {
  if (cn === undefined && filter === undefined)
    throw badRequest("cn, filter are missing, exactly one parameter must be provided");
  if (cn !== undefined && filter !== undefined) throw badRequest("cn, filter are mutually exclusive");
}

function find(world: World, group: Group, { provider, cn, filter }: Target): LdapLink | undefined {
  return world.store
    .table(ldapLinks)
    .find(
      (link) =>
        link.group_id === group.id &&
        (provider === undefined || link.provider === provider) &&
        link.cn === (cn ?? null) &&
        link.filter === (filter ?? null),
    );
}

function remove(world: World, link: LdapLink | undefined) {
  if (link === undefined) throw notFound("Linked LDAP Group");
  world.store.table(ldapLinks).delete(link.id);
  return noContent();
}

function view(world: World, { cn, group_access, provider, filter, member_role_id }: LdapLink) {
  return { cn, group_access, provider, filter, ...shownRole(world, member_role_id) };
}
