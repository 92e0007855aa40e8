import { encodedForms } from "../api/redact.ts";
import { isSecretName } from "../base/secrets.ts";
import type { Context } from "../context.ts";

// The credentials that this program itself works with: they are known by their values, whatever holds them.

/** Shorter ones would be found in any text. */
const minLength = 8;

/** Variables of this program, and those of a CI job that hold its credentials. */
const named = /^(?:FORGECTL_.*|CI_REPOSITORY_URL)$/i;

/** Whether a variable is this program's own by its name, so that its value needs no look. */
export function ownName(name: string): boolean {
  return named.test(name) || (/^CI_/i.test(name) && isCredential(name));
}

function isCredential(name: string): boolean {
  return isSecretName(name) || /(?:^|_)JWT(?:_|$)/i.test(name);
}

const known = new WeakMap<Context, Promise<readonly string[]>>();

/** Every form of the credentials in force, of those in the environment, and of those in its addresses. */
export function ownCredentials(context: Context): Promise<readonly string[]> {
  const found = known.get(context) ?? find(context);
  known.set(context, found);
  return found;
}

async function find({ config, env }: Context): Promise<readonly string[]> {
  const credential = await config.credential();
  const values = Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined || value === "") return [];
    const own = /^(?:FORGECTL|CI)_/i.test(name) && isCredential(name) ? [value] : [];
    return /(?:_URL|_PROXY)$/i.test(name) ? [...own, ...passwordOf(value)] : own;
  });
  const secrets = [...new Set([credential?.token ?? "", ...values])].filter((each) => each.length >= minLength);
  return [...new Set(secrets.flatMap(encodedForms))];
}

/** The password in an address, as written and decoded. */
function passwordOf(address: string): string[] {
  const text = /^[a-z][a-z\d+.-]*:\/\/[^/?#@]*?:([^/?#@]*)@/i.exec(address)?.[1];
  if (text === undefined) return [];
  try {
    return [text, decodeURIComponent(text)];
  } catch {
    return [text];
  }
}
