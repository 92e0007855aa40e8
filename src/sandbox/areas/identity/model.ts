import { collection, type Row } from "../../store/store.ts";

/** A group's identity provider. The users' identities refer to it by id. */
export interface SamlProvider extends Row {
  readonly group_id: number;
}

export interface SamlLink extends Row {
  readonly group_id: number;
  readonly name: string;
  readonly access_level: number;
  readonly member_role_id: number | null;
  /** The provider of the link, if given. */
  readonly provider?: string | null;
}

/** Exactly one of `cn` and `filter` is set. */
export interface LdapLink extends Row {
  readonly group_id: number;
  readonly provider: string;
  readonly cn: string | null;
  readonly filter: string | null;
  readonly group_access: number;
  readonly member_role_id: number | null;
}

export const samlProviders = collection<SamlProvider>("saml_providers");
export const samlLinks = collection<SamlLink>("saml_group_links");
export const ldapLinks = collection<LdapLink>("ldap_group_links");
