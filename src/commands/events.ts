import { Event, eventFilters, listOwnEvents, listProjectEvents, listUserEvents } from "../api/endpoints/events.ts";
import { listUsers } from "../api/endpoints/users.ts";
import { string } from "../api/field.ts";
import { UsageError } from "../base/errors.ts";
import type { Context } from "../context.ts";
import { command, group } from "../declare/command.ts";
import { listFlags, windowOf } from "../declare/list-flags.ts";
import { userId } from "../verbs/user.ts";
import { actionWord, targetWord } from "./event-words.ts";

const list = command({
  name: "list",
  summary: "List what happened: your events, a user's, or a project's",
  details:
    "Without --user and -p these are the events of the user this token belongs to. Days are in UTC. --action and --target-type " +
    "also take what an event shows: Pushed, commented on, MergeRequest.",
  params: {
    user: string("This user's events", { placeholder: "id|name" }),
    // No default scope here: a default project would turn "my events" into something else.
    project: string("This project's events", { short: "p", placeholder: "id|path", completes: "project" }),
    ...eventFilters,
    scope: string("all: across all of your projects (your own events only)", { suggests: ["all"] }),
    ...listFlags,
  },
  requests: [listOwnEvents, listUserEvents, listProjectEvents, listUsers],
  returns: Event,
  examples: [
    { line: "events list --after 2026-01-31" },
    { line: "events list --after yesterday", note: "today's: the day itself is left out" },
    { line: "events list -p acme/storefront --action pushed", note: "pushes to a project" },
    { line: "events list --user dana.dixon --limit all -o ndjson" },
  ],
  related: ["users list"],
  async run(context, { user, project, scope, ...input }) {
    if (user !== undefined && project !== undefined) throw new UsageError("give only one of --user and -p/--project");
    if (scope !== undefined && (user ?? project) !== undefined) {
      throw new UsageError("--scope goes with your own events: leave out --user and -p");
    }
    const window = windowOf(input);
    const filters = {
      ...input,
      ...(input.action !== undefined && { action: actionWord(input.action) }),
      ...(input.target_type !== undefined && { target_type: targetWord(input.target_type) }),
    };
    const rows =
      project !== undefined
        ? context.api.list(listProjectEvents, { ...filters, project }, window)
        : user !== undefined
          ? context.api.list(listUserEvents, { ...filters, user: await namedUser(context, user) }, window)
          : context.api.list(listOwnEvents, { ...filters, scope }, window);
    return {
      rows,
      columns: ["created_at", "author_username", "action_name", "target_type", "target_title", "project_id"],
    };
  },
});

/** The route takes usernames, but on real instances none with a dot: such a one is looked up. */
async function namedUser(context: Context, user: string): Promise<string> {
  return user.includes(".") ? String(await userId(context, user)) : user;
}

export const events = group("events", "Activity of users and projects", [list]);
