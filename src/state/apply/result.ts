import type { Api } from "../../api/api.ts";
import { mayHaveBeenMade, notShownYet } from "../../api/outcome.ts";
import { Failure, reasonIn } from "../../base/errors.ts";
import { mask } from "../../base/secrets.ts";
import { isAsDeclared } from "../fields/normal.ts";
import { isStorable } from "../fields/secrecy.ts";
import { type Change, fieldOf, isReference, type Live } from "../kind.ts";
import { writtenAnew } from "../live/field-changes.ts";
import type { Comparison } from "../plan/live-comparison.ts";
import { preimageOf } from "../plan/plan-row.ts";
import type { Status } from "../runs/runs.ts";
import type { Along } from "./changed-along.ts";

/** The outcome of a change, and the last known state of the object. */
export interface Result {
  readonly status: Status;
  readonly error: string | null;
  readonly live: Live | undefined;
  /** The only fields that may have been written; undefined: all that were sent. */
  readonly only?: readonly string[];
  /** What the instance changed along. */
  readonly along?: Along | undefined;
  /** It was sent again after a lost answer: the earlier attempt may still be made. */
  readonly isOpen?: boolean | undefined;
  /** It was made, and a lost removal that was sent before may still undo it. */
  readonly mayRemove?: boolean;
  /** The error to report if only this change failed; if the change is done, what ended the wait for it. */
  readonly failure: Failure | undefined;
}

export function done(live: Live | undefined): Result {
  return { status: "done", error: null, live, failure: undefined };
}

/** What of a change that was made no look can show; undefined if all of it was verified. */
export function unverified(change: Change): string | undefined {
  const { kind, action, desired } = change;
  if (action === "create" && kind.unshown !== undefined) return kind.unshown;
  return desired !== undefined && sendsWriteOnly(change) ? "secrets, which cannot be read back" : undefined;
}

/** A change that was made, with what is not known of an object that it created. */
export function remarked({ kind, action }: Change, result: Result): Result {
  if (result.status !== "done" || action !== "create" || kind.unshown === undefined) return result;
  return { ...result, error: `not verified: ${kind.unshown}` };
}

/** It is as desired without this run. */
export function unchanged(live: Live | undefined): Result {
  return { ...done(live), status: "unchanged" };
}

export function stale(live: Live | undefined, error = "it has changed since the plan was made"): Result {
  const failure = new Failure("conflict", error, { code: "stale", hint: "make a new plan, and apply it" });
  return { status: "stale", error, live, failure };
}

/** Nothing was sent for it. */
export function untouched(status: "skipped" | "not_tried" | "unreadable", error: string, failure?: Failure): Result {
  return { status, error, live: undefined, failure };
}

/** An outcome that is still open says why. */
export function late(result: Result): Result {
  return result.status === "unknown" ? { ...result, error: `${result.error}; ${notShownYet}` } : result;
}

/** It was sent, and its outcome is not known. */
export function unknown(error: string, failure?: Failure): Result {
  return { status: "unknown", error, live: undefined, failure };
}

/** A replacement, or the old entry that was restored, which the lost first removal may still remove. */
export function removable(result: Result): Result {
  const { status, live } = result;
  if (status !== "done" && status !== "refused") return result;
  const outcome = result.error ?? "it was made";
  const error = `${outcome}; the lost first removal of the old one may still be made: plan again in a minute`;
  const failure = new Failure("partial", error, { code: "unknown", outcome: "unknown", retryable: false });
  return { ...unknown(error, failure), live, mayRemove: true };
}

/** What could not be read, and why. */
export interface Unread {
  readonly unreadable: string;
  readonly failure?: Failure;
}

/** What was sent could not be looked at. */
export function unseen({ unreadable, failure }: Unread, result?: Result): Result {
  if (result !== undefined && result.status !== "done") return result;
  return unknown(`it was sent, and could not be read again: ${unreadable}`, failure);
}

/** What was answered with success, by an answer that does not show it: a read may be of a copy from before. */
export function unsettled({ kind }: Change, { wanted }: Comparison): Result | undefined {
  if (kind.cached === undefined || wanted) return undefined;
  const error = `the answer does not show what was sent, and reads of ${kind.name} are cached`;
  return unknown(error, new Failure("partial", error, { code: "unknown", outcome: "unknown", retryable: false }));
}

/**
 * The outcome of a change with a failed request. Only a refusal (4xx) is a proof that nothing was done; after anything
 * else that was sent, and after an earlier request of the same change, a look decides.
 *
 * @param seen the object after the failure, if it could be read
 */
export function failed(change: Change, { failure, partly }: Failed, seen: Comparison | undefined): Result {
  const error = failureText(failure);
  const refused = isRefusal(failure);
  if (!partly && refused) return { status: "refused", error, live: undefined, failure };
  if (!partly && !mayHaveActed(failure)) return notSent(failure);
  if (seen === undefined) return unknown(error, failure);
  if (isProof(change, seen)) return done(seen.live);
  if (refused) return { status: seen.before ? "refused" : "altered", error, live: seen.live, failure };
  return unknown(error, failure);
}

/** A change whose answer was lost, and that was seen, counts as one that the instance has accepted. */
export function found(api: Api, { failure }: Failed, result: Result): Result {
  if (result.status === "done") api.noteMade(failure);
  return result;
}

export interface Failed {
  readonly failure: Failure;
  /** An earlier request of the change was made, or may have been. */
  readonly partly: boolean;
}

function notSent(failure: Failure): Result {
  const isEnd = failure.exit === "network" || failure.exit === "interrupted";
  return { status: isEnd ? "not_tried" : "failed", error: failureText(failure), live: undefined, failure };
}

/** The instance says that it did nothing: a 4xx, or a redirect, which a change does not follow. */
function isRefusal(failure: Failure): boolean {
  const { status = 0 } = failure.details;
  return status >= 300 && status < 500 && !mayHaveBeenMade(failure);
}

/** Whether something of a request was sent, and no answer says that nothing was done. */
function mayHaveActed(failure: Failure): boolean {
  const { outcome, status } = failure.details;
  return outcome === "unknown" || outcome === "made" || (status !== undefined && !isRefusal(failure));
}

/** The outcome of a change that the instance answered with success, by what it shows afterwards. */
export function madeOf(change: Change, { live, wanted, before, others }: Comparison): Result {
  if (wanted) return done(live);
  if (before && preimageOf(change, live?.values) !== undefined) {
    const isAnew = change.action === "replace";
    const error = isAnew
      ? "it was removed and added again, and is as it was before: the instance did not take the change"
      : "the instance accepted the change, but nothing changed";
    return { status: "not_taken", error, live, failure: undefined };
  }
  const shown = (name: string) =>
    isStorable(change, name, live?.values[name]) ? JSON.stringify(live?.values[name] ?? null) : mask;
  const advice = (name: string) => {
    const { nullable } = fieldOf(change.kind, name);
    const isUnset = (live?.values[name] ?? null) === null;
    return isUnset && !nullable ? `leave ${name} out of the file` : `write ${name}: ${shown(name)} in the file`;
  };
  const kept = others.map((name) => `${name} as ${shown(name)}`);
  const [first] = others;
  const error =
    first === undefined
      ? "the instance accepted the change, but shows another value"
      : `the instance keeps ${kept.join(", ")}${change.desired?.whole ? "" : `: ${advice(first)}`}`;
  return { status: "altered", error, live, failure: undefined };
}

/** Whether the object shows that the change was made. A secret in an existing object cannot be seen. */
export function isProof(change: Change, { wanted }: Comparison): boolean {
  return wanted && (change.action !== "update" || !(sendsWriteOnly(change) || mayBeCached(change)));
}

/** Whether all that an update declares may be what a cache still shows of before an earlier change. */
function mayBeCached({ kind, doubts, desired, live, write }: Change): boolean {
  if (doubts === undefined || desired === undefined) return false;
  const isOld = (name: string) =>
    (doubts.get(name) ?? [live?.values[name]]).some((each) => isAsDeclared(fieldOf(kind, name), desired, name, each));
  return write.filter((name) => Object.hasOwn(desired.values, name)).every(isOld);
}

/** Fields that cannot be compared are sent because they were requested, not because they differ. */
export function sendsWriteOnly(change: Change): boolean {
  const { kind, desired } = change;
  return writtenAnew(change).some(
    (name) =>
      fieldOf(kind, name).writeOnly || isReference(desired?.values[name]) || fieldOf(kind, name).form === "keys",
  );
}

/** The reason of a failure, with the field errors of a 400. */
export function failureText(failure: Failure): string {
  const each = Object.entries(failure.details.fields ?? {}).map(([name, texts]) => `${name}: ${texts.join(", ")}`);
  return each.length > 0 ? each.join("; ") : reasonIn(failure);
}
