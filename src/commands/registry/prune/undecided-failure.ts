import { Failure } from "../../../base/errors.ts";
import { counted, someOf } from "../../../base/wording.ts";
import type { Criteria } from "./criteria.ts";
import { blockedBy, candidatesIn, type Decisions } from "./survey.ts";

export const tieReason =
  "only the instance decides which it keeps: they are as old as the last tag that --keep-n keeps";

/** Why a repository is left as it is, in a row. */
export const blockedText = {
  tie: "a tie decides: --via tags is exact",
  unreadable: "the details of a listed tag are not found, so that its age is unknown",
} as const;

/** The failure of a prune whose outcome cannot be known before; undefined if it can. */
export function undecided(criteria: Criteria, decisions: Decisions): Failure | undefined {
  const blocked = blockedBy(decisions);
  if (blocked === undefined) return undefined;
  if (blocked === "unreadable") return unreadable(decisions);
  const either = decisions.filter(({ verdict }) => verdict === "EITHER").map(({ tag }) => tag.name);
  return new Failure("usage", `a tie between ${either.length} tags is undecided`, {
    nothing: "deleted",
    code: "tie",
    reason: `of ${someOf(either)}, ${tieReason}`,
    hint: `forgectl ${criteria.line("--via", "tags")}`,
    retryable: false,
  });
}

/** The failure of a repository in which a tag is listed though its details are not found. */
export function unreadable(decisions: Decisions): Failure {
  const names = candidatesIn(decisions).filter(({ created_at }) => created_at === undefined);
  const which = someOf(names.map(({ name }) => name));
  return new Failure("refused", `the age of ${counted(names.length, "tag")} is unknown`, {
    nothing: "deleted",
    code: "unreadable",
    reason: `the instance lists ${which}, but answers 404 to the request for details`,
    hint: "leave --keep-n and --older-than out, to select by name alone",
    retryable: false,
  });
}
