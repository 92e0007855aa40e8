import { earlierLost, inDoubt, mayHaveBeenMade, mayStillBeMade } from "../../api/outcome.ts";
import { Failure, reasonIn } from "../../base/errors.ts";
import { lookAgain } from "../../base/look-again.ts";
import type { Context } from "../../context.ts";
import type { Change } from "../kind.ts";
import { writableValues } from "../live/writable-values.ts";
import type { Comparison } from "../plan/live-comparison.ts";
import type { Step } from "../step.ts";
import { isReadable, mayBeRepeated } from "./refused-changes.ts";
import { type Failed, failureText, isProof } from "./result.ts";
import { sendStep } from "./step-requests.ts";

/**
 * The outcome of the requests of a change, and the number of attempts whose answers were lost, so that they may still
 * be made: not the one that a look has shown, and of a failure the last one, too.
 */
export type Sent = ({ readonly answer: unknown } | Failed) & {
  readonly lost: number;
  /** Of a replacement: the removal may still be made once more, which goes by name and would remove the new entry. */
  readonly mayRemove: boolean;
};

/**
 * Looks at the object of a change as it is now; undefined if that is not possible. A patient look waits a few seconds
 * for the change to show.
 */
type Look = (patient: boolean) => Promise<Comparison | undefined>;

/** How the object of a change is looked at. */
export interface Looks {
  readonly look: Look;
  /** Throws after a wait if the object is not as it was: called before anything of the change was made. */
  afterWait(): Promise<void>;
}

/**
 * Sends the requests of a change. Those of a replacement are one unit: if the new entry is refused, the old one is
 * restored.
 */
export async function send(context: Context, change: Change, { look, afterWait }: Looks): Promise<Sent> {
  let answer: unknown;
  let lost = 0;
  let mayRemove = false;
  const onRepeated = () => {
    lost += 1;
  };
  const onFound = () => {
    lost = Math.max(0, lost - 1);
  };
  for (const [index, step] of change.kind.steps(change).entries()) {
    const part = change.action !== "replace" ? "all" : index === 0 ? "removal" : "creation";
    const first = index === 0 ? { afterWait } : {};
    const sending: Sending = { change, step, part, lost: undefined, onFound, how: { onRepeated, ...first } };
    try {
      answer = await sendOnce(context, look, sending);
      mayRemove ||= part === "removal" && lost > 0;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // What refuses it may be what the first attempt made.
      const partly = index > 0 || sending.lost !== undefined;
      // From here on the old entry is deleted.
      const isRefused = part === "creation" && !mayHaveBeenMade(error);
      const failure = isRefused ? await restore(context, change, error) : afterLost(error, sending, index > 0);
      return { failure, partly, lost: mayStillBeMade(error) ? lost + 1 : lost, mayRemove };
    }
  }
  return { answer, lost, mayRemove };
}

interface Sending {
  change: Change;
  step: Step;
  /** The part of the change; a replacement has two. */
  part: "all" | "removal" | "creation";
  /** Why it was sent a second time. */
  lost: Failure | undefined;
  /** Called if one of the lost attempts has been made. */
  onFound(): void;
  /** `afterWait` is that of `Looks`, of the first request only. */
  how: Parameters<typeof sendStep>[3] & { onRepeated(): void };
}

/**
 * A refusal of the second attempt says nothing of the first, if that may still be made, or shows only later; nor does
 * one of a later request, if a cached read need not show what the earlier one has made.
 */
function afterLost(error: Failure, sending: Sending, isLater: boolean): Failure {
  const { change, lost } = sending;
  if (isLater && lost === undefined && change.kind.cached !== undefined) return inDoubt(error);
  const isLate = lost !== undefined && (mayStillBeMade(lost) || removes(sending) || change.kind.cached !== undefined);
  if (!isLate) return error;
  return inDoubt(error).with({ outcomeText: earlierLost });
}

/** After a lost answer, checks, and resends a change that was not made. */
async function sendOnce(context: Context, look: Look, sending: Sending): Promise<unknown> {
  const { change, step, part } = sending;
  try {
    return await sendStep(context, change, step, sending.how);
  } catch (error) {
    if (error instanceof Failure && error.details.outcome === "made") return undefined;
    if (await wasSentTwice(context, look, sending, error)) {
      sending.onFound();
      return undefined;
    }
    if (!mayHaveBeenMade(error)) throw error;
    // A list may show what was made only a moment later.
    const isAnswered = !mayStillBeMade(error);
    const seen = await (isAnswered && removes(sending)
      ? lookForRemoval(context, look)
      : look(isAnswered && isDoubled(change, step)));
    if (seen === undefined) throw error;
    const missing = seen.live === undefined;
    if (isProof(change, seen) || (part === "removal" && missing)) {
      context.api.noteMade(error);
      // The last attempt was refused, as an earlier one had been made.
      if (!mayStillBeMade(error)) sending.onFound();
      return undefined;
    }
    const asBefore = part === "creation" ? missing : seen.before;
    // A change that was made may be made again if that has no further effect.
    if (!asBefore && !isIdempotent(step)) throw error;
    if (mayStillBeMade(error) && isDoubled(change, step)) throw error;
    sending.lost = error;
    if (mayStillBeMade(error)) sending.how.onRepeated();
    const answer = await sendStep(context, change, step);
    // Whether or not the first one was made, too: it had the same effect.
    context.api.noteMade(error);
    return answer;
  }
}

/** Whether a refused PUT or DELETE was made, as the list shows, which did not right before. */
async function wasSentTwice(context: Context, look: Look, sending: Sending, error: unknown): Promise<boolean> {
  const { change, step, part } = sending;
  if (!mayBeRepeated(step, error)) return false;
  // Of a replacement, the second part depends on it; for the others, the list is looked at again at its end.
  const seen = part === "removal" ? await lookForRemoval(context, look) : await look(false);
  if (seen === undefined && part === "removal") throw inDoubt(error as Failure);
  if (seen === undefined || !(removes(sending) ? seen.live === undefined : isProof(change, seen))) return false;
  if (removes(sending) && !(await isReadable(context, change))) return false;
  context.api.noteMade(error as Failure);
  return true;
}

function removes({ change, part }: Sending): boolean {
  return part === "removal" || change.action === "delete";
}

/** A list may show an entry that was removed for a moment more. */
function lookForRemoval(context: Context, look: Look): Promise<Comparison | undefined> {
  const pause = (ms: number) => context.sleep(ms).catch(() => undefined);
  return lookAgain(
    () => look(false),
    (seen) => seen?.live === undefined,
    pause,
  );
}

/** A PUT of the desired state is idempotent and may be resent. */
function isIdempotent({ endpoint }: Step): boolean {
  return endpoint.method === "PUT" && endpoint.once !== true;
}

/** Sent twice, it would be made twice, even if the first is made only after the second. */
function isDoubled({ kind, action }: Change, { endpoint }: Step): boolean {
  return endpoint.once === true || (action === "create" && kind.alike === true);
}

/** Restores the old entry if the new one was refused. */
async function restore(context: Context, change: Change, why: Failure): Promise<Failure> {
  if (change.live === undefined) return why;
  const values = writableValues(change.kind, change.live.values);
  const origin = change.desired?.origin ?? { file: "", line: 0 };
  const old = { ...change, action: "create" as const, desired: { values, origin } };
  try {
    for (const step of change.kind.steps(old)) await sendStep(context, old, step);
    return restored(why, "the old one was restored");
  } catch (error) {
    return restored(why, `the old one could not be restored: ${reasonIn(error)}`);
  }
}

function restored(why: Failure, outcomeText: string): Failure {
  const { fields: _, ...rest } = why.details;
  return new Failure(why.exit, why.message, { ...rest, reason: failureText(why), outcomeText });
}
