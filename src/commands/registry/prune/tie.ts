import { Failure } from "../../../base/errors.ts";
import { someOf } from "../../../base/wording.ts";
import type { Plan } from "./plan.ts";

export const tieReason =
  "only the instance decides which it keeps: they are as old as the last tag that --keep-n keeps";

/** A bulk delete with an unpredictable outcome is refused. */
export function undecided(plan: Plan, either: readonly string[]): Failure {
  return new Failure("usage", `a tie between ${either.length} tags is undecided; nothing was deleted`, {
    code: "tie",
    reason: `of ${someOf(either)}, ${tieReason}`,
    hint: `forgectl ${plan.line("--via", "tags")}`,
    retryable: false,
  });
}
