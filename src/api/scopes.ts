import type { Failure } from "../base/errors.ts";
import type { Json } from "./error-body.ts";
import { messageOf } from "./error-body.ts";

// A 403 that names what the token lacks proves that the token is valid: a classic token lacks a scope (RFC 6750), a
// fine-grained one a permission.

const granular = "insufficient_granular_scope";

/** The code of such a failure. */
export const insufficientScope = "insufficient_scope";

export function lacksScope(body: Json | undefined): boolean {
  return body?.error === "insufficient_scope" || body?.error === granular;
}

/** Whether a failure proves that the token is valid, and lacks only a scope or a permission for this request. */
export function provesToken(failure: Failure): boolean {
  return failure.exit === "forbidden" && failure.code === insufficientScope;
}

/** What to do about the scope or the permission that the token lacks. */
export function scopeHint(body: Json | undefined): string | undefined {
  if (!lacksScope(body)) return undefined;
  if (body?.error !== granular) {
    const scopes = typeof body?.scope === "string" ? body.scope.trim().split(/\s+/).join(" or ") : "";
    const which = scopes === "" ? "with that scope" : `with the scope ${scopes}`;
    return `use a token ${which}: forgectl auth login, or FORGECTL_TOKEN`;
  }
  const permission = permissionIn(messageOf(body) ?? "");
  if (permission === undefined) return "use a classic token for this: forgectl auth login, or FORGECTL_TOKEN";
  return (
    `give the fine-grained token the permission ${permission}; if the current token is a classic one, the group accepts ` +
    "only fine-grained ones: forgectl auth login, or FORGECTL_TOKEN"
  );
}

/** `… the following project permissions: [read_registry].` */
function permissionIn(said: string): string | undefined {
  return /permissions?[^[\]]{0,40}\[([\w\s,:-]{1,300})\]/i.exec(said)?.[1]?.trim();
}
