import { ownValue } from "../../base/own-value.ts";
import { categories, type Delivery, isSuccess } from "./deliveries.ts";
import { kindName } from "./event-kinds.ts";
import { presentOf, type StoredHook } from "./stored-secrets.ts";
import { Undated } from "./undated.ts";

/** The verdict on a failed delivery, and the rule that decided. */
export interface Judged extends Delivery {
  verdict: "RESEND" | "SKIP" | "UNKNOWN";
  rule:
    | "failed"
    | "made_good"
    | "sent_again"
    | "journal"
    | "begun_before"
    | "no_key"
    | "oversize"
    | "template"
    | "url_changed"
    | "limit";
}

/** Selects failed deliveries. */
export interface Asked {
  /** A code, or `client_failure`, `server_failure`, `no_answer`. */
  status: number | string | undefined;
  /** A kind of event, or the trigger as in a delivery: `push`, `push_hooks`. */
  trigger: string | undefined;
  /** Milliseconds since 1970. */
  since: number | undefined;
  /** Milliseconds since 1970: only those before. */
  until?: number | undefined;
  /** The most events to resend. */
  limit?: number | undefined;
  /** The hook's present address, if deliveries show theirs: an instance resends none that went elsewhere. */
  url?: string | undefined;
}

/** What a journal contains about an event, by its `Idempotency-Key`; `done`: resent with success, just now. */
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
  // Of a delivery without a time, the next one's is used.
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
    judged.push({ ...each, ...verdictOf(each, later, { asked, seen }) });
  }
  return limited(judged.reverse(), asked.limit);
}

/** The oldest are resent first; the rest is left for another run. */
function limited(judged: readonly Judged[], limit = Number.POSITIVE_INFINITY): Judged[] {
  let left = limit;
  return judged.map((each) => {
    if (each.verdict !== "RESEND") return each;
    left -= 1;
    return left >= 0 ? each : { ...each, verdict: "SKIP", rule: "limit" };
  });
}

function verdictOf(
  { id, key, url, altered }: Delivery,
  later: Delivery | undefined,
  { asked, seen }: { asked: Asked; seen: Seen },
): Pick<Judged, "verdict" | "rule"> {
  if (key === undefined) return { verdict: "SKIP", rule: "no_key" };
  if (later !== undefined) return { verdict: "SKIP", rule: isSuccess(later.status) ? "made_good" : "sent_again" };
  if (altered !== undefined) return { verdict: "SKIP", rule: altered };
  if (asked.url !== undefined && url !== "" && withoutUser(url) !== asked.url) {
    return { verdict: "SKIP", rule: "url_changed" };
  }
  const before = seen(key);
  // The instance shows no delivery that made it good: its record may only be late.
  if (before?.done) return { verdict: "UNKNOWN", rule: "journal" };
  // A delivery newer than those when it was started is its result.
  if (before?.started && id <= before.newest) return { verdict: "UNKNOWN", rule: "begun_before" };
  return { verdict: "RESEND", rule: "failed" };
}

function isAskedFor({ status, trigger }: Delivery, asked: Asked, at: number): boolean {
  if (asked.since !== undefined && at < asked.since) return false;
  if (asked.until !== undefined && at >= asked.until) return false;
  if (asked.trigger !== undefined && kindName(trigger) !== kindName(asked.trigger)) return false;
  return asked.status === undefined || hasStatus(status, String(asked.status));
}

function hasStatus(status: string, asked: string): boolean {
  if (asked === "no_answer") return !/^\d{3}$/.test(status);
  return status === asked || ownValue(categories, asked)?.test(status) === true;
}

/** What `--until` leaves out of these, although it may be asked for. */
export function undatedOf(deliveries: readonly Delivery[], asked: Asked): Undated {
  const undated = new Undated(asked.until);
  for (const each of deliveries) {
    const isWanted = !isSuccess(each.status) && isAskedFor(each, { ...asked, since: undefined, until: undefined }, 0);
    undated.see(each.date, isWanted);
  }
  return undated;
}

/** The address of a hook, if it can be compared with those of its deliveries, which variables fill in. */
export function comparableUrl(hook: StoredHook): string | undefined {
  return presentOf(hook).variables.length === 0 ? withoutUser(hook.url) : undefined;
}

/** Instances mask a user and a password in the addresses of deliveries, and show them in those of hooks. */
function withoutUser(url: string): string {
  return url.replace(/\/\/[^/?#]*@/, "//");
}

/**
 * The events of a hook that no later delivery delivered, the time of the oldest, and that of the latest success;
 * `lost` counts those that an instance does not resend. Without a key, as in older releases, and where a resend would
 * send other content, a later success of the hook counts; `resendable` leaves out the latter.
 *
 * @param deliveries all of the hook, newest first
 */
export function undeliveredIn(deliveries: readonly Delivery[], hook: StoredHook) {
  const newestSuccess = deliveries.find(({ status }) => isSuccess(status));
  const judged = judge(deliveries, {
    ...{ status: undefined, trigger: undefined, since: undefined },
    url: comparableUrl(hook),
  });
  const isOver = ({ id }: Judged) => id < (newestSuccess?.id ?? 0);
  const lost = judged.filter(
    (each) => each.rule === "oversize" || each.rule === "url_changed" || (each.rule === "template" && isOver(each)),
  ).length;
  const missing = judged.filter(
    (each) => each.verdict !== "SKIP" || ((each.rule === "no_key" || each.rule === "template") && !isOver(each)),
  );
  const resendable = missing.filter(({ rule }) => rule !== "template").length;
  const since = missing.find(({ date }) => date !== null)?.date ?? null;
  return { missing: missing.length, resendable, lost, since, lastSuccess: newestSuccess?.date ?? null };
}
