import { dayMs, readDuration } from "../base/duration.ts";
import { UsageError } from "../base/errors.ts";

const isoTime = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const isoDay = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Reads a time: ISO 8601, returned unchanged, or relative to now: `7d`, `3h`, `2 weeks ago`, `today`, `yesterday`. Days
 * are in UTC, as on the platform; a relative time is returned in UTC with seconds.
 */
export function readTime(text: string, label: string, now: Date): string {
  if (isoTime.test(text) && isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text))) return text;
  const before = readBefore(text, label, now);
  if (before !== undefined) return `${before.toISOString().slice(0, 19)}Z`;
  throw new UsageError(
    `${label}: must be an ISO 8601 time such as 2026-01-31T08:00:00Z, or 3h, 7d, 2w, yesterday, today, not "${text}"`,
  );
}

/** Reads a day: `2026-01-31`, or the UTC day of a relative time. */
export function readDay(text: string, label: string, now: Date): string {
  if (isoDay.test(text) && isDay(text)) return text;
  const before = readBefore(text, label, now);
  if (before !== undefined) return before.toISOString().slice(0, 10);
  throw new UsageError(`${label}: must be a day such as 2026-01-31, or 7d, 2w, yesterday, today, not "${text}"`);
}

function readBefore(text: string, label: string, now: Date): Date | undefined {
  const word = text.trim().toLowerCase();
  const midnight = new Date(`${now.toISOString().slice(0, 10)}T00:00:00Z`);
  if (word === "today") return midnight;
  if (word === "yesterday") return new Date(midnight.getTime() - dayMs);
  if (!/^\d+(?:\.\d+)?\s*[a-z]/.test(word)) return undefined;
  const before = new Date(now.getTime() - readDuration(word.replace(/\s+ago$/, ""), label) * 1000);
  if (!(before.getTime() > 0)) throw new UsageError(`${label}: "${text}" ago is before 1970`);
  return before;
}

/** Whether the day exists: `Date` alone would read 2026-02-31 as 3 March. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
