import { users } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { people } from "../places/people.ts";
import { demoRole } from "./link.ts";
import { ldapLinks, samlLinks, samlProviders } from "./model.ts";

const ACME = 1;
const GLOBEX = 5;

/** UIDs at identity providers: mostly email addresses, some with characters that need encoding in a path. */
const uids: readonly (readonly [user: number, uid: string])[] = [
  [people.owner, "olivia.ortega@acme.example"],
  [people.maintainer, "mateo.marín@acme.example"],
  [people.developer, "dana.dixon@acme.example"],
  [people.planner, "ou=Product/Priya Patel"],
  [people.reporter, "робин рейес/1"],
];

/** The generated members of group 1 already have identities: see directoryEntries in people.ts. */
export function seedSaml(world: World): void {
  const { store } = world;
  store.table(samlProviders).insert({ id: 1, group_id: ACME });
  store.table(samlProviders).insert({ id: 2, group_id: GLOBEX });
  for (const [userId, extern_uid] of uids) addIdentity(world, userId, extern_uid, 1);
  addIdentity(world, people.owner, "olivia.ortega@acme.example", 2);
  const link = (group_id: number, name: string, access_level: number, member_role_id: number | null = null) =>
    store.table(samlLinks).insert({ group_id, name, access_level, member_role_id });
  link(ACME, "Engineering", 30);
  link(ACME, "Platform Leads", 40);
  link(ACME, "Contractors/EMEA", demoRole.level, demoRole.id);
  link(ACME, "Alle Beschäftigten", 5);
  link(GLOBEX, "Research", 20);
  if (!world.asDeployed) return;
  // On an instance with two providers, two links may have one name.
  for (const [provider, access_level] of [
    ["saml", 20],
    ["saml-eu", 30],
  ] as const) {
    store.table(samlLinks).insert({ group_id: GLOBEX, name: "Analysts", access_level, member_role_id: null, provider });
  }
}

function addIdentity(world: World, userId: number, extern_uid: string, saml_provider_id: number): void {
  const table = world.store.table(users);
  const others = (table.get(userId)?.identities ?? []).filter((each) => each.saml_provider_id !== saml_provider_id);
  table.update(userId, { identities: [...others, { provider: "group_saml", extern_uid, saml_provider_id }] });
}

export function seedScim(world: World): void {
  const table = world.store.table(users);
  for (const [userId, extern_uid] of uids) {
    const others = (table.get(userId)?.scim_identities ?? []).filter((each) => each.group_id !== ACME);
    const active = userId !== people.reporter;
    table.update(userId, { scim_identities: [...others, { extern_uid, group_id: ACME, active }] });
  }
}

export function seedLdap(world: World): void {
  const link = (
    group_id: number,
    provider: string,
    target: { cn: string } | { filter: string },
    group_access: number,
  ) =>
    world.store
      .table(ldapLinks)
      .insert({ group_id, provider, cn: null, filter: null, group_access, member_role_id: null, ...target });
  link(ACME, "ldapmain", { cn: "engineering" }, 30);
  link(ACME, "ldapmain", { cn: "leads" }, 50);
  link(ACME, "ldapmain", { filter: "(&(objectClass=person)(department=QA))" }, 20);
  link(ACME, "ldapsecondary", { cn: "engineering" }, 10);
  link(GLOBEX, "ldapmain", { filter: "(o=Globex)" }, 30);
}
