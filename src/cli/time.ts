import { isDay } from "../base/day.ts";
import { dayMs, readDuration } from "../base/duration.ts";
import { UsageError } from "../base/errors.ts";

const isoTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?$/;

/**
 * Reads a point in time: RFC 3339, a day, `today`, `yesterday`, or a duration back (`7d`, `2 weeks ago`). Without a
 * zone it is local time, as `TZ` sets it, and a day is its midnight. Returned in UTC, as it is sent.
 */
export function readTime(text: string, label: string, now: Date): string {
  const at = writtenTime(text) ?? localDay(text) ?? readBefore(text, label, now);
  if (at !== undefined) return at.toISOString().replace(/\.000Z$/, "Z");
  throw new UsageError(
    `${label}: must be a time such as 2026-01-31T08:00:00Z, 2026-01-31T08:00 (local), 2026-01-31, 3h, 7d, yesterday, ` +
      `today, not "${text}"`,
  );
}

/**
 * Reads a day: `2026-01-31`, or the local day of a relative time. Of a bound, whose days are in UTC, it is the one of
 * both that leaves out less: in Auckland, yesterday is in UTC today until noon.
 */
export function readDay(text: string, label: string, now: Date, bound?: "after" | "before"): string {
  if (isDay(text)) return text;
  const before = readBefore(text, label, now);
  if (before !== undefined) {
    if (bound === undefined) return dayOf(before);
    const outwardMs = bound === "after" ? -dayMs : dayMs;
    const at = new Date(before.getTime() + (isPartOfDay(text, label) ? outwardMs : 0));
    const [earlier, later] = [dayOf(at), at.toISOString().slice(0, 10)].sort() as [string, string];
    return bound === "after" ? earlier : later;
  }
  throw new UsageError(`${label}: must be a day such as 2026-01-31, or 7d, 2w, yesterday, today, not "${text}"`);
}

/** Whether a text is another time later: `2d`, `yesterday`. */
export function isRelativeTime(text: string): boolean {
  return writtenTime(text) === undefined && !isDay(text);
}

function writtenTime(text: string): Date | undefined {
  if (!isoTime.test(text) || !isDay(text.slice(0, 10))) return undefined;
  const at = new Date(text.replace(" ", "T"));
  return Number.isNaN(at.getTime()) ? undefined : at;
}

/** The first moment of a local day. */
function localDay(text: string): Date | undefined {
  if (!isDay(text)) return undefined;
  const [year = 0, month = 1, day = 1] = text.split("-").map(Number);
  return midnight(year, month - 1, day);
}

/** `Date` takes a year below 100 for one of the last century. */
function midnight(year: number, month: number, day: number): Date {
  const at = new Date(2000, 0, 1);
  at.setFullYear(year, month, day);
  return at;
}

/** Whether it is a duration in hours, `12h`: a bound, whose day is not of the list, is then a day further away. */
function isPartOfDay(text: string, label: string): boolean {
  if (!/^\s*\d/.test(text)) return false;
  return /\d\s*(?:h|min|s)/i.test(text) || (readDuration(withoutAgo(text), label) * 1000) % dayMs !== 0;
}

function withoutAgo(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/(?<!\s)\s+ago$/, "");
}

/** The local day of a moment. */
function dayOf(at: Date): string {
  const number = (value: number, width: number) => String(value).padStart(width, "0");
  return `${number(at.getFullYear(), 4)}-${number(at.getMonth() + 1, 2)}-${number(at.getDate(), 2)}`;
}

function readBefore(text: string, label: string, now: Date): Date | undefined {
  const word = text.trim().toLowerCase();
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  if (word === "today") return midnight(year, month, day);
  if (word === "yesterday") return midnight(year, month, day - 1);
  if (!/^\d+(?:\.\d+)?\s*[a-z]/.test(word)) return undefined;
  const before = new Date(now.getTime() - readDuration(withoutAgo(word), label) * 1000);
  if (!(before.getTime() > 0)) throw new UsageError(`${label}: "${text}" ago is before 1970`);
  before.setMilliseconds(0);
  return before;
}
