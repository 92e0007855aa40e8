// Values of an answer that decide something: what is missing, or of another type, decides nothing.

/** A boolean; undefined if it is missing or anything else. */
export function booleanIn(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/** A number, also one in quotes, as some instances send them; undefined if it is missing or anything else. */
export function numberIn(value: unknown): number | undefined {
  if (typeof value === "string" && /^\d+$/.test(value)) return Number(value);
  return typeof value === "number" ? value : undefined;
}

/** Why an audit cannot judge something. */
export function notShown(...fields: readonly string[]): string {
  return `the instance does not show ${fields.join(" or ")}`;
}
