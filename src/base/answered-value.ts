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

/** A date, or a date and a time with its zone (RFC 3339; also `2026-01-31 08:00:00 UTC`). */
const timeForm = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)? ?(?:Z|UTC|[+-]\d\d:?\d\d))?$/i;

/**
 * Milliseconds since 1970 of an answered time; undefined for anything else. `Date.parse` alone reads `5` as May 2001,
 * and a time without a zone as one of this machine's.
 */
export function timeIn(value: unknown): number | undefined {
  const time = typeof value === "string" && timeForm.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
