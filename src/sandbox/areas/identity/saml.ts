import { pageOrWhole, pageParams } from "../../server/pagination.ts";
import { integer, required, string } from "../../server/params.ts";
import { invalid, notFound, Problem, unprocessable } from "../../server/problem.ts";
import { created, noContent, ok } from "../../server/reply.ts";
import type { Area, Router } from "../../server/router.ts";
import { type Group, type User, users } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { demoRole, linkLevel, shownRole } from "./link.ts";
import { type SamlLink, type SamlProvider, samlLinks, samlProviders } from "./model.ts";
import { seedSaml } from "./seed.ts";
import { isTaken } from "./taken.ts";

const access = { group: "owner" } as const;
const hosted = { access, tier: "premium", hosting: "hosted", deployed: { authenticates: true } } as const;
const paid = { access, tier: "premium", deployed: { dotless: true, refusesWith401: true } } as const;

/** SAML identities and group links: 2-collaboration-identity-api: SAML. */
export const samlArea: Area = {
  name: "saml",
  seed: seedSaml,
  routes(router) {
    identities(router);
    links(router);
  },
};

/** The identities are stored with the users: a change here shows in `GET /users`. */
function identities(router: Router): void {
  const byUid = { uid: required(string()) };
  router.on("GET /groups/:id/saml/identities", { ...hosted, params: pageParams }, (call) => {
    const provider = providerOf(call.world, call.group);
    if (call.world.asDeployed && provider === undefined) throw new Problem(400, { message: "400 Bad request" });
    return pageOrWhole(call, identified(call.world, provider?.id), (user) => view(user, provider?.id));
  });
  router.on("GET /groups/:id/saml/:uid", { ...hosted, params: byUid }, ({ world, group, params }) => {
    const { user, provider } = find(world, group, params.uid);
    return ok(view(user, provider.id));
  });
  const params = { ...byUid, extern_uid: required(string()) };
  router.on("PATCH /groups/:id/saml/:uid", { ...hosted, params }, ({ world, group, params }) => {
    const { user, provider } = find(world, group, params.uid);
    if (params.extern_uid.trim() === "") throw invalid({ extern_uid: ["can't be blank"] });
    const holder = identified(world, provider.id).find((each) =>
      isTaken(world, uidOf(each, provider.id), params.extern_uid),
    );
    if (holder !== undefined && holder.id !== user.id) throw invalid({ extern_uid: ["has already been taken"] });
    const changed = user.identities.map((identity) =>
      identity.saml_provider_id === provider.id ? { ...identity, extern_uid: params.extern_uid } : identity,
    );
    return ok(view(world.store.table(users).update(user.id, { identities: changed }), provider.id));
  });
  router.on("DELETE /groups/:id/saml/:uid", { ...hosted, params: byUid }, ({ world, group, params }) => {
    const { user, provider } = find(world, group, params.uid);
    const kept = user.identities.filter((identity) => identity.saml_provider_id !== provider.id);
    world.store.table(users).update(user.id, { identities: kept });
    // The documents show a message with the 204, but HTTP allows no body there.
    return noContent();
  });
}

function providerOf(world: World, group: Group): SamlProvider | undefined {
  return world.store.table(samlProviders).find((provider) => provider.group_id === group.id);
}

function identified(world: World, providerId: number | undefined): User[] {
  return world.store.table(users).where((user) => uidOf(user, providerId) !== undefined);
}

function uidOf(user: User, providerId: number | undefined): string | undefined {
  if (providerId === undefined) return undefined;
  return user.identities.find((identity) => identity.saml_provider_id === providerId)?.extern_uid;
}

function find(world: World, group: Group, uid: string): { user: User; provider: SamlProvider } {
  const provider = providerOf(world, group);
  const user = identified(world, provider?.id).find((each) => uidOf(each, provider?.id) === uid);
  if (provider === undefined || user === undefined) throw notFound("Identity");
  return { user, provider };
}

function view(user: User, providerId: number | undefined): Record<string, unknown> {
  return { extern_uid: uidOf(user, providerId), user_id: user.id };
}

function links(router: Router): void {
  const path = "/groups/:id/saml_group_links" as const;
  // Not in the documents: `provider` distinguishes links with the same name on an instance with several providers.
  const byName = { saml_group_name: required(string()), provider: string() };
  router.on(`GET ${path}`, { ...paid, params: pageParams }, (call) => {
    const rows = call.world.store.table(samlLinks).where((link) => link.group_id === call.group.id);
    return pageOrWhole(call, rows, (link) => viewLink(call.world, link));
  });
  const named = { ...paid, deployed: { ...paid.deployed, cuts: "saml_group_name" }, params: byName };
  router.on(`GET ${path}/:saml_group_name`, named, ({ world, group, params }) =>
    ok(viewLink(world, findLink(world, group, params))),
  );
  const params = { ...byName, access_level: linkLevel(), member_role_id: integer({ min: 1 }) };
  router.on(`POST ${path}`, { ...paid, params }, ({ world, group, params }) => {
    const { saml_group_name: name, access_level, member_role_id, provider = null } = params;
    if (name.trim() === "") throw invalid({ saml_group_name: ["can't be blank"] });
    const table = world.store.table(samlLinks);
    if (linksNamed(world, group, name).some((link) => (link.provider ?? null) === provider)) {
      throw invalid({ saml_group_name: ["has already been taken"] });
    }
    // Without custom roles, real instances drop the role silently.
    const role = world.asDeployed && !world.has("ultimate") ? null : (member_role_id ?? null);
    const level = world.asDeployed && role === demoRole.id ? demoRole.level : access_level;
    const added = { group_id: group.id, name, access_level: level, member_role_id: role, provider };
    return created(viewLink(world, table.insert(added)));
  });
  router.on(`DELETE ${path}/:saml_group_name`, named, ({ world, group, params }) => {
    world.store.table(samlLinks).delete(findLink(world, group, params).id);
    return noContent();
  });
}

function linksNamed(world: World, group: Group, name: string): SamlLink[] {
  return world.store.table(samlLinks).where((each) => each.group_id === group.id && each.name === name);
}

interface Named {
  readonly saml_group_name: string;
  readonly provider: string | undefined;
}

function findLink(world: World, group: Group, { saml_group_name, provider }: Named): SamlLink {
  const found = linksNamed(world, group, saml_group_name).filter(
    (each) => provider === undefined || (each.provider ?? "") === provider,
  );
  const [link, another] = found;
  if (link === undefined) throw notFound("SAML Group Link");
  if (another !== undefined) {
    throw unprocessable(
      "Multiple group links found with the same name. Please specify a provider parameter to disambiguate.",
    );
  }
  return link;
}

function viewLink(world: World, { name, access_level, member_role_id, provider = null }: SamlLink) {
  const role = shownRole(world, member_role_id);
  return { name, access_level, ...role, ...((world.asDeployed || provider !== null) && { provider }) };
}
