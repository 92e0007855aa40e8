import { mayHaveBeenMade } from "../api/fate.ts";
import { Failure } from "../base/errors.ts";
import type { Context } from "../context.ts";

/**
 * Makes a change. Where its answer gets lost, looks: what was made is done, with a word about it; what was not is an error
 * that says so; where looking fails too, the change stays unknown.
 *
 * @param isMade whether what was asked for is so now
 */
export async function madeOrLookedAt(
  context: Context,
  change: () => Promise<unknown>,
  isMade: () => Promise<boolean>,
): Promise<void> {
  try {
    await change();
  } catch (error) {
    if (!mayHaveBeenMade(error) || error.exit === "interrupted") throw error;
    const made = await isMade().catch(() => undefined);
    if (made === undefined) throw error;
    if (!made) throw notMade(error);
    context.notice("the answer got lost; a look shows that the change was made");
  }
}

function notMade(error: Failure): Failure {
  const { hint: _, doubt: __, ...details } = error.details;
  return new Failure(error.exit, error.message, {
    ...details,
    reason: "the answer got lost; a look shows that the change was not made",
    hint: "run the command again",
    outcome: "none",
    retryable: true,
  });
}
