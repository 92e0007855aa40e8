import { accessLevels } from "../../api/endpoints/access-level.ts";
import { addLdapLink, listLdapLinks, noLdapLinks, removeLdapLink } from "../../api/endpoints/ldap.ts";
import { addSamlLink, listSamlLinks, removeSamlLink } from "../../api/endpoints/saml.ts";
import { isGiven } from "../keys.ts";
import type { Kind, StateField, Values } from "../kind.ts";

const level: StateField = {
  form: "level",
  required: true,
  levels: accessLevels,
  description: "Access level of its members here",
};
const role: StateField = { form: "id", nullable: true, description: "Custom role of its members; null for none" };

/** The API neither shows nor takes them (saml-link-unshown). */
export const unknownOfLink =
  "its group in SCIM, and whether it assigns seats, are not known to the API: added again, it may have neither";

/** links-remove-members */
export const samlMembersStay =
  "members whom the last SAML link of a group added stay in the group, those of another link until they next sign in";

/** What the first entry of such a list makes an instance do with the members that the group has already. */
export const firstLink = {
  saml:
    "with its first SAML link a group loses each member who signs in through the identity provider and is in none of its " +
    "linked groups (a top-level group of the hosted offering gives them its default role); the others get the level of " +
    "their link",
  ldap:
    "with its first LDAP link of a server a group loses, at the next synchronization, each member of that server who is in " +
    "none of its links; the others get the level of their link",
} as const;

/** What no removal of a link takes back. */
export const membersLost = "members who lost their membership by the link meanwhile do not get it back";

type Replacing = Parameters<NonNullable<Kind["besides"]>>[0];

/** A replacement for another level beside the same custom role: instances take the role's level (saml-link-role). */
function keptRole({ action, write, live }: Replacing, name: string): string | undefined {
  const role = live?.values.member_role_id;
  if (action !== "replace" || !write.includes(name) || write.includes("member_role_id") || !isGiven(role))
    return undefined;
  return `instances give it the level of custom role ${role}, whatever the file says: another role, or null for none, changes it`;
}

/** SAML group links (`2-collaboration-identity-api: SAML and SCIM identities, links`). */
export const samlLinksKind: Kind = {
  name: "saml_group_links",
  at: "group",
  form: "list",
  summary: "SAML group links of a group",
  fields: {
    name: { form: "text", required: true, description: "Name of the group at the identity provider" },
    access_level: level,
    member_role_id: role,
    provider: { form: "text", description: "Provider that it applies to, if the instance has several" },
  },
  writeNames: { saml_group_name: "name" },
  keys: [["name"]],
  tie: "provider",
  read: { endpoint: listSamlLinks },
  removal: "delete",
  replaces: true,
  gives: true,
  ends: { first: firstLink.saml, last: samlMembersStay },
  besides: (change) => {
    if (change.action !== "replace") return undefined;
    return [keptRole(change, "access_level"), unknownOfLink].filter((each) => each !== undefined).join("; ");
  },
  unreturned: unknownOfLink,
  steps: ({ scope, action, desired, live }) => {
    const { name, ...values } = desired?.values ?? {};
    const { name: old, provider } = live?.values ?? {};
    return replacement(action, {
      remove: { endpoint: removeSamlLink, input: given({ group: scope.name, saml_group_name: old, provider }) },
      add: { endpoint: addSamlLink, input: given({ group: scope.name, saml_group_name: name, ...values }) },
    });
  },
};

/** ldap-members-stay */
export const membersStay = "members whom the last LDAP link of a server added stay in the group";

/** LDAP group links (`2-collaboration-identity-api: LDAP group links`); instances answer 404 for none. */
export const ldapLinksKind: Kind = {
  name: "ldap_group_links",
  at: "group",
  form: "list",
  summary: "LDAP group links of a group",
  fields: {
    cn: { form: "text", description: "CN of the LDAP group" },
    filter: { form: "text", description: "LDAP filter that selects the users" },
    provider: { form: "text", required: true, description: "Label of the LDAP server" },
    group_access: level,
    member_role_id: role,
  },
  writeNames: { access_level: "group_access" },
  keys: [
    ["provider", "cn"],
    ["provider", "filter"],
  ],
  // Each selects users by itself, so both in one link are two links.
  exclusive: true,
  read: { endpoint: listLdapLinks, missing: { value: [], says: noLdapLinks } },
  removal: "delete",
  replaces: true,
  gives: true,
  // Who stays after the last one is said of each.
  ends: { first: firstLink.ldap },
  besides: (change) => (change.action === "delete" ? membersStay : keptRole(change, "group_access")),
  steps: ({ scope, action, desired, live }) => {
    const { provider, cn, filter } = live?.values ?? {};
    return replacement(action, {
      remove: { endpoint: removeLdapLink, input: given({ group: scope.name, provider, cn, filter }) },
      add: { endpoint: addLdapLink, input: given({ group: scope.name, ...desired?.values }) },
    });
  },
};

function replacement(action: string, { remove, add }: Record<"remove" | "add", ReturnType<Kind["steps"]>[number]>) {
  if (action === "create") return [add];
  return action === "replace" ? [remove, add] : [remove];
}

function given(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== ""),
  );
}
