import { parseAnswer } from "../api/json.ts";
import { namedSecretTexts } from "../api/secret-texts.ts";
import { isSecretName } from "../base/secret-names.ts";
import type { Context } from "../context.ts";

/** Why a secret should not be an argument. */
export const exposure = "is a secret, and an argument shows in process lists and in the shell's history";

/**
 * Warns about an argument that contains a secret, naming the header, parameter, or profile key.
 *
 * @param hint how to pass it instead
 */
export function warnOfExposed(context: Context, name: string, hint: string, isSecret = isSecretName(name)): void {
  if (isSecret) context.warn(`${name} ${exposure}: ${hint}`);
}

/** A body that is too long to be typed is not searched for secrets, nor one that is nested more deeply than answers. */
const maxSearched = 1024 * 1024;

/** Conceals the secrets, by name, of a request that no endpoint declares: a server may repeat them in an error. */
export function concealSent(context: Context, values: unknown): void {
  for (const secret of namedSecretTexts(values)) context.conceal(secret);
}

/** The JSON of a body that is not too long to be searched. */
export function searchable(body: Uint8Array): unknown {
  return body.length <= maxSearched ? jsonIn(body) : undefined;
}

function jsonIn(body: Uint8Array): unknown {
  try {
    return parseAnswer(body);
  } catch {
    return undefined;
  }
}
