import { endpoint } from "../endpoint.ts";
import { entity, id, nullable, required, string, uncut } from "../field.ts";
import { accessLevel, memberLevel, memberRole } from "./access-level.ts";
import { listedUid, newUid, reachable, uidIn } from "./identity.ts";
import { group, selecting } from "./scope.ts";

/** An account at the group's identity provider (`2-collaboration-identity-api: SAML and SCIM identities, links`). */
export const SamlIdentity = entity("SamlIdentity", {
  extern_uid: uncut("UID at the identity provider"),
  user_id: id("User who signs in with it"),
});

/** A group of the identity provider whose members become members of the group here. */
const SamlLink = entity(
  "SamlLink",
  {
    name: uncut("Name of the group at the identity provider"),
    access_level: accessLevel("Access level of its members here; a string in releases 15.3.0 to 15.3.3"),
    member_role_id: nullable(id("Custom role")),
    provider: nullable(
      string("SAML provider that it applies to, if an instance has several; undocumented", { beyond: true }),
    ),
  },
  { proof: ["access_level"] },
);

// 2-collaboration-identity-api: SAML.
const hosted = { role: "owner", tier: "premium", hosting: "hosted" } as const;
const single = {
  ...hosted,
  notFound:
    "check the group and the UID; on self-managed instances an identity is part of its user: " +
    "forgectl users list --extern-uid <uid> --provider <name>",
} as const;
const paid = {
  role: "owner",
  tier: "premium",
  means: {
    401:
      "the group does not exist, is not visible to this token, or its user lacks the Owner role there; the token itself may " +
      "be valid",
  },
} as const;

const named = {
  ...paid,
  notFound: "check the group and the name; instances may not accept a name with a dot here, although the list shows it",
} as const;

const newLinkName = string("Name of the group at the identity provider", { placeholder: "name", min: 1 });
const linkName: typeof newLinkName = { ...newLinkName, completes: "saml-link" };
const provider = string("SAML provider of the link, if an instance has several; undocumented", selecting);

const uid = uidIn("saml-identity");

export const listSamlIdentities = endpoint({
  route: "GET /groups/:group/saml/identities",
  summary: "List a group's SAML identities",
  params: { group },
  returns: SamlIdentity,
  page: "offset",
  access: { ...hosted, means: { 400: "no SAML provider is set up in this group" } },
});

export const getSamlIdentity = endpoint({
  route: "GET /groups/:group/saml/:uid",
  summary: "Get a SAML identity",
  params: { group, uid: { ...uid, ...listedUid } },
  returns: SamlIdentity,
  access: single,
});

export const updateSamlIdentity = endpoint({
  route: "PATCH /groups/:group/saml/:uid",
  summary: "Change the UID of a SAML identity",
  params: { group, uid, extern_uid: newUid },
  // The identity or an empty answer, depending on the instance.
  returns: "json",
  readBy: { endpoint: getSamlIdentity, places: { uid: "extern_uid" } },
  encoding: "form",
  access: single,
});

export const deleteSamlIdentity = endpoint({
  route: "DELETE /groups/:group/saml/:uid",
  summary: "Delete a SAML identity",
  params: { group, uid },
  returns: "nothing",
  access: single,
});

export const listSamlLinks = endpoint({
  route: "GET /groups/:group/saml_group_links",
  summary: "List a group's SAML group links",
  params: { group },
  returns: SamlLink,
  page: "offset",
  access: paid,
  dotless: true,
});

export const getSamlLink = endpoint({
  route: "GET /groups/:group/saml_group_links/:saml_group_name",
  summary: "Get a SAML group link",
  params: { group, saml_group_name: linkName, provider },
  returns: SamlLink,
  cutNames: {
    showing: listSamlLinks,
    key: "name",
    instead: "it is in the list: forgectl saml links list, with the same -g",
  },
  access: named,
  dotless: true,
});

export const addSamlLink = endpoint({
  route: "POST /groups/:group/saml_group_links",
  summary: "Add a SAML group link",
  params: {
    group,
    saml_group_name: required({ ...newLinkName, pattern: reachable, answered: { as: ["name"] } }),
    access_level: memberLevel,
    member_role_id: memberRole,
    // Releases that know no provider of a link ignore it.
    provider: { ...provider, answered: { missing: "unset" } },
  },
  returns: SamlLink,
  access: paid,
  dotless: true,
});

export const removeSamlLink = endpoint({
  route: "DELETE /groups/:group/saml_group_links/:saml_group_name",
  summary: "Remove a SAML group link",
  params: { group, saml_group_name: linkName, provider },
  returns: "nothing",
  cutNames: { showing: getSamlLink, key: "name", instead: "remove it on the group's page of SAML links" },
  access: named,
  dotless: true,
});
