import { canonical, normal, subjects } from "../../api/normal.ts";
import { isObject } from "../../base/is-object.ts";
import { fitsMasked, holdsMask, isMasked } from "../../base/secrets.ts";
import type { StateField, Values } from "../kind.ts";

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
        mayBeMasked(field, value, held[key]) || canonical(normal(field, value)) === canonical(normal(field, held[key])),
    );
  }
  return canonical(normal(field, declared)) === canonical(normal(field, present));
}

/** Whether what is compared of a value has a mask: not the name of a user in a rule, which that user chooses. */
export function isHidden(field: StateField, shown: unknown): boolean {
  return holdsMask(normal(field, shown));
}

/** Whether a value with masks may be the declared one. What is masked as a whole may be anything. */
export function mayBeMasked(field: StateField, declared: unknown, shown: unknown): boolean {
  if (isMasked(shown)) return true;
  return isHidden(field, shown) && fitsMasked(canonical(normal(field, declared)), canonical(normal(field, shown)));
}

/** A rule for a request: one subject, and the details that can be set. */
export function writableRule({ item = {} }: StateField, rule: Values): Values {
  const subject = Object.keys(subjects).find((name) => rule[name] !== null && rule[name] !== undefined);
  const settable = Object.entries(item).filter(
    ([name, each]) => !each.readOnly && (name === subject || !(name in subjects)),
  );
  const entries = settable.map(([name]) => [name, rule[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== undefined));
}
