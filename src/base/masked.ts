import { everyMask, hideInAddresses, holdsMask, isMasked, mask, treatSecrets } from "./secrets.ts";

// Values that an instance shows with masks in place of their secrets.

/**
 * Whether an instance may have put a mask into a value: under the name of a secret, or in an address. Anywhere else it
 * is a text like any other, which a user wrote.
 */
export function hidesSecret(value: unknown): boolean {
  let found = false;
  const inspect = <T>(isPossible: boolean, each: T): T => {
    found ||= isPossible && holdsMask(each);
    return each;
  };
  // What a text has in place of a mask is hidden only where an address can have a secret.
  const isSecretPlace = (text: string) => {
    const plain = text.replace(everyMask, "x");
    return hideInAddresses(plain) !== plain;
  };
  treatSecrets(value, { secret: (each) => inspect(true, each), text: (each) => inspect(isSecretPlace(each), each) });
  return found;
}

/**
 * Whether a text may be the one that is shown with masks in place of its secrets: all that is shown beside the masks is
 * in it. What another person wrote with a mask in it is no secret of the text.
 */
export function fitsMasked(text: string, shown: string): boolean {
  const [first = "", ...others] = shown.split(everyMask);
  const last = others.pop();
  if (last === undefined) return text === shown;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.startsWith(first) && text.endsWith(last) && at + last.length <= text.length;
}

/** Whether a text is an address as this program shows it, without a secret that is part of it. */
export function isMaskedAddress(text: string): boolean {
  return text.includes(mask) && /^[\w+.-]+:\/\/\S+$/.test(text.trim());
}

/**
 * Whether a value has what is shown in place of a secret where a secret would be: under the name of one, or in an
 * address as this program shows it, also between other words. Stored, it would take the place of the secret.
 */
export function hasShownMask(value: unknown, isSecret = false): boolean {
  const isMask = (each: unknown) => typeof each === "string" && (isMasked(each.trim()) || isShownSecret(each));
  let found = isSecret && isMask(value);
  const text = (each: string) => {
    found ||= holdsMaskedAddress(each);
    return each;
  };
  const secret = (each: unknown) => {
    found ||= isMask(each);
    return each;
  };
  treatSecrets(value, { secret, text });
  return found;
}

/** Whether a text is what is shown in place of a secret: in a header behind words, `Authorization: Bearer`. */
export function isShownSecret(text: string): boolean {
  const words = text.trim().split(/\s+/);
  return words.length <= 3 && words.at(-1) === mask;
}

/** What is said of a value that has one. */
export const shownMaskText = "has what is shown in place of a secret";

/** Whether a text has an address that is shown without a secret that is part of it, also between other words. */
export function holdsMaskedAddress(text: string): boolean {
  const isOne = (word: string) => {
    const at = word.indexOf("://");
    return at > 0 && word.includes(mask, at);
  };
  return text.includes(mask) && text.split(/\s+/).some(isOne);
}
