import { UsageError } from "./errors.ts";

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

export const dayMs = day * 1000;

/**
 * Seconds. A month is 30 days and a year 365.25, as the platform counts them. A bare `m` is not a unit: it would be a
 * minute to the platform, but many users mean a month.
 */
const units: readonly (readonly [seconds: number, names: string])[] = [
  [1, "s sec secs second seconds"],
  [minute, "min mins minute minutes"],
  [hour, "h hr hrs hour hours"],
  [day, "d day days"],
  [7 * day, "w wk wks week weeks"],
  [30 * day, "mo mos month months"],
  [365.25 * day, "y yr yrs year years"],
];
const secondsOf = new Map(
  units.flatMap(([seconds, names]) => names.split(" ").map((name) => [name, seconds] as const)),
);

const part = /\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*(?:,|and\b)?/iy;

/**
 * Parses a duration in the API's format: `1h`, `1d`, `1month`, `2 weeks`, `1 day and 12 hours`.
 *
 * @param flag its source, for errors: `--older-than`
 * @returns seconds
 */
export function readDuration(text: string, flag: string): number {
  let total = 0;
  part.lastIndex = 0;
  while (part.lastIndex < text.trimEnd().length) {
    const at = part.lastIndex;
    const [, count, unit = ""] = part.exec(text) ?? [];
    const seconds = secondsOf.get(unit.toLowerCase());
    if (count === undefined || seconds === undefined) throw unreadable(text, text.slice(at).trim(), flag);
    total += Number(count) * seconds;
  }
  if (total === 0) throw unreadable(text, text, flag);
  return total;
}

function unreadable(text: string, rest: string, flag: string): UsageError {
  const where = rest === text.trim() ? "" : ` (at "${rest}")`;
  return new UsageError(`${flag}: "${text}" is not a duration${where}`, {
    code: "bad_duration",
    hint: "write a number and a unit: 12h, 1d, 2 weeks, 1month, 1year; a minute is min, a month is month",
  });
}
