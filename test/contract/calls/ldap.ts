import {
  addLdapLink,
  listLdapLinks,
  removeLdapLink,
  removeLdapLinkByCn,
  removeLdapLinkByProvider,
} from "../../../src/api/endpoints/ldap.ts";
import { call } from "../call.ts";

const group = "acme";
const provider = "ldapmain";

export const calls = [
  call(addLdapLink, { group, provider, cn: "a/b c", group_access: 20, member_role_id: 3 }),
  call(addLdapLink, { group, provider, filter: "(cn=a*)", group_access: 20 }),
  call(addLdapLink, { group, provider, cn: "x y", group_access: 5 }),
  call(listLdapLinks, { group }),
  call(removeLdapLink, { group, provider, filter: "(cn=a*)" }),
  call(removeLdapLinkByCn, { group, cn: "x y" }),
  call(removeLdapLinkByProvider, { group, provider, cn: "a/b c" }),
];
