import { encodedForms } from "../../api/redact.ts";
import { credentialsIn, minCredentialLength } from "../../config/environment.ts";
import type { Context } from "../../context.ts";

// The credentials that this program itself works with: they are known by their values, whatever holds them.

const known = new WeakMap<Context, Promise<readonly string[]>>();

/** Every form of the current credentials, of those in the environment, and of those in its addresses. */
export function ownCredentials(context: Context): Promise<readonly string[]> {
  const found = known.get(context) ?? find(context);
  known.set(context, found);
  return found;
}

async function find({ config, env }: Context): Promise<readonly string[]> {
  const token = (await config.credential())?.token ?? "";
  const secrets = [...credentialsIn(env), ...(token.length >= minCredentialLength ? [token] : [])];
  return [...new Set(secrets.flatMap(encodedForms))];
}
