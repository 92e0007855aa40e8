import {
  eventKind,
  eventSource,
  listOwnEvents,
  listProjectEvents,
  listUserEvents,
} from "../../api/endpoints/events.ts";
import { getUser, listUsers } from "../../api/endpoints/users.ts";
import { date, entity, integer } from "../../api/field.ts";
import { dayMs } from "../../base/duration.ts";
import { Failure } from "../../base/errors.ts";
import { counted, groupDigits } from "../../base/wording.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { choose } from "../../verbs/choose.ts";
import { type Asked, Omissions } from "./omissions.ts";
import { checkTargetType } from "./target-types.ts";

const daysOfWeek = 7;
/** Events older than three years are removed (`2-collaboration-identity-api: Limits`). */
const maxWeeks = 157;

const CalendarDay = entity("CalendarDay", { date: date("Day in UTC"), count: integer("Events of that day") });

interface Day {
  readonly date: string;
  readonly count: number;
}

const endpoints = [listUserEvents, listProjectEvents, listOwnEvents];

export const calendar = command({
  name: "calendar",
  summary: "Count events per day: yours, a user's, or a project's",
  details:
    "On a terminal a heat map, one column per week from Sunday on, in the platform's five levels: none, 1 to 9, 10 " +
    "to 19, 20 to 29, 30 and more; in any other format one row per day, in UTC. Without " +
    "--user and -p these are the events of the user this token belongs to.",
  params: {
    ...eventSource,
    ...eventKind,
    weeks: integer("Weeks to show, the current one being the last (default 53)", {
      placeholder: "n",
      min: 1,
      max: maxWeeks,
    }),
  },
  requests: [...endpoints, listUsers, getUser],
  returns: CalendarDay,
  prints: "rows",
  examples: [
    { line: "events calendar" },
    { line: "events calendar --user dana.dixon --weeks 12" },
    { line: "events calendar -p acme/storefront --action pushed -o csv", note: "pushes per day, for a spreadsheet" },
  ],
  related: ["events list"],
  async run(context, { weeks = 53, ...input }) {
    checkTargetType(context, input.target_type);
    const days = await countedDays(context, weeks, input);
    return {
      rows: days,
      columns: ["date", "count"],
      drawn: "calendar",
      summary: () => ({ text: summaryOf(days) }),
    };
  },
});

/** Every day from the Sunday of the first week until today, with its number of events. */
async function countedDays(context: Context, weeks: number, input: Asked): Promise<Day[]> {
  const endpoint = choose(endpoints, input);
  const today = Math.floor(context.now().getTime() / dayMs);
  const first = today - new Date(today * dayMs).getUTCDay() - daysOfWeek * (weeks - 1);
  const counts = new Array<number>(today - first + 1).fill(0);
  const omissions = new Omissions(context, input);
  for (let from = 0; ; ) {
    let last = from;
    try {
      const events = context.api.list(endpoint, { ...input, ...spanOf(first + from, today) }, everything);
      for await (const batch of events.batches()) {
        omissions.note(batch);
        for (const { created_at } of batch) {
          const index = Math.floor(Date.parse(created_at) / dayMs) - first;
          if (index < from || !(index in counts)) continue;
          counts[index] = (counts[index] ?? 0) + 1;
          last = index;
        }
      }
      await omissions.end(false);
      return counts.map((count, index) => ({ date: dayText(first + index), count }));
    } catch (error) {
      if (!isTooFar(error) || last === from) throw error;
      // The last day may be incomplete.
      counts.fill(0, last);
      from = last;
    }
  }
}

const everything = { limit: undefined };

/**
 * The filters for events from one day to another. The bounds are exclusive, and one day wider, since an instance uses
 * its own time zone. Oldest first, so that a new event does not shift others to the next page.
 */
function spanOf(from: number, to: number) {
  return { after: dayText(from - 2), before: dayText(to + 2), sort: "asc" };
}

/** Real instances may refuse pages past a number of rows: the rest is then requested by day. */
function isTooFar(error: unknown): boolean {
  return error instanceof Failure && error.details.status === 405;
}

/** @param day days since 1970-01-01 */
function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** The totals, the longest run of days with events, and the day with most; of several, the latest. */
function summaryOf(days: readonly Day[]): string {
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const since = days[0]?.date ?? "";
  if (total === 0) return `no events since ${since}`;
  const active = days.filter(({ count }) => count > 0).length;
  const busiest = days.reduce((most, day) => (day.count >= most.count ? day : most));
  const parts = [
    `${counted(total, "event")} on ${active} of ${counted(days.length, "day")} since ${since}`,
    `longest streak ${streakOf(days)}`,
    `busiest day ${busiest.date} (${groupDigits(busiest.count)})`,
  ];
  return parts.join("; ");
}

function streakOf(days: readonly Day[]): string {
  let longest = { length: 0, end: 0 };
  let length = 0;
  for (const [end, { count }] of days.entries()) {
    length = count > 0 ? length + 1 : 0;
    if (length >= longest.length) longest = { length, end };
  }
  const last = days[longest.end]?.date;
  const first = days[longest.end - longest.length + 1]?.date;
  return `${counted(longest.length, "day")} (${first === last ? last : `${first} to ${last}`})`;
}
