const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const units: readonly [name: string, ms: number][] = [
  ["year", 365.25 * day],
  ["month", 30.44 * day],
  ["day", day],
  ["hour", hour],
  ["minute", minute],
  ["second", second],
];

/** "3 days ago", "in 2 hours"; the text itself if it is not a time. */
export function relativeTime(time: string | Date, now: Date): string {
  const at = typeof time === "string" ? Date.parse(time) : time.getTime();
  if (Number.isNaN(at)) return String(time);
  const distance = Math.abs(at - now.getTime());
  const [name, length] = units.find(([, ms]) => distance >= ms) ?? ["second", second];
  const count = Math.floor(distance / length);
  if (count === 0) return "just now";
  const amount = `${count} ${name}${count === 1 ? "" : "s"}`;
  return at > now.getTime() ? `in ${amount}` : `${amount} ago`;
}

/** "today", "3 days ago"; an instance's days are in UTC. The text itself if it is not a date. */
export function relativeDay(day: string, now: Date): string {
  const today = now.toISOString().slice(0, 10);
  return day === today ? "today" : relativeTime(day, new Date(today));
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
