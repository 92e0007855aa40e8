import { pageOrWhole, pageParams } from "../../server/pagination.ts";
import { required, string } from "../../server/params.ts";
import { invalid, notFound } from "../../server/problem.ts";
import { noContent, ok } from "../../server/reply.ts";
import type { Area } from "../../server/router.ts";
import { type Group, type User, users } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { seedScim } from "./seed.ts";
import { isTaken } from "./taken.ts";

const options = {
  access: { group: "owner" },
  tier: "premium",
  hosting: "hosted",
  deployed: { authenticates: true },
} as const;

/** SCIM identities: 2-collaboration-identity-api: SCIM identities. `GET /users` shows them too. */
export const scimArea: Area = {
  name: "scim",
  seed: seedScim,
  routes(router) {
    const byUid = { uid: required(string()) };
    router.on("GET /groups/:id/scim/identities", { ...options, params: pageParams }, (call) => {
      const rows = provisioned(call.world, call.group);
      return pageOrWhole(call, rows, (user) => identityOf(user, call.group));
    });
    router.on("GET /groups/:id/scim/:uid", { ...options, params: byUid }, ({ world, group, params }) =>
      ok(identityOf(find(world, group, params.uid), group)),
    );
    const params = { ...byUid, extern_uid: required(string()) };
    // The documents call the group's parameter `groups_id` here.
    router.on("PATCH /groups/:groups_id/scim/:uid", { ...options, params }, ({ world, group, params }) => {
      const { id, scim_identities } = find(world, group, params.uid);
      if (params.extern_uid.trim() === "") throw invalid({ extern_uid: ["can't be blank"] });
      const holder = provisioned(world, group).find((each) =>
        isTaken(world, identityOf(each, group)?.extern_uid, params.extern_uid),
      );
      if (holder !== undefined && holder.id !== id) throw invalid({ extern_uid: ["has already been taken"] });
      const changed = scim_identities.map((identity) =>
        identity.group_id === group.id ? { ...identity, extern_uid: params.extern_uid } : identity,
      );
      return ok(identityOf(world.store.table(users).update(id, { scim_identities: changed }), group));
    });
    router.on("DELETE /groups/:id/scim/:uid", { ...options, params: byUid }, ({ world, group, params }) => {
      const { id, scim_identities } = find(world, group, params.uid);
      const kept = scim_identities.filter((identity) => identity.group_id !== group.id);
      world.store.table(users).update(id, { scim_identities: kept });
      return noContent();
    });
  },
};

function provisioned(world: World, group: Group): User[] {
  return world.store.table(users).where((user) => identityOf(user, group) !== undefined);
}

function identityOf(user: User, group: Group) {
  const identity = user.scim_identities.find((each) => each.group_id === group.id);
  return identity && { extern_uid: identity.extern_uid, user_id: user.id, active: identity.active };
}

/** Real instances find a SCIM identity, unlike one of SAML, in any case. */
function find(world: World, group: Group, uid: string): User {
  const user = provisioned(world, group).find((each) => isTaken(world, identityOf(each, group)?.extern_uid, uid));
  if (user === undefined) throw notFound("Identity");
  return user;
}
