import { getHook, hookId, listHookEvents, resendHookEvent } from "../../api/endpoints/hooks.ts";
import { group } from "../../api/endpoints/scope.ts";
import {
  entity,
  type Field,
  id,
  integer,
  nullable,
  outcome,
  required,
  string,
  timestamp,
  uncut,
} from "../../api/field.ts";
import { UsageError } from "../../base/errors.ts";
import { commandLine, flagWords } from "../../base/shell-words.ts";
import { statusTones } from "../../base/tone.ts";
import { counted } from "../../base/wording.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { journalFlag, openJournal } from "../../jobs/journal.ts";
import { headOf } from "../../jobs/journal-head.ts";
import { duration } from "../../terminal/time.ts";
import type { RowsView } from "../../terminal/view.ts";
import { asks, confirm, confirmed, type Question, refuseUnasked } from "../../verbs/confirm.ts";
import { warnOfEmptySpan } from "../../verbs/empty-span.ts";
import { type Delivery, deliveriesOf, type HookPlace } from "./deliveries.ts";
import { type Asked, comparableUrl, type Judged, judge, undatedOf } from "./delivery-verdict.ts";
import { trigger } from "./event-kinds.ts";
import { originOf } from "./origin.ts";
import { redelivering, seenIn } from "./redelivery.ts";
import { maxResends, resendWindowMs } from "./resender.ts";
import { untilOf } from "./undated.ts";
import { failuresCount, hasUnrecorded, unrecordedWords } from "./unrecorded.ts";

const Redelivered = entity("Redelivered", {
  event_id: id("Hook event ID"),
  trigger: string("push_hooks, among others"),
  response_status: string("Status of the receiver's answer; in a dry run, of the failed delivery", {
    tones: statusTones,
  }),
  response_date: nullable(
    timestamp("Time of the delivery; where the instance shows none, of the receiver's answer, by its clock"),
  ),
  verdict: string("RESEND, SKIP, or UNKNOWN, in a dry run"),
  rule: uncut(
    "failed, made_good, sent_again, no_key, oversize, template, url_changed, limit, journal, or begun_before",
  ),
  send_at: nullable(timestamp("When it would be sent, in a dry run")),
  status: outcome("redelivered, made_good if it was delivered in another way meanwhile, or the problem"),
  error: nullable(uncut()),
});

const categories = ["client_failure", "server_failure", "no_answer"];
const status = integer("Only this status or category: client_failure, server_failure (with no_answer), or no_answer", {
  placeholder: "code|category",
  min: 100,
  max: 599,
  suggests: categories,
}) as Field<number | string, false>;

interface Flags {
  status?: number | string | undefined;
  trigger?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  limit?: number | undefined;
  journal?: string | undefined;
}

export const redeliver = command({
  name: "redeliver",
  summary: "Resend the failed deliveries of a group webhook",
  details:
    "Resends the failed deliveries of the past seven days whose event no later delivery (with the same Idempotency-Key) " +
    "delivered. Each event is sent once, oldest first, 5 per minute. If one fails again, the exit code is 9. --dry-run shows the " +
    "plan: every failed delivery with RESEND or SKIP, the rule that decided, and its time. A repeated run sends " +
    "events that are still undelivered; with --journal, those that may have been delivered are not sent twice. For --since, a " +
    "delivery without a time is as old as the next one after it: where the instance shows none, the answer's counts. Instances resend their record of a delivery: email " +
    "addresses in it read [REDACTED]. A payload that was too large to be recorded (oversize) is skipped, and so is what " +
    "was sent to another URL than the present one (url_changed), or has been made by the hook's template (template), which " +
    "instances would apply to it again. Events while the hook was disabled, after four failures in a row, were neither sent " +
    "nor recorded: they cannot be resent; a resend that fails is one of these failures. What receivers do cannot be undone.",
  args: { hook_id: required(hookId) },
  params: {
    group: required(group),
    status,
    trigger: trigger("Only deliveries of this kind of event"),
    since: timestamp("Only deliveries since then", { placeholder: "duration|time" }),
    until: timestamp("Only deliveries before then", { placeholder: "duration|time" }),
    limit: integer("Resend at most this many, the oldest first", { placeholder: "n", min: 1 }),
    journal: journalFlag,
  },
  requests: [resendHookEvent, listHookEvents, getHook],
  returns: Redelivered,
  prints: "rows",
  examples: [
    { line: "hooks redeliver 2 -g acme --dry-run", note: "preview, with the time of the end" },
    { line: "hooks redeliver 2 -g acme --status 401 --since 2d --journal redeliver.journal --yes" },
    { line: "hooks redeliver 2 -g acme --trigger push --status 503 --yes" },
  ],
  related: ["hooks events", "hooks resend", "hooks health"],
  inspectWith: "hooks events {hook_id} -g {group}",
  async run(context, { group, hook_id, ...flags }): Promise<RowsView> {
    const place = { group, hook_id };
    const filter = askedBy(flags, context.now());
    warnOfEmptySpan(context, { after: ["--since", flags.since], before: ["--until", flags.until] });
    await refuseUnasked(context, { action: `resend the failed deliveries of hook ${hook_id} of group ${group}` });
    const command = commandLine(["hooks", "redeliver", String(hook_id), "-g", group]);
    // A dry run reads the journal, which affects the plan, but writes no file.
    const journal =
      flags.journal === undefined
        ? undefined
        : await openJournal(context, flags.journal, await headOf(context, command));
    try {
      const hook = await context.api.call(getHook, place);
      const asked = { ...filter, url: comparableUrl(hook) };
      const deliveries = await deliveriesOf(context.api, place, { hook });
      const judged = judge(deliveries, asked, seenIn(journal, context.now()));
      const todo = judged.filter(({ verdict }) => verdict !== "SKIP");
      undatedOf(deliveries, asked).warn(context);
      if (hasUnrecorded(hook, deliveries, context.now())) {
        context.warn(`hook ${hook_id} is disabled, or may have been in the past seven days: ${unrecordedWords}`);
      }
      announcePlan(context, place, judged);
      if (context.config.dryRun) {
        await journal?.close();
        return { rows: planRows(context, judged), columns: planColumns, entity: Redelivered };
      }
      const resends = judged.filter(({ verdict }) => verdict === "RESEND");
      if (resends.length > 0) await confirm(context, questionOn(context, resends, hook.url));
      const newest = deliveries[0]?.id ?? 0;
      const typed = [...flagWords({ ...flags }), ...confirmed(context)];
      const again = `forgectl ${commandLine(["hooks", "redeliver", String(hook_id), "-g", group, ...typed])}`;
      const rows = redelivering(context, { place, todo, newest, journal, again });
      return { rows, columns: ["event_id", "status", "response_status", "error"], live: true, validIfPartial: true };
    } catch (error) {
      await journal?.close();
      throw error;
    }
  },
});

function askedBy({ status, trigger, since, until, limit }: Flags, now: Date): Asked {
  if (status === 200 || (typeof status === "number" && status > 200 && status < 300)) {
    throw new UsageError(`--status: ${status} is a success; only failed deliveries are resent`, {
      hint: "hooks resend sends any delivery again, by its ID",
    });
  }
  const from = since === undefined ? undefined : Date.parse(since);
  return { status, trigger, since: from, until: untilOf(until, now), limit };
}

/** Warns of deliveries without a key, and announces how many are resent and until when. */
function announcePlan(context: Context, { group, hook_id }: HookPlace, judged: readonly Judged[]): void {
  const count = judged.filter(({ verdict }) => verdict === "RESEND").length;
  const keyless = judged.filter(({ rule }) => rule === "no_key").map(({ id }) => String(id));
  if (keyless.length > 0) {
    const line = commandLine(["forgectl", "hooks", "resend", String(hook_id), ...keyless, "-g", group]);
    context.warn(
      `${keyless.length} failed without an Idempotency-Key, so it is unknown whether they were delivered later; ${line}`,
    );
  }
  for (const [rule, reason] of skipReasons) {
    const skipped = judged.filter((each) => each.rule === rule).length;
    if (skipped > 0) context.notice(`${skipped} skipped (${rule}): ${reason}`);
  }
  const end = endOf(context, count);
  const all = `${count} of ${judged.length} failed deliveries to resend, ${maxResends} per minute${end}`;
  context.notice(count === 0 ? "nothing to resend" : all);
}

const skipReasons = [
  ["oversize", "the payload was too large to be recorded, so that the instance would send none"],
  ["template", "the hook's template made the record, and an instance would apply it to that again"],
  ["url_changed", "sent to another URL; an instance refuses to send it to the present one"],
] as const;

const planColumns = ["event_id", "trigger", "response_status", "response_date", "verdict", "rule", "send_at"];

function planRows(context: Context, judged: readonly Judged[]): object[] {
  let turn = 0;
  return judged.map(({ verdict, rule, ...delivery }) => ({
    ...before(delivery),
    verdict,
    rule,
    send_at: verdict === "RESEND" ? timeAfter(context, waitOf(turn++)) : null,
  }));
}

function before({ id, trigger, status, date }: Delivery) {
  return { event_id: id, trigger, response_status: status, response_date: date };
}

function endOf(context: Context, count: number): string {
  const rest = waitOf(Math.max(0, count - 1));
  return rest === 0 ? "" : `; the last at ${context.shownTime(timeAfter(context, rest))}, in ${duration(rest / 1000)}`;
}

/** What would be sent, from when, to whom, and until when. */
export function questionOn(context: Context, resends: readonly Delivery[], url: string): Question {
  const dates = resends.flatMap(({ date }) => date ?? []).sort();
  const [from, to] = [dates[0], dates.at(-1)].map((date) => date && context.shownTime(date));
  const span = from === undefined ? "" : from === to ? ` of ${from}` : ` of ${from} to ${to}`;
  if (asks(context)) context.notice(redactedNotice);
  return {
    action: `resend ${counted(resends.length, "delivery").replace("deliverys", "deliveries")}${span} to ${originOf(url).receiver}${endOf(context, resends.length)}`,
  };
}

const redactedNotice =
  "what receivers do with a delivery cannot be undone; email addresses in what is resent read [REDACTED]; " +
  failuresCount;

/** Milliseconds until the delivery of this number, from 0, is sent. */
function waitOf(turn: number): number {
  return Math.floor(turn / maxResends) * resendWindowMs;
}

function timeAfter(context: Context, ms: number): string {
  return new Date(context.now().getTime() + ms).toISOString().replace(/\.\d+Z$/, "Z");
}
