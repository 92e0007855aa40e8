import { canonical, normal, subjects } from "../../api/normal.ts";
import { isObject } from "../../base/is-object.ts";
import { fitsMasked, hidesSecret } from "../../base/masked.ts";
import { hideInAddresses, holdsMask, mask, treatSecrets } from "../../base/secrets.ts";
import type { Declared, StateField, Values } from "../kind.ts";

export { canonical, normal, normalRule, subjectOf } from "../../api/normal.ts";

/** The normal form of a live value: null is the value of a field that is left out. */
export function normalLive(field: StateField, value: unknown): unknown {
  return normal(field, value ?? field.absent ?? value);
}

/** Whether declared and live values are equal. Of a hash only the declared keys are compared. */
export function sameState(field: StateField, declared: unknown, live: unknown): boolean {
  const present = live ?? field.absent ?? live;
  if (field.form === "hash" && isObject(declared)) {
    const held = isObject(present) ? present : {};
    return Object.entries(declared).every(
      ([key, value]) =>
        mayBeMasked(field, { [key]: value }, { [key]: held[key] }) ||
        canonical(normal(field, value)) === canonical(normal(field, held[key])),
    );
  }
  return canonical(normal(field, declared)) === canonical(normal(field, present));
}

/** The same of two live values: of a hash all keys of both are compared, and none of it is the same as an empty one. */
export function sameWhole(field: StateField, one: unknown, other: unknown): boolean {
  // What was never set may have been recorded as null.
  if (field.form !== "hash") return sameState(field, one ?? field.absent ?? one, other);
  const [first, second] = [one ?? {}, other ?? {}];
  if (!isObject(first) || !isObject(second))
    return canonical(normal(field, first)) === canonical(normal(field, second));
  return [...new Set([first, second].flatMap(Object.keys))].every((key) => {
    const [a, b] = [{ [key]: first[key] }, { [key]: second[key] }];
    return sameState(field, a, b) || sameState(field, b, a);
  });
}

/** What a declared hash becomes, unless it is all of it: the current keys, overridden by the declared ones. */
export function withCurrentKeys(declared: unknown, live: unknown): unknown {
  if (!isObject(declared) || !isObject(live)) return declared;
  const known = Object.entries(live).filter(([, each]) => !holdsMask(each));
  return { ...Object.fromEntries(known), ...declared };
}

/** Whether a live value is as an entry declares it. */
export function isAsDeclared(field: StateField, { values, whole }: Declared, name: string, live: unknown): boolean {
  return whole ? sameWhole(field, values[name], live) : sameState(field, values[name], live);
}

/**
 * Whether what is compared of a value has a mask that an instance may have put there in place of a secret. The name of
 * a user in a rule is not compared.
 */
export function isHidden(field: StateField, shown: unknown): boolean {
  const compared = normal(field, shown);
  if (field.secret || field.writeOnly) return holdsMask(compared);
  return hidesSecret(compared) || (field.schemes !== undefined && holdsMask(compared));
}

/**
 * Whether a value with masks may be the declared one: without the secrets of both, they are the same. The mask of this
 * program is no instance's: it was stored in place of the secret.
 */
export function mayBeMasked(field: StateField, declared: unknown, shown: unknown): boolean {
  if (!isHidden(field, shown) || canonical(shown).includes(mask)) return false;
  const text = (value: unknown) => canonical(normal(field, value));
  const isSameElsewhere = field.secret || text(withoutSecrets(declared)) === text(withoutSecrets(shown));
  return isSameElsewhere && fitsMasked(text(declared), text(shown));
}

function withoutSecrets(value: unknown): unknown {
  return treatSecrets(value, { text: hideInAddresses });
}

/** A rule for a request: one subject, and the details that can be set. */
export function writableRule({ item = {} }: StateField, rule: Values): Values {
  const subject = Object.keys(subjects).find((name) => rule[name] !== null && rule[name] !== undefined);
  const settable = Object.entries(item).filter(
    ([name, each]) => !each.readOnly && (name === subject || !Object.hasOwn(subjects, name)),
  );
  const entries = settable.map(([name]) => [name, rule[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== undefined));
}
