import { dayMs } from "../base/duration.ts";

export const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
export const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
/** With one more, two days would have the same name. */
const namedDays = 6;

/** A day and a time of one's own zone, without the year: `22 Nov 12:23`. */
export function dayTime(at: Date): string {
  return `${at.getDate()} ${months[at.getMonth()]} ${clockTime(at)}`;
}

/** A local time for people: `Sat 12:26` within a week, otherwise its day. The text itself if it is not a time. */
export function shortTime(time: string, now: Date): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return time;
  const days = Math.round((midnightOf(at) - midnightOf(now)) / dayMs);
  if (Math.abs(days) > namedDays) return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${weekdays[at.getDay()]} ${clockTime(at)}`;
}

function clockTime(at: Date): string {
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

function midnightOf(at: Date): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
}

/** The two largest units of a duration given in seconds: "2d 3h", "1m 5s", "0.35s". */
export function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return String(seconds);
  if (seconds < 0) return `-${duration(-seconds)}`;
  if (seconds < 1) return `${Number(seconds.toFixed(2))}s`;
  const whole = Math.round(seconds);
  const parts: [number, string][] = [
    [Math.floor(whole / 86_400), "d"],
    [Math.floor(whole / 3600) % 24, "h"],
    [Math.floor(whole / 60) % 60, "m"],
    [whole % 60, "s"],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  const shown = parts.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count}${unit}`).join(" ");
}
