import { mayHaveBeenMade } from "../../api/outcome.ts";
import { Failure } from "../../base/errors.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { startedBefore } from "../../jobs/begun-changes.ts";
import { bulk } from "../../jobs/bulk.ts";
import type { Journal } from "../../jobs/journal.ts";
import { deliveriesOf, type HookPlace, isSuccess } from "./deliveries.ts";
import type { Judged, Seen } from "./delivery-verdict.ts";
import { resender } from "./resender.ts";
import { isUndelivered, warnIfDisabled } from "./unrecorded.ts";

interface Work {
  place: HookPlace;
  /** Oldest first. */
  todo: readonly Judged[];
  /** The newest delivery of the hook before the first is sent. */
  newest: number;
  journal: Journal | undefined;
  /** The command that completes the rest. */
  again: string;
}

/** How long after a resend the instance may not show it yet. */
const recordMs = 600_000;

/** What an earlier run recorded about an event. */
export function seenIn(journal: Journal | undefined, now: Date): Seen {
  return (key) => {
    const entry = journal?.seen.get(key);
    if (entry === undefined) return undefined;
    const { newest = Number.POSITIVE_INFINITY } = (entry.facts ?? {}) as { newest?: number };
    const isRecent = now.getTime() - Date.parse(entry.at ?? "") < recordMs;
    return { done: entry.status === "redelivered" && isRecent, started: entry.event === "begin", newest };
  };
}

/** Sends them and yields one row each as they finish; the journal is closed after the last. */
export async function* redelivering(context: Context, work: Work): AsyncGenerator<object> {
  const { place, todo, newest, journal, again } = work;
  const send = resender(context, place, newest);
  const isMadeGood = meanwhile(context, place, newest);
  let hasFailed = false;
  const act = async (each: Judged) => {
    const { id, key = "" } = each;
    if (each.verdict === "UNKNOWN") throw unfinished(each, place);
    let noted = false;
    const status = await send(id, async () => {
      if (await isMadeGood(key)) return false;
      if (!noted) await journal?.begin(key, { event: id, newest });
      noted = true;
      return true;
    }).catch(async (error: unknown) => {
      if (noted && !mayBeDelivered(error)) await journal?.end(key, "failed");
      hasFailed ||= isUndelivered(error);
      throw error;
    });
    if (status === undefined && noted) await journal?.end(key, "made_good");
    if (status === undefined) return { event_id: id, status: "made_good", response_status: null, error: null };
    await journal?.end(key, isSuccess(status) ? "redelivered" : "failed");
    if (!isSuccess(status)) hasFailed = true;
    if (!isSuccess(status)) throw new Failure("refused", `the receiver answered ${status}`, { code: "not_delivered" });
    return { event_id: id, status: "redelivered", response_status: status, error: null };
  };
  try {
    // The instance limits resends: each is sent after the previous one was answered.
    yield* await bulk(context, todo, act, ({ id }) => ({ event_id: id }), { throttled: true, again });
  } finally {
    await journal?.close();
    if (hasFailed) await warnIfDisabled(context, place);
  }
}

/**
 * Whether an event was delivered in another way since the start: a run may take hours, and overlap with another. The
 * newest deliveries are read before each event: an instance accepts only a few per minute.
 */
function meanwhile(context: Context, place: HookPlace, newest: number): (key: string) => Promise<boolean> {
  let last = newest;
  const good = new Set<string>();
  return async (key) => {
    const arrived = await deliveriesOf(context.api, place, { after: last });
    last = arrived[0]?.id ?? last;
    for (const { key: delivered, status } of arrived) {
      if (delivered !== undefined && isSuccess(status)) good.add(delivered);
    }
    return good.has(key);
  };
}

/** It was sent, or may have been: the journal gets no end entry, and the next run checks the outcome. */
function mayBeDelivered(error: unknown): boolean {
  return mayHaveBeenMade(error) || (error instanceof Failure && error.details.outcome === "made");
}

function unfinished({ id, rule }: Judged, { group, hook_id }: HookPlace): Failure {
  const resend = commandLine(["hooks", "resend", String(hook_id), String(id), "-g", group]);
  const before = rule === "journal" ? "an earlier run resent it a moment ago" : startedBefore;
  return new Failure("notReady", `delivery ${id}: ${before}`, {
    code: "unknown",
    reason: `${before}, and no later delivery shows it`,
    hint: `check the receiver; if it was not delivered: forgectl ${resend}`,
    outcome: "unknown",
    retryable: false,
  });
}
