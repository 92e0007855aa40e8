/** Levels of JSON from outside: deeper than any answer of the platform, and shallow enough for recursive functions. */
export const maxJsonDepth = 200;

/** Whether arrays and objects are nested in more levels than these. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeper(item, levels - 1));
  // Not `Object.values`, which would copy every row; and no call for a scalar, as most values are.
  for (const name in value) {
    const each = (value as Record<string, unknown>)[name];
    if (typeof each === "object" && each !== null && isDeeper(each, levels - 1)) return true;
  }
  return false;
}
