import { createHmac, timingSafeEqual } from "node:crypto";
import { Problem } from "../../server/problem.ts";
import type { World } from "../../store/world.ts";
import { signingKey } from "./model.ts";

/** A permission in a registry token. */
export interface Grant {
  readonly type: string;
  readonly name: string;
  readonly actions: readonly string[];
}

/** The documents give no lifetime. */
const LIFETIME_SECONDS = 300;

/** A JSON Web Token (RFC 7519) for the registry part of the sandbox. */
export function issueToken(world: World, subject: string, access: readonly Grant[]): string {
  const issued = Math.floor(world.now().getTime() / 1000);
  const claims = {
    iss: "sandbox",
    sub: subject,
    aud: "container_registry",
    iat: issued,
    exp: issued + LIFETIME_SECONDS,
    access,
  };
  const signed = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  return `${signed}.${signatureOf(world, signed)}`;
}

/** The grants of a token; undefined if it is not the sandbox's own, or expired. */
function grantsOf(world: World, token: string): readonly Grant[] | undefined {
  const [head = "", body = "", signature = ""] = token.split(".");
  const expected = Buffer.from(signatureOf(world, `${head}.${body}`));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const claims: { exp: number; access: readonly Grant[] } = JSON.parse(Buffer.from(body, "base64url").toString("utf8"));
  return claims.exp * 1000 > world.now().getTime() ? claims.access : undefined;
}

interface Asking {
  readonly world: World;
  readonly origin: string;
  readonly header: (name: string) => string | undefined;
}

/** Refuses a call whose bearer token does not grant this; the answer says where to get such a token. */
export function requireGrant({ world, origin, header }: Asking, type: string, name: string, action: string): void {
  const bearer = /^bearer +(\S+)$/i.exec(header("authorization") ?? "")?.[1];
  const grants = bearer === undefined ? undefined : grantsOf(world, bearer);
  if (grants?.some((grant) => grant.type === type && grant.name === name && grant.actions.includes(action))) return;
  const error = bearer === undefined ? "" : `,error="${grants === undefined ? "invalid_token" : "insufficient_scope"}"`;
  const challenge = `Bearer realm="${origin}/jwt/auth",service="container_registry",scope="${type}:${name}:${action}"${error}`;
  throw registryProblem(401, "UNAUTHORIZED", "authentication required", { "www-authenticate": challenge });
}

/** An error in the container registry's format. */
export function registryProblem(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Problem {
  return new Problem(status, { errors: [{ code, message, detail: null }] }, headers);
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function signatureOf(world: World, text: string): string {
  return createHmac("sha256", world.store.get(signingKey)).update(text).digest("base64url");
}
