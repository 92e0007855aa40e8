import { getHook, hookId, listHookEvents, resendHookEvent } from "../../api/endpoints/hooks.ts";
import { group } from "../../api/endpoints/scope.ts";
import { array, entity, id, integer, outcome, required, uncut } from "../../api/field.ts";
import { Failure, reasonIn } from "../../base/errors.ts";
import { statusTones } from "../../base/tone.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { bulk, distinct } from "../../jobs/bulk.ts";
import { asks, confirm, type Question, refuseUnasked } from "../../verbs/confirm.ts";
import { deliveriesOf, type HookPlace, isSuccess } from "./deliveries.ts";
import { questionOn } from "./redeliver.ts";
import { resender } from "./resender.ts";
import { hasTemplate } from "./template.ts";
import { isUndelivered, warnIfDisabled } from "./unrecorded.ts";

const Resent = entity("Resent", {
  event_id: id("Hook event ID"),
  status: outcome("resent, failed, or unknown"),
  response_status: integer("What the receiver answered", { tones: statusTones }),
  error: uncut("Why it failed"),
});

export const resend = command({
  name: "resend",
  summary: "Resend deliveries of a group webhook",
  details:
    "Instances (17.4 and later) accept 5 resends per minute and hook: they are sent one after another, at that rate. Each creates a " +
    "new delivery, which is looked up if an answer is lost. The receiver's status is shown as " +
    "response_status and is not a failure of the command; exit 9 means that some could not be sent. Instances resend " +
    "their record of a delivery: email addresses in it read [REDACTED]. If the hook has a template, they apply it to the record, " +
    "which it has been applied to before: a warning says so. A resend that fails is a failure of the hook, which they disable " +
    "after four in a row, so that events are lost. More than one are resent after a question.",
  args: {
    hook_id: required(hookId),
    event_ids: required(
      array(id("", { placeholder: "event-id", completes: "delivery" }), "Hook event IDs, as hooks events lists them"),
    ),
  },
  params: { group: required(group) },
  requests: [resendHookEvent, listHookEvents, getHook],
  returns: Resent,
  prints: "rows",
  examples: [
    { line: "hooks resend 2 110 -g acme" },
    { line: "hooks resend 2 109 110 111 -g acme --dry-run", note: "the requests, not sent" },
  ],
  related: ["hooks events", "hooks redeliver"],
  inspectWith: "hooks events {hook_id} -g {group}",
  async run(context, { group, hook_id, event_ids }) {
    const place = { group, hook_id };
    const ids = distinct(event_ids);
    if (ids.length > 1) await refuseUnasked(context, plainQuestion(place, ids));
    const hook = context.config.dryRun ? undefined : await shownHook(context, place);
    if (hook !== undefined && hasTemplate(hook)) context.warn(`hook ${hook_id} has a template: ${appliedAgain}`);
    if (ids.length > 1) await confirm(context, await question(context, place, ids, hook?.url));
    const send = resender(context, place);
    let hasFailed = false;
    const warn = async () => (hasFailed ? warnIfDisabled(context, place) : undefined);
    // The failure of a single one is thrown here.
    const rows = await bulk(
      context,
      event_ids,
      async (event_id) => {
        const status = await send(event_id).catch((error: unknown) => {
          hasFailed ||= isUndelivered(error);
          throw error;
        });
        hasFailed ||= !isSuccess(status);
        // A receiver without an answer has no status.
        return { event_id, status: "resent", response_status: /^\d+$/.test(status ?? "") ? Number(status) : null };
      },
      (event_id) => ({ event_id }),
      // The instance limits resends: each is sent after the previous one was answered.
      { throttled: true },
    ).catch(async (error: unknown) => {
      await warn();
      throw error;
    });
    const columns = ["event_id", "status", "response_status", "error"];
    return { rows: counted(context, rows, warn), columns, live: true, validIfPartial: true };
  },
});

const appliedAgain =
  "instances apply it again, to their record of what it made, so that what is sent may lack its values (null)";

/** The hook, if this token may read it: one that may resend need not. */
async function shownHook(context: Context, place: HookPlace) {
  try {
    return await context.api.call(getHook, place);
  } catch (error) {
    if (!(error instanceof Failure) || error.exit === "interrupted") throw error;
    // If there is none, the resend says so.
    if (error.exit !== "notFound") {
      context.warn(`hook ${place.hook_id} was not read (${reasonIn(error)}): if it has a template, ${appliedAgain}`);
    }
    return undefined;
  }
}

function plainQuestion({ group, hook_id }: HookPlace, ids: readonly number[]): Question {
  return { action: `resend ${ids.length} deliveries of hook ${hook_id} of group ${group}` };
}

/** More is looked up only for a user who can be asked. */
async function question(context: Context, place: HookPlace, ids: readonly number[], url?: string): Promise<Question> {
  if (url === undefined || !asks(context)) return plainQuestion(place, ids);
  const found = (await deliveriesOf(context.api, place)).filter(({ id }) => ids.includes(id));
  return questionOn(context, found, url);
}

/** Reports at the end how many receivers did not answer with success. */
async function* counted(
  context: Context,
  rows: AsyncIterable<object> | object[],
  warn: () => Promise<void>,
): AsyncGenerator<object> {
  let refused = 0;
  try {
    for await (const row of rows) {
      const { response_status: status } = row as { response_status?: number };
      if (status !== undefined && !isSuccess(status)) refused += 1;
      yield row;
    }
  } finally {
    if (refused > 0) context.closing(`${refused} sent, but not answered with success (response_status)`);
    await warn();
  }
}
