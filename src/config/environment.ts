import { isSecretName } from "../base/secret-names.ts";

// The credentials in the environment of a run: this program's own, and those that a CI job is given.

/** Shorter ones would be found in any text. */
export const minCredentialLength = 8;

/** Variables of this program, and those of a CI job that hold its credentials. */
const named = /^(?:FORGECTL_.*|CI_REPOSITORY_URL)$/i;

/** Whether a variable is this program's own by its name, so that its value needs no look. */
export function ownName(name: string): boolean {
  return named.test(name) || (/^CI_/i.test(name) && isCredential(name));
}

function isCredential(name: string): boolean {
  return isSecretName(name) || /(?:^|_)JWT(?:_|$)/i.test(name);
}

/** Addresses whose passwords are kept out of what is printed; others may be meant for a webhook. */
const addresses = { any: /(?:_URL|_PROXY)$/i, own: /^(?:(?:FORGECTL|CI)_.*_URL|.*_PROXY)$/i };

/** The values of those credentials, and the passwords in the environment's addresses: in any, or in own ones alone. */
export function* credentialsIn(
  env: Readonly<Record<string, string | undefined>>,
  whose: keyof typeof addresses = "any",
): Generator<string> {
  for (const [name, value = ""] of Object.entries(env)) {
    const own = /^(?:FORGECTL|CI)_/i.test(name) && isCredential(name) ? [value] : [];
    const inAddress = addresses[whose].test(name) ? passwordOf(value) : [];
    for (const each of [...own, ...inAddress]) if (each.length >= minCredentialLength) yield each;
  }
}

/** The password in an address, as written and decoded. */
function passwordOf(address: string): string[] {
  const text = /^[a-z][a-z\d+.-]*:\/\/[^/?#@:]*:([^/?#@]*)@/i.exec(address)?.[1];
  if (text === undefined) return [];
  try {
    return [text, decodeURIComponent(text)];
  } catch {
    return [text];
  }
}
