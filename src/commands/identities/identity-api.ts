import type { Endpoint, ListEndpoint } from "../../api/endpoint.ts";
import type { Fields } from "../../api/field.ts";
import { Failure } from "../../base/errors.ts";

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

/** The instance accepted a change, and its user does not have the new UID: another one may. */
export function notShown(user: number, uid: string): Failure {
  return new Failure("refused", "the instance accepted the change, but a check does not show it", {
    reason: `the identity of user ${user} does not have the UID ${uid}`,
    outcome: "unknown",
    retryable: false,
  });
}
