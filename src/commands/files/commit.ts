import { mayHaveBeenMade } from "../../api/fate.ts";
import type { Context } from "../../context.ts";
import { Failure } from "../../errors.ts";
import { type Commit, isSame, locate } from "./look.ts";
import { explained } from "./refusal.ts";

/** What a create or update answers, and what is known of any commit that was made. */
interface Written {
  file_path: string;
  branch: string;
}

/**
 * Sends a commit. Where its answer got lost, the branch is looked at: it shows whether the commit was made. Where it is
 * refused, the error says why, as far as the instance or the branch tells (`1-project-api: Repository files`).
 */
export async function send(
  context: Context,
  commit: Commit,
  act: () => Promise<Written | undefined>,
): Promise<Written> {
  const { file_path, branch } = commit;
  const written = { file_path, branch };
  try {
    return (await act()) ?? written;
  } catch (error) {
    if (!(error instanceof Failure) || error.exit === "interrupted") throw error;
    if (!isLost(error)) throw await explained(context, commit, error);
    if (error.details.outcome !== "made" && !(await wasMade(context, commit, error))) {
      throw await notMade(context, commit, error);
    }
    context.notice(`the answer got lost, but the commit was made: ${factOf(commit)}`);
    return written;
  }
}

/** The commit may have been made: its own answer got lost, or that of an attempt before the one that was refused. */
function isLost(error: Failure): boolean {
  const { outcome, doubt = "", status = 0 } = error.details;
  return outcome === "made" || doubt !== "" || status >= 500 || error.exit === "network" || mayHaveBeenMade(error);
}

/** Whether the branch is as the commit would make it. Where it cannot be looked at, the error stays what it is. */
async function wasMade(context: Context, commit: Commit, error: Failure): Promise<boolean> {
  const located = await locate(context, commit, commit.branch).catch((trouble: unknown) => {
    throw trouble instanceof Failure && trouble.exit === "interrupted" ? trouble : error;
  });
  if (commit.action !== "delete") return "facts" in located && isSame(located.facts, commit);
  return "missing" in located && located.missing !== "branch";
}

async function notMade(context: Context, commit: Commit, error: Failure): Promise<Failure> {
  const { doubt = "", reason, outcome: _, ...details } = error.details;
  // An attempt after the lost one was answered, and that answer is the one that counts.
  if (doubt !== "") {
    const first = { ...details, ...(reason !== undefined && { reason: reason.slice(0, -doubt.length) }) };
    return explained(context, commit, new Failure(error.exit, error.message, first));
  }
  const { action, branch, file_path: path } = commit;
  const fact =
    action === "delete" ? `${path} is still on ${branch}` : `${path} on ${branch} does not have this content`;
  const seen = `the commit was not made: ${fact}`;
  return new Failure(error.exit, error.message, {
    ...details,
    reason: reason === undefined ? seen : `${reason}; ${seen}`,
    retryable: true,
  });
}

function factOf({ action, branch, file_path: path }: Commit): string {
  return action === "delete" ? `${path} is gone from ${branch}` : `${path} on ${branch} has this content`;
}
