import { isSecretName } from "../base/secrets.ts";
import type { Context } from "../context.ts";

/** Why a secret does not belong into an argument. */
export const exposure = "is a secret, and an argument shows in process lists and in the shell's history";

/**
 * Warns of an argument that holds a secret, by the name of what it gives: a header, a parameter, a key of a profile.
 *
 * @param hint how to give it instead
 */
export function warnOfExposed(context: Context, name: string, hint: string): void {
  if (isSecretName(name)) context.warn(`${name} ${exposure}: ${hint}`);
}
