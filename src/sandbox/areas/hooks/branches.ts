import { RE2JS, RE2JSException } from "re2js";
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

/** `*` is any text. The first place where a part fits is as good as any other, so that none is tried again. */
function fitsWildcard(filter: string, branch: string): boolean {
  const [first = "", ...parts] = filter.split(/\*+/);
  const last = parts.pop();
  if (last === undefined) return branch === first;
  if (!branch.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = branch.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return branch.length - last.length >= at && branch.endsWith(last);
}
