import { isSecretName } from "../base/secrets.ts";
import type { Context } from "../context.ts";

/** Why a secret should not be an argument. */
export const exposure = "is a secret, and an argument shows in process lists and in the shell's history";

/**
 * Warns about an argument that contains a secret, naming the header, parameter, or profile key.
 *
 * @param hint how to pass it instead
 */
export function warnOfExposed(context: Context, name: string, hint: string): void {
  if (isSecretName(name)) context.warn(`${name} ${exposure}: ${hint}`);
}
