import { endpoint } from "../endpoint.ts";
import { entity, id, nullable, required, string, uncut } from "../field.ts";
import { accessLevel, memberLevel, memberRole } from "./access-level.ts";
import { group, selecting } from "./scope.ts";

/**
 * A link from LDAP users to members of the group here
 * (`2-collaboration-identity-api: SAML and SCIM identities, links`): selected by a CN or by a filter.
 */
export const LdapLink = entity(
  "LdapLink",
  {
    cn: nullable(uncut("CN of the LDAP group")),
    group_access: accessLevel("Access level of its members here"),
    provider: uncut("Label of the LDAP server"),
    filter: nullable(uncut("LDAP filter that selects the users")),
    member_role_id: nullable(id("Custom role")),
  },
  { proof: ["group_access"] },
);

// 2-collaboration-identity-api: LDAP group links.
const access = { role: "owner", tier: "premium", hosting: "self-managed" } as const;

export const cn = string("CN of an LDAP group", selecting);
export const filter = string("LDAP filter that selects the users: (department=sales)", selecting);
export const provider = string("Label of the LDAP server: ldapmain", selecting);

/** The message of the 404 that real instances answer if a group has no link (ldap-no-links). */
export const noLdapLinks = /\bno linked ldap groups\b/i;

export const listLdapLinks = endpoint({
  route: "GET /groups/:group/ldap_group_links",
  summary: "List a group's LDAP group links",
  params: { group },
  returns: LdapLink,
  page: "offset",
  access: { ...access, refusals: [{ says: noLdapLinks, as: 404 }] },
  dotless: true,
});

export const addLdapLink = endpoint({
  route: "POST /groups/:group/ldap_group_links",
  summary: "Add an LDAP group link",
  params: {
    group,
    cn,
    filter,
    provider: required(provider),
    group_access: { ...memberLevel, flag: "access-level" },
    member_role_id: { ...memberRole, description: `${memberRole.description} (Ultimate)` },
  },
  returns: LdapLink,
  access,
  dotless: true,
});

export const removeLdapLink = endpoint({
  route: "DELETE /groups/:group/ldap_group_links",
  summary: "Remove an LDAP group link",
  params: { group, cn, filter, provider: required(provider) },
  returns: "nothing",
  access,
  dotless: true,
});

/** Deprecated; does not support a filter. */
export const removeLdapLinkByCn = endpoint({
  route: "DELETE /groups/:group/ldap_group_links/:cn",
  summary: "Remove an LDAP group link by its CN (deprecated)",
  params: { group, cn },
  returns: "nothing",
  cutNames: { showing: listLdapLinks, instead: "leave out --legacy" },
  access,
  dotless: true,
});

/** Deprecated; does not support a filter. */
export const removeLdapLinkByProvider = endpoint({
  route: "DELETE /groups/:group/ldap_group_links/:provider/:cn",
  summary: "Remove an LDAP server's group link by its CN (deprecated)",
  params: { group, provider, cn },
  returns: "nothing",
  cutNames: { showing: listLdapLinks, instead: "leave out --legacy" },
  access,
  dotless: true,
});
