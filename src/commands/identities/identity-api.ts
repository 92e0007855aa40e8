import type { Endpoint, ListEndpoint } from "../../api/endpoint.ts";
import type { Fields } from "../../api/field.ts";

export interface Identified {
  group: string;
  uid: string;
}

/** The requests of SAML's identities, or of SCIM's. */
export interface IdentityApi {
  /** Their commands: `saml identities`. */
  readonly path: readonly [string, string];
  readonly list: ListEndpoint<{ group: string }, Fields>;
  readonly get: Endpoint<Identified, object>;
  readonly update: Endpoint<Identified & { extern_uid: string }, unknown>;
}
