import { listOwnEvents, listProjectEvents, listUserEvents } from "../../api/endpoints/events.ts";
import { getUser, listUsers } from "../../api/endpoints/users.ts";
import type { Context } from "../../context.ts";
import type { Command } from "../../declare/command.ts";
import type { Batched, RowsView } from "../../terminal/view.ts";
import { warnOfEmptySpan } from "../../verbs/empty-span.ts";
import { list } from "../../verbs/verbs.ts";
import { calendar } from "./calendar.ts";
import { type Asked, Omissions } from "./omissions.ts";
import { checkTargetType } from "./target-types.ts";
import { shownEvent } from "./view.ts";

const listing = list(
  "list",
  [listUserEvents, listProjectEvents, listOwnEvents],
  ["created_at", "author_username", "action_name", "target_type", "subject", "project_id"],
  {
    shown: shownEvent,
    summary: "List events: yours, a user's, or a project's",
    details:
      "Without --user and -p these are the events of the user this token belongs to. A day is the instance's own, in UTC unless it is configured otherwise: where 7d or yesterday is another one in UTC, --after takes the earlier, and --before the later; for 12h the list has all of the day that it is in. For a day of another time zone, take one more on each side, and select by created_at. Events older than 3 years are removed; events of epics, and of notes in some threads of merge requests (DiscussionNote), are not available. Events of a user whose profile is private, or whose account is blocked, are for administrators (exit 5). --action and --target-type " +
      "also accept the words shown in events: Pushed, commented on, MergeRequest.",
    requests: [listUsers, getUser],
    examples: [
      { line: "events list --after 2026-01-31" },
      { line: "events list --after yesterday", note: "today's events, since the bound is exclusive" },
      { line: "events list -p acme/storefront --action pushed", note: "pushes to a project" },
      { line: "events list --user dana.dixon --limit all -o ndjson" },
    ],
    related: ["events calendar", "users list"],
  },
);

/** Events older than this are removed (`2-collaboration-identity-api: Limits`). */
const yearsKept = 3;

const listEvents: Command = {
  ...listing,
  async run(context, input) {
    const { after, before, target_type: type } = input as { after?: string; before?: string; target_type?: string };
    checkTargetType(context, type);
    const now = context.now();
    const oldest = new Date(Date.UTC(now.getUTCFullYear() - yearsKept, now.getUTCMonth(), now.getUTCDate()));
    const day = oldest.toISOString().slice(0, 10);
    if ([after, before].some((bound) => bound !== undefined && bound < day)) {
      context.warn(`instances keep events for ${yearsKept} years: there are none from before ${day}`);
    }
    warnOfEmptySpan(context, { after: ["--after", after], before: ["--before", before], areDays: true });
    if (after !== undefined && before === undefined && after >= now.toISOString().slice(0, 10)) {
      context.warn(`--after ${after}: the day itself is not of the list, so that it may be empty until the next one`);
    }
    const view = (await listing.run(context, input)) as RowsView & { rows: Batched };
    return { ...view, rows: watched(context, view.rows, input as Asked) };
  },
};

/** The rows; at their end, what the instance may have left out. */
function watched(context: Context, rows: Batched, asked: Asked): Batched {
  const omissions = new Omissions(context, asked);
  return {
    async *batches() {
      for await (const batch of rows.batches()) {
        omissions.note(batch);
        yield batch;
      }
      await omissions.end(rows.cut?.() !== undefined);
    },
    cut: () => rows.cut?.(),
  };
}

export const events = [listEvents, calendar];
