import type { Endpoint, ListEndpoint } from "../../api/endpoint.ts";
import type { Fields } from "../../api/field.ts";
import { Failure } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import { staleCode } from "../../jobs/tally.ts";

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

/** What a change of a UID does besides, which no request shows or undoes. */
export interface Besides {
  /** A warning, of one identity and of many. */
  readonly one: string;
  readonly many: string;
  /** The same in a question after the number of e-mails, which are sent to users then too. */
  readonly asked: string;
  /** The same after a line that undoes it. */
  readonly undone: string;
}

const until = "through the identity provider until the user has signed in another way and linked the account again";

/** saml-uid-untrusted */
export const untrusted = {
  one: `newer instances refuse the user's sign-in ${until}`,
  many: `newer instances refuse each user's sign-in ${until}; the reverse map does not change that`,
  asked: "newer instances then refuse their sign-in until they link their accounts again",
  undone: "newer instances refuse the sign-in also then, until the account is linked again",
} as const satisfies Besides;

/** Right before a change, the UID is not this user's any more: another one would get the new UID. */
export function movedOn(user: number, uid: string, now: unknown): Failure {
  return new Failure("conflict", `not changed: user ${user} no longer has the UID ${uid}`, {
    code: staleCode,
    reason: isObject(now) && now.user_id !== user ? `user ${String(now.user_id)} has it now` : "it was changed",
    nothing: "sent",
  });
}

/** The instance accepted a change, and its user does not have the new UID: another one may. */
export function notShown(user: number, uid: string): Failure {
  return new Failure("refused", "the instance accepted the change, but a check does not show it", {
    reason: `the identity of user ${user} does not have the UID ${uid}`,
    outcome: "unknown",
    retryable: false,
  });
}
