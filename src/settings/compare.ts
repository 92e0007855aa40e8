import { isObject } from "../base/is-object.ts";
import type { Setting } from "./setting.ts";

/** Whether two JSON values are equal, ignoring the order of keys but not of items. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameValue(a[key], b[key]))
  );
}

/** Whether a value differs from the documented default; undefined if there is none. */
export function differsFromDefault(setting: Setting, value: unknown): boolean | undefined {
  return setting.default === undefined ? undefined : !sameValue(setting.default, value);
}
