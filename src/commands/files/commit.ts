import { createHash } from "node:crypto";
import { statFile } from "../../api/endpoints/files.ts";
import type { Context } from "../../context.ts";
import { Failure, type FailureDetails } from "../../errors.ts";

export type Facts = Awaited<ReturnType<typeof look>>;

/** A commit of one file, with what is needed to tell why it was refused. */
export interface Commit {
  action: "create" | "update" | "delete";
  project: string;
  file_path: string;
  branch: string;
  start_branch?: string | undefined;
  last_commit_id?: string | undefined;
  execute_filemode?: boolean | undefined;
  /** What is to be written. */
  bytes?: Uint8Array;
  /** It was looked beforehand, and then this was the thing to do. */
  looked?: boolean;
}

/** What is known of the file on a branch; undefined where it, or the branch, is not there. */
export async function look(context: Context, file: { project: string; file_path: string }, ref: string) {
  const { project, file_path } = file;
  try {
    return await context.api.call(statFile, { project, file_path, ref });
  } catch (error) {
    if (error instanceof Failure && error.exit === "notFound") return undefined;
    throw error;
  }
}

/** Whether a write would change nothing. */
export function isSame(facts: Facts, { bytes, execute_filemode: mode }: Commit): boolean {
  if (facts === undefined || bytes === undefined) return false;
  if (mode !== undefined && mode !== (facts.execute_filemode ?? false)) return false;
  return createHash("sha256").update(bytes).digest("hex") === facts.content_sha256?.toLowerCase();
}

/**
 * Sends a commit. Whatever fails it, the platform answers 400 without saying why; then it is looked again, and the
 * error says which of the documented causes it was (`1-project-api: Repository files`).
 */
export async function send<O>(context: Context, commit: Commit, act: () => Promise<O>): Promise<O> {
  try {
    return await act();
  } catch (error) {
    const refused = error instanceof Failure && error.details.status === 400 && error.details.fields === undefined;
    throw refused ? await explained(context, commit, error) : error;
  }
}

async function explained(context: Context, commit: Commit, refusal: Failure): Promise<Failure> {
  try {
    const there = await look(context, commit, commit.branch);
    const cause = causeOf(commit, there) ?? (await causeByElimination(context, commit, there));
    const { exit, ...details } = cause;
    const reason = `${cause.reason}${refusal.details.doubt ?? ""}`;
    return new Failure(exit, refusal.message, {
      ...refusal.details,
      ...details,
      reason,
      retryable: exit === "conflict",
    });
  } catch (error) {
    if (error instanceof Failure && error.exit === "interrupted") throw error;
    return refusal;
  }
}

type Cause = { exit: "refused" | "conflict" } & FailureDetails;

const again = "look at the file again, then try again";

/** A cause that what is on the branch shows by itself. */
function causeOf(commit: Commit, there: Facts): Cause | undefined {
  const { action, branch, file_path: path, last_commit_id: seen } = commit;
  if (there !== undefined && commit.start_branch !== undefined) {
    const reason = `the branch ${branch} is there already`;
    return { exit: "refused", code: "branch_exists", reason, hint: "leave out --start-branch to commit to it" };
  }
  if (there !== undefined && seen !== undefined && there.last_commit_id !== seen) {
    return moved(`the branch moved: the last commit of ${path} is now ${there.last_commit_id}, not ${seen}`);
  }
  if (isSame(there, commit)) return empty(`${path} on ${branch} has exactly this content`);
  if (action === "create" && there !== undefined) {
    if (commit.looked) return moved(`the branch moved: ${path} was created on ${branch} meanwhile`);
    const reason = `${branch} has a file ${path}`;
    return { exit: "refused", code: "file_exists", reason, hint: "use forgectl files update, or files put" };
  }
  return undefined;
}

/** The file is not on the branch, or nothing about it is in the way. */
async function causeByElimination(context: Context, commit: Commit, there: Facts): Promise<Cause> {
  const { action, branch, start_branch: start, file_path: path } = commit;
  const base = there === undefined && start !== undefined ? await look(context, commit, start) : there;
  if (base !== undefined && start !== undefined && isSame(base, commit)) {
    return empty(`${path} on ${start} has exactly this content`);
  }
  if (action !== "create" && base === undefined) {
    if (commit.looked || commit.last_commit_id !== undefined) {
      return moved(`the branch moved: ${path} is no longer on ${branch}`);
    }
    const reason = `there is no file ${path} on ${start ?? branch}, or no such branch`;
    return { exit: "refused", code: "no_such_file", reason, hint: "forgectl files create makes a new one" };
  }
  if (start !== undefined) {
    const hint = `if ${branch} is there already, leave out --start-branch to commit to it`;
    return { ...moved(`${branch} was updated by a push meanwhile, or is there already`), hint };
  }
  return moved(`${branch} was updated by a push meanwhile${action === "create" ? ", or there is no such branch" : ""}`);
}

function moved(reason: string): Cause {
  return { exit: "conflict", code: "branch_moved", reason, hint: again };
}

function empty(found: string): Cause {
  return { exit: "refused", code: "empty_commit", reason: `${found}: the commit would be empty` };
}
