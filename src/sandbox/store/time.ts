export const DAY_MS = 86_400_000;

/** The time that is `days` (may be fractional) before the start of today, in the API's format. */
export function daysAgo(now: Date, days: number): string {
  return new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS - Math.round(days * DAY_MS)).toISOString();
}
