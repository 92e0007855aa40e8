const dayForm = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a day that exists (ISO 8601, `2027-01-31`): `Date` alone would read 2026-02-31 as 3 March. */
export function isDay(text: unknown): text is string {
  if (typeof text !== "string" || !dayForm.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
