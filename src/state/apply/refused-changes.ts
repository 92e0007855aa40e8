import { inDoubt, isRepeatable, mayBeSecond } from "../../api/outcome.ts";
import { readPlace } from "../../api/place.ts";
import { mayBeUnseen, unseenFailure } from "../../api/unseen-targets.ts";
import { lookAgain } from "../../base/look-again.ts";
import type { Context } from "../../context.ts";
import type { Change } from "../kind.ts";
import type { Comparison } from "../plan/live-comparison.ts";
import type { Step } from "../step.ts";
import { done, failureText, isProof, type Result, unknown } from "./result.ts";

// A proxy in front of an instance may send a PUT or a DELETE twice, and pass on the refusal of the second.

/** Whether a refusal may be of a second one, whose first was made. */
export function mayBeRepeated({ endpoint }: Step, failure: unknown): boolean {
  return mayBeSecond(failure) && isRepeatable(endpoint.method);
}

/** A project or group that is missing or invisible answers 404 for all of its lists, which for some means none. */
export function isReadable({ api }: Context, { scope: { at, name } }: Change): Promise<boolean> {
  if (at === "instance") return Promise.resolve(true);
  return readPlace(api, at, name).then(
    () => true,
    () => false,
  );
}

/** How the list is read again, and the object of a change compared with it. */
interface Looking {
  /** Whether the list could be read. */
  look(): Promise<boolean>;
  seen(change: Change): Comparison;
}

/** The changes of a list that were refused, which a list that lags may show only later as made. */
export class RefusedChanges {
  readonly #context: Context;
  readonly #results = new Map<Change, Result>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** Of a replacement, the requests themselves are checked. */
  add(change: Change, result: Result): void {
    const [step, ...others] = change.action === "replace" ? [] : change.kind.steps(change);
    const isOne = step !== undefined && others.length === 0;
    if (isOne && mayBeRepeated(step, result.failure)) this.#results.set(change, result);
  }

  /** Looks for a few seconds, once for all of them; the outcomes that are other than they seemed. */
  async corrected({ look, seen }: Looking): Promise<Map<Change, Result>> {
    const corrected = new Map<Change, Result>();
    if (this.#results.size === 0) return corrected;
    const context = this.#context;
    const pause = (ms: number) => context.sleep(ms).catch(() => undefined);
    const isShown = (change: Change) => isProof(change, seen(change));
    const isOver = (isRead: boolean) => !isRead || [...this.#results.keys()].every(isShown);
    const isRead = await lookAgain(look, isOver, pause);
    for (const [change, result] of this.#results) {
      const { failure, error } = result;
      const isMade = isRead && isShown(change) && (change.action !== "delete" || (await isReadable(context, change)));
      if (isMade && failure !== undefined) context.api.noteMade(failure);
      if (isMade) corrected.set(change, done(seen(change).live));
      else if (!isRead || context.signal.aborted) {
        const why = isRead ? "interrupted before the list could show more" : "the list could not be read again";
        corrected.set(change, unknown(`${error}; ${why}`, failure && inDoubt(failure)));
      } else if (change.kind.target === "project" && change.action === "delete" && mayBeUnseen(failure)) {
        const unseen = unseenFailure(failure);
        corrected.set(change, { ...result, error: failureText(unseen), failure: unseen });
      }
    }
    return corrected;
  }
}
