import { isObject } from "../base/is-object.ts";

/** `{"message":"202 Accepted"}`, `202`, `null`, or `true`, as instances answer. */
export function isStatusAlone(value: unknown): boolean {
  if (Array.isArray(value)) return false;
  if (!isObject(value)) return value === null || value === true || isSuccessText(value);
  return Object.keys(value).length === 1 && isSuccessText(value.message);
}

function isSuccessText(value: unknown): boolean {
  return (typeof value === "string" || typeof value === "number") && /^2\d\d\b/.test(String(value));
}
