import type { Listing } from "../../api/api.ts";
import { hookId, listHookEvents } from "../../api/endpoints/hooks.ts";
import { group } from "../../api/endpoints/scope.ts";
import { boolean, type Field, id, integer, required, timestamp } from "../../api/field.ts";
import { Failure, UsageError } from "../../base/errors.ts";
import { ownValue } from "../../base/own-value.ts";
import { commandLine } from "../../base/shell-words.ts";
import { command } from "../../declare/command.ts";
import { listFlags, windowOf } from "../../declare/list-flags.ts";
import type { RecordView } from "../../terminal/view.ts";
import { warnOfEmptySpan } from "../../verbs/empty-span.ts";
import { readRows } from "../../verbs/resource-view.ts";
import { categories, isSuccess, maxPageSize } from "./deliveries.ts";
import { selected, type Wanted } from "./delivery-filter.ts";
import { untilOf } from "./undated.ts";
import { ShownEvent, withoutSecrets } from "./view.ts";

const status = integer("Only these, by the receiver's answer", {
  placeholder: "code|category",
  min: 100,
  max: 599,
  suggests: Object.keys(categories),
}) as Field<number | string, false>;

export const events = command({
  name: "events",
  summary: "List the deliveries of a group webhook, or show one in full",
  details:
    "Deliveries of the past seven days, newest first (17.3 and later). Categories of --status: successful 200-299, " +
    "client_failure 400-499, server_failure 500-599 and, on many instances, no answer at all. --failed, --since, and " +
    "--until select among them here. Where the instance shows no time of a delivery, it is that of the answer, by the " +
    "receiver's clock; one without an answer is as old as the next one after it. --event shows request and response with headers and bodies; headers that may contain a secret are " +
    "masked: the token, and all headers that the platform does not send by itself.",
  args: { hook_id: required(hookId) },
  params: {
    group: required(group),
    status,
    failed: boolean("Only those that were not answered with success"),
    since: timestamp("Only deliveries since then", { placeholder: "duration|time" }),
    until: timestamp("Only deliveries before then", { placeholder: "duration|time" }),
    event: id("Show this one in full", { placeholder: "event-id" }),
    ...listFlags,
    per_page: { ...listFlags.per_page, description: "Rows per request (default 20)", max: maxPageSize },
  },
  requests: [listHookEvents],
  returns: ShownEvent,
  examples: [
    { line: "hooks events 2 -g acme --failed --since yesterday" },
    { line: "hooks events 2 -g acme --status server_failure" },
    { line: "hooks events 2 -g acme --event 110", note: "request and response in full" },
    { line: "hooks events 2 -g acme --status 401 --limit all --fields id --no-header", note: "IDs to resend" },
  ],
  related: ["hooks resend", "hooks list"],
  async run(context, { event, failed = false, since, until, ...input }) {
    const { status: wanted, limit, page, per_page, ...place } = input;
    const chosen: Wanted = { failed, since: momentOf(since), until: untilOf(until, context.now()) };
    warnOfEmptySpan(context, { after: ["--since", since], before: ["--until", until] });
    const isChosen = failed || (since ?? until) !== undefined;
    if (event !== undefined) {
      if (isChosen || (limit ?? page ?? per_page) !== undefined) {
        throw new UsageError("--event shows one: leave out all other flags but --status");
      }
      const window = { limit: undefined, perPage: maxPageSize };
      return eventView(context.api.list(listHookEvents, place, window), { event, wanted, ...place });
    }
    const filter = { ...place, ...(wanted !== undefined && { status: String(wanted) }) };
    const window = windowOf({ limit, page, per_page }, maxPageSize);
    const columns = ["id", "trigger", "response_status", "execution_duration", "response_date"];
    if (!isChosen) return { rows: readRows(context.api.list(listHookEvents, filter, window), withoutSecrets), columns };
    checkChosen({ failed, wanted, page });
    const all = context.api.list(listHookEvents, filter, {
      ...window,
      limit: undefined,
      perPage: per_page ?? maxPageSize,
    });
    const { rows, undated, cut } = selected(all, chosen, window.limit);
    async function* shown() {
      yield* rows;
      undated.warn(context);
    }
    return { rows: shown(), cut, columns };
  },
});

function momentOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time);
}

/** The pages are those of the instance's list, of which only some rows are shown. */
function checkChosen(asked: { failed: boolean; wanted: number | string | undefined; page: number | undefined }): void {
  const { failed, wanted, page } = asked;
  if (page !== undefined) {
    throw new UsageError("--failed, --since, and --until select from all pages: leave out --page");
  }
  if (failed && (wanted === "successful" || isSuccess(wanted))) {
    throw new UsageError(`--failed and --status ${wanted} exclude each other`);
  }
}

/** The API has no request for one delivery: the list is searched for it. */
async function eventView(
  rows: Listing<{ id: number; response_status: unknown }>,
  asked: { event: number; wanted: number | string | undefined; hook_id: number; group: string },
): Promise<RecordView> {
  for await (const row of rows) {
    if (row.id !== asked.event) continue;
    checkStatus(row, asked.wanted);
    return {
      record: withoutSecrets(row),
      columns: [
        "id",
        "trigger",
        "url",
        "response_status",
        "execution_duration",
        "response_date",
        "request_headers",
        "request_data",
        "response_headers",
        "response_body",
      ],
    };
  }
  throw new Failure("notFound", `hook ${asked.hook_id} has no event ${asked.event} of the past seven days`, {
    hint: `forgectl ${commandLine(["hooks", "events", String(asked.hook_id), "-g", asked.group])}`,
  });
}

/** A delivery requested by ID that has another status is reported as such, not as missing. */
function checkStatus(event: { id: number; response_status: unknown }, wanted: number | string | undefined): void {
  const status = String(event.response_status);
  if (wanted === undefined || status === String(wanted) || ownValue(categories, String(wanted))?.test(status)) return;
  throw new Failure("notFound", `event ${event.id} has the status ${status}, not ${wanted}`, {
    hint: "leave out --status to see it",
  });
}
