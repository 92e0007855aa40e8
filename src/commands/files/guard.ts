import { Failure } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { type Commit, locateInProject, statAt } from "./location.ts";
import { checkAgain, staleGuard } from "./refusal.ts";

// The check of `--last-commit-id` before a request, for what real instances let pass.

/** For a deletion, which they compare with nothing (delete-guard-ignored): it must be the file's last commit. */
export async function checkGuard(context: Context, commit: Commit): Promise<void> {
  const { action, branch, start_branch: start, last_commit_id: seen, file_path: path } = commit;
  let located = await locateInProject(context, commit, branch);
  if ("missing" in located && located.missing === "branch" && start !== undefined) {
    located = await locateInProject(context, commit, start);
  }
  if ("facts" in located && located.facts.last_commit_id === seen) return;
  const reason =
    "facts" in located
      ? staleGuard(commit, located.facts.last_commit_id)
      : `the branch moved: ${path} is no longer on ${branch}`;
  throw new Failure("conflict", `could not ${action} a file`, {
    code: "branch_moved",
    reason,
    nothing: "sent",
    hint: checkAgain,
  });
}

/** For an update, which newer ones compare only with a commit that has the file (update-guard-passes). */
export async function checkKnownGuard(context: Context, commit: Commit): Promise<void> {
  const { last_commit_id: seen } = commit;
  if (seen === undefined || (await statAt(context, commit, seen)) !== undefined) return;
  await checkGuard(context, commit);
}
