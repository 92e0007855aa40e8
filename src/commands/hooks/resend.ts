import { hookId, listHookEvents, resendHookEvent } from "../../api/endpoints/hooks.ts";
import { group } from "../../api/endpoints/scope.ts";
import { array, entity, id, integer, outcome, required, uncut } from "../../api/field.ts";
import { statusTones } from "../../base/tone.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { bulk } from "../../jobs/bulk.ts";
import { isSuccess } from "./deliveries.ts";
import { resender } from "./resending.ts";

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
    "response_status and is not a failure of the command; exit 9 means that some could not be sent.",
  args: {
    hook_id: required(hookId),
    event_ids: required(
      array(id("", { placeholder: "event-id", completes: "delivery" }), "Hook event IDs, as hooks events lists them"),
    ),
  },
  params: { group: required(group) },
  requests: [resendHookEvent, listHookEvents],
  returns: Resent,
  examples: [
    { line: "hooks resend 2 110 -g acme" },
    { line: "hooks resend 2 109 110 111 -g acme --dry-run", note: "the requests, not sent" },
  ],
  related: ["hooks events", "hooks redeliver"],
  inspectWith: "hooks events {hook_id} -g {group}",
  async run(context, { group, hook_id, event_ids }) {
    const send = resender(context, { group, hook_id });
    const rows = await bulk(
      context,
      event_ids,
      async (event_id) => {
        const status = await send(event_id);
        return { event_id, status: "resent", response_status: Number(status) };
      },
      (event_id) => ({ event_id }),
      // The instance limits resends: each is sent after the previous one was answered.
      { paced: true },
    );
    const columns = ["event_id", "status", "response_status", "error"];
    return { rows: counted(context, rows), columns, live: true, validIfPartial: true };
  },
});

/** Reports at the end how many receivers did not answer with success. */
async function* counted(context: Context, rows: AsyncIterable<object> | object[]): AsyncGenerator<object> {
  let refused = 0;
  try {
    for await (const row of rows) {
      const { response_status: status } = row as { response_status?: number };
      if (status !== undefined && !isSuccess(status)) refused += 1;
      yield row;
    }
  } finally {
    if (refused > 0) context.notice(`${refused} sent, but not answered with success (response_status)`);
  }
}
