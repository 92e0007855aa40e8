import { categories, type Delivery, isSuccess } from "./deliveries.ts";
import { kindName } from "./kinds.ts";

/** The verdict on a failed delivery, and the rule that decided. */
export interface Judged extends Delivery {
  verdict: "RESEND" | "SKIP" | "UNKNOWN";
  rule: "failed" | "made_good" | "sent_again" | "journal" | "begun_before" | "no_key";
}

/** Selects failed deliveries. */
export interface Asked {
  /** A code, or `client_failure`, `server_failure`, `no_answer`. */
  status: number | string | undefined;
  /** A kind of event, or the trigger as in a delivery: `push`, `push_hooks`. */
  trigger: string | undefined;
  /** Milliseconds since 1970. */
  since: number | undefined;
}

/** What a journal contains about an event, by its `Idempotency-Key`. */
export type Seen = (key: string) => { done: boolean; started: boolean; newest: number } | undefined;

/**
 * The selected failed deliveries, oldest first, each with its verdict. Of one event (an `Idempotency-Key`) only the
 * newest delivery is resent, and none if a later one succeeded.
 *
 * @param deliveries all of the hook, newest first
 */
export function judge(deliveries: readonly Delivery[], asked: Asked, seen: Seen = () => undefined): Judged[] {
  const newest = new Map<string, Delivery>();
  const judged: Judged[] = [];
  // A delivery without an answer has no time: the next one's is used.
  let at = Number.POSITIVE_INFINITY;
  for (const each of deliveries) {
    const { key, date, status } = each;
    if (date !== null) at = Date.parse(date);
    const later = key === undefined ? undefined : newest.get(key);
    if (key !== undefined && later === undefined) newest.set(key, each);
    if (isSuccess(status)) {
      // Earlier failures of the event are superseded, even if a later delivery failed.
      if (key !== undefined) newest.set(key, each);
      continue;
    }
    if (!isAskedFor(each, asked, at)) continue;
    judged.unshift({ ...each, ...verdictOf(each, later, seen) });
  }
  return judged;
}

function verdictOf({ id, key }: Delivery, later: Delivery | undefined, seen: Seen): Pick<Judged, "verdict" | "rule"> {
  if (key === undefined) return { verdict: "SKIP", rule: "no_key" };
  if (later !== undefined) return { verdict: "SKIP", rule: isSuccess(later.status) ? "made_good" : "sent_again" };
  const before = seen(key);
  if (before?.done) return { verdict: "SKIP", rule: "journal" };
  // A delivery newer than those when it was started is its result.
  if (before?.started && id <= before.newest) return { verdict: "UNKNOWN", rule: "begun_before" };
  return { verdict: "RESEND", rule: "failed" };
}

function isAskedFor({ status, trigger }: Delivery, asked: Asked, at: number): boolean {
  if (asked.since !== undefined && at < asked.since) return false;
  if (asked.trigger !== undefined && kindName(trigger) !== kindName(asked.trigger)) return false;
  return asked.status === undefined || hasStatus(status, String(asked.status));
}

function hasStatus(status: string, asked: string): boolean {
  if (asked === "no_answer") return !/^\d{3}$/.test(status);
  return status === asked || categories[asked]?.test(status) === true;
}

/**
 * The events of a hook that no later delivery delivered, the time of the oldest, and that of the latest success.
 * Without a key, as in older releases, a later success of the hook counts.
 *
 * @param deliveries all of the hook, newest first
 */
export function undeliveredIn(deliveries: readonly Delivery[]) {
  const newestSuccess = deliveries.find(({ status }) => isSuccess(status));
  const judged = judge(deliveries, { status: undefined, trigger: undefined, since: undefined });
  const missing = judged.filter(
    ({ verdict, rule, id }) => verdict !== "SKIP" || (rule === "no_key" && id > (newestSuccess?.id ?? 0)),
  );
  const since = missing.find(({ date }) => date !== null)?.date ?? null;
  return { missing: missing.length, since, lastSuccess: newestSuccess?.date ?? null };
}
