import type { TerminalText } from "../host.ts";
import { blanks, joined, safe, trimmedEnd, visible } from "./sanitize.ts";
import type { Style } from "./style.ts";
import { months, weekdays } from "./time.ts";

// Bars, sparklines, and the heat map. Shapes show the amounts, colors only repeat them, and the numbers are beside the
// picture or in every other format.

/** The maximum width of a bar: a longer one adds nothing. */
export const widestBar = 20;
/** A shorter bar adds nothing to the number. */
export const shortestBar = 4;

/** A bar of `columns` characters, filled by `share` (0 to 1); any share above 0 fills at least one. */
export function bar(share: number, columns: number, rest = " "): TerminalText {
  const part = Math.min(1, Math.max(0, share));
  const full = part === 0 ? 0 : Math.max(1, Math.floor(part * columns));
  return visible("█".repeat(full) + rest.repeat(columns - full));
}

const heights = "▁▂▃▄▅▆▇█";

/** One character per number, with a height in proportion; a dot for 0. */
export function sparkline(counts: readonly number[]): TerminalText {
  const max = counts.reduce((greatest, count) => Math.max(greatest, count), 1);
  const tall = (count: number) => heights[Math.ceil((count / max) * heights.length) - 1] ?? "·";
  return visible(counts.map((count) => (count > 0 ? tall(count) : "·")).join(""));
}

/** A day, `YYYY-MM-DD`, and its count. */
export interface DayCount {
  readonly date: string;
  readonly count: number;
}

/** The levels of the platform's own calendar; the first means none. */
const levels = [
  { from: 0, sign: safe`·`, words: safe`none` },
  { from: 1, sign: safe`░`, words: safe`1-9` },
  { from: 10, sign: safe`▒`, words: safe`10-19` },
  { from: 20, sign: safe`▓`, words: safe`20-29` },
  { from: 30, sign: safe`█`, words: safe`30+` },
] as const;

/** The width of the weekday names with the space after them. */
const margin = 4;
const daysOfWeek = 7;

interface HeatMap {
  /** The line of month names, a line per day of the week, and the legend. */
  readonly months: TerminalText;
  readonly days: readonly TerminalText[];
  readonly legend: TerminalText;
  /** The number of weeks drawn (the newest), and of all weeks. */
  readonly drawn: number;
  readonly weeks: number;
}

/**
 * Days as a heat map: one column per week, starting on Sunday. A week takes two terminal columns if that fits, else
 * one; if that does not fit either, the oldest weeks are omitted.
 *
 * @param days without gaps, oldest first
 * @param columns of the terminal
 */
export function heatMap(days: readonly DayCount[], columns: number, style: Style): HeatMap {
  const weeks = weeksOf(days);
  const room = columns - margin;
  const step = weeks.length * 2 - 1 <= room ? 2 : 1;
  const drawn = weeks.slice(-Math.max(1, Math.min(weeks.length, room)));
  const gap = blanks(step - 1);
  const rows = weekdays.map((name, weekday) => {
    const cells = drawn.map((week) => levelOf(week[weekday]));
    return trimmedEnd(safe`${visible(name)} ${signs(cells, gap, style)}`);
  });
  return {
    months: safe`${blanks(margin)}${monthNames(drawn, step, room)}`,
    days: rows,
    legend: joined(
      levels.map((level) => safe`${paint(level, level.sign, style)} ${level.words}`),
      safe`  `,
    ),
    drawn: drawn.length,
    weeks: weeks.length,
  };
}

/** Seven days starting on Sunday; the first and last week may be incomplete. */
type Week = readonly (DayCount | undefined)[];

function weeksOf(days: readonly DayCount[]): Week[] {
  const before = new Date(days[0]?.date ?? 0).getUTCDay();
  const all = [...new Array<undefined>(before).fill(undefined), ...days];
  const weeks: Week[] = [];
  for (let at = 0; at < all.length; at += daysOfWeek) weeks.push(all.slice(at, at + daysOfWeek));
  return weeks;
}

type Level = (typeof levels)[number] | undefined;

function levelOf(day: DayCount | undefined): Level {
  return day && levels.findLast(({ from }) => day.count >= from);
}

/** The characters of some levels; neighbors of one color are painted together. */
function signs(row: readonly Level[], gap: TerminalText, style: Style): TerminalText {
  const runs: { level: Level; texts: TerminalText[] }[] = [];
  for (const level of row) {
    const last = runs.at(-1);
    const text = level?.sign ?? safe` `;
    if (last !== undefined && colorOf(last.level) === colorOf(level)) last.texts.push(text);
    else runs.push({ level, texts: [text] });
  }
  return joined(
    runs.map(({ level, texts }) => paint(level, joined(texts, gap), style)),
    gap,
  );
}

function colorOf(level: Level): "dim" | "cyan" {
  return level === undefined || level.from === 0 ? "dim" : "cyan";
}

function paint(level: Level, text: TerminalText, style: Style): TerminalText {
  return style[colorOf(level)](text);
}

/** The name of each month above the first week that ends in it, if there is room. */
function monthNames(weeks: readonly Week[], step: number, room: number): TerminalText {
  const ends = weeks.map((week) => week.findLast((day) => day !== undefined)?.date.slice(0, 7) ?? "");
  const begins = ends.flatMap((month, index) => (month === ends[index - 1] ? [] : [{ at: index * step, month }]));
  let line = "";
  for (const [index, { at, month }] of begins.entries()) {
    const name = months[Number(month.slice(5)) - 1] ?? "";
    const next = begins[index + 1]?.at ?? room + 1;
    if (next - at > name.length) line = line.padEnd(at) + name;
  }
  return visible(line);
}

/** The same in words, one line per month, for screen readers. */
export function monthlyWords(days: readonly DayCount[]): TerminalText[] {
  const names = new Set(days.map(({ date }) => date.slice(0, 7)));
  return [...names].map((month) => {
    const active = days.filter(({ date, count }) => count > 0 && date.startsWith(month));
    if (active.length === 0) return safe`${visible(month)}: nothing`;
    const total = active.reduce((sum, { count }) => sum + count, 0);
    const busiest = active.reduce((best, day) => (day.count >= best.count ? day : best));
    const on = active.length === 1 ? safe`1 day` : safe`${active.length} days`;
    return safe`${visible(month)}: ${total} on ${on}, most on ${visible(busiest.date)} (${busiest.count})`;
  });
}
