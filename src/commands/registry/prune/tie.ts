import { Failure } from "../../../base/errors.ts";
import type { Plan } from "./plan.ts";

export const tieReason =
  "only the instance decides which it keeps: they are as old as the last tag that --keep-n keeps";

/** Maximum number of names in an error; the preview has all. */
const maxNames = 10;

/** A bulk delete with an unpredictable outcome is refused. */
export function undecided(plan: Plan, either: readonly string[]): Failure {
  const more = either.length - maxNames;
  const names = either.slice(0, maxNames).join(", ") + (more > 0 ? `, and ${more} more` : "");
  return new Failure("refused", `a tie between ${either.length} tags is undecided; nothing was deleted`, {
    code: "tie",
    reason: `of ${names}, ${tieReason}`,
    hint: `forgectl ${plan.line("--via", "tags")}`,
    retryable: false,
  });
}
