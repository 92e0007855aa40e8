/** A client's parameters by name: texts, JSON values, files, and nested objects and arrays of these. */
export interface RawParams {
  [name: string]: unknown;
}

const KEY = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;
const MAX_DEPTH = 32;

/** An object without a prototype, so that `__proto__` is an ordinary parameter name. */
export function rawParams(): RawParams {
  return Object.create(null) as RawParams;
}

/**
 * Stores a form or query pair: `a[b]=c` in an object, `a[]=c` at the end of an array, and `a[][b]=c` in the last object
 * of the array, or in a new one if that already has a `b`.
 */
export function assign(target: RawParams, key: string, value: unknown): void {
  const match = KEY.exec(key);
  const steps = [...(match?.[2] ?? "").matchAll(/\[([^[\]]*)\]/g)].map((step) => step[1] ?? "");
  if (match === null || steps.length > MAX_DEPTH) target[key] = value;
  else put(target, match[1] ?? key, steps, value);
}

function put(container: RawParams, name: string, steps: readonly string[], value: unknown): void {
  const [step, ...rest] = steps;
  if (step === undefined) {
    container[name] = value;
    return;
  }
  if (step !== "") {
    const child = isHash(container[name]) ? container[name] : rawParams();
    container[name] = child;
    put(child, step, rest, value);
    return;
  }
  const list: unknown[] = Array.isArray(container[name]) ? container[name] : [];
  container[name] = list;
  const [inner, ...deeper] = rest;
  if (inner === undefined) {
    list.push(value);
    return;
  }
  const last = list.at(-1);
  const element = isHash(last) && !(inner in last && deeper.length === 0) ? last : rawParams();
  if (element !== last) list.push(element);
  put(element, inner, deeper, value);
}

/** Whether a value is a plain object: not an array, not null, not a file. */
export function isHash(value: unknown): value is RawParams {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** A value as text; empty for an object, which may not be convertible. */
export function asText(value: unknown): string {
  return typeof value === "object" ? "" : String(value);
}
