import { RE2JS, RE2JSException } from "re2js";
import { fitsWildcard } from "../../server/wildcard.ts";
import type { GroupHook } from "./model.ts";

/** Whether a push to a branch matches the hook's branch filter (2-collaboration-identity-api: Group webhooks). */
export function wantsBranch(
  hook: Pick<GroupHook, "push_events_branch_filter" | "branch_filter_strategy">,
  branch: string,
): boolean {
  const filter = hook.push_events_branch_filter ?? "";
  if (filter === "" || hook.branch_filter_strategy === "all_branches") return true;
  if (hook.branch_filter_strategy === "wildcard") return fitsWildcard(filter, branch);
  return RE2JS.compile(filter).matcher(branch).find();
}

/** Whether a filter is a valid regular expression. */
export function isPattern(filter: string): boolean {
  try {
    RE2JS.compile(filter);
    return true;
  } catch (error) {
    if (error instanceof RE2JSException) return false;
    throw error;
  }
}
