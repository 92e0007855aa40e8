import { FileWrite } from "../../api/endpoints/files.ts";
import { entity, outcome, type Row } from "../../api/field.ts";
import { mayStillBeMade, notShownYet } from "../../api/outcome.ts";
import { Failure } from "../../base/errors.ts";
import { lookAgain } from "../../base/look-again.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { type Before, type Commit, type Facts, type Located, locate, statOn } from "./location.ts";
import { explained } from "./refusal.ts";
import { formOf, isSame } from "./stored-form.ts";
import { withLineFeeds } from "./text.ts";

/** The answer to a create or update, or what is known of a commit if the answer was lost. */
type Written = Row<typeof FileWrite.shape>;

/** The result of a command that checks before it writes. */
export const WriteOutcome = entity("File write", {
  ...FileWrite.shape,
  status: outcome("created, updated, or unchanged"),
});

type Act = () => Promise<Written | undefined>;

/**
 * Sends a commit. If its answer is lost, the branch shows whether the commit was made. If it is refused, the error says
 * why, as far as the instance or the branch shows (`1-project-api: Repository files`).
 */
export async function send(context: Context, commit: Commit, act: Act): Promise<Written> {
  const written = await sendOnce(context, commit, act);
  await warnOfBreaks(context, commit);
  return written;
}

async function sendOnce(context: Context, commit: Commit, act: Act): Promise<Written> {
  const { file_path, branch } = commit;
  const written = { file_path, branch };
  const before = commit.before ?? (await lookBefore(context, commit));
  try {
    return (await act()) ?? written;
  } catch (error) {
    if (!(error instanceof Failure) || error.exit === "interrupted") throw error;
    if (!isLost(error)) throw await explained(context, commit, error);
    const found = await lookFor(context, commit, error);
    // A success that cannot be read may come from something in front of the instance.
    if (found !== "made" && error.details.outcome === "made") throw withCheck(commit, unshown(commit, error));
    if (found === "open") throw withCheck(commit, error);
    if (found === "not made") throw await notMade(context, commit, error);
    if (!(await isProved(context, commit, before))) throw withCheck(commit, perhapsFromBefore(commit, error));
    context.api.noteMade(error);
    context.notice(`the answer was lost, but the commit was made: ${factOf(commit)}`);
    return written;
  }
}

/** Says if the instance stored other line breaks than were sent (line-breaks-stored-as-lf). */
async function warnOfBreaks(context: Context, commit: Commit): Promise<void> {
  if (commit.bytes === undefined || withLineFeeds(commit.bytes) === undefined) return;
  const { execute_filemode: _, ...content } = commit;
  const look = async () => formOf(context, await statOn(context, commit, commit.branch), content);
  // The commit was made, whatever this look shows.
  const form = await lookAgain(look, (found) => found !== undefined, context.sleep).catch(() => undefined);
  if (form !== "lf") return;
  context.warn(
    `the instance stored LF in place of CRLF in ${commit.file_path}; it keeps CRLF if .gitattributes has the attribute ` +
      "-text for the path",
  );
}

/**
 * Sends a commit of content that the branch did not have. False if it was refused, and the branch has the content by
 * now: from another commit that came first, or from this one, which something in between sent twice.
 */
export async function sendOrFind(context: Context, commit: Commit, act: Act): Promise<boolean> {
  try {
    await send(context, commit, act);
    return true;
  } catch (error) {
    if (!(error instanceof Failure) || error.details.status !== 400) throw error;
    const there = await statOn(context, commit, commit.branch).catch(() => undefined);
    if (!(await isSame(context, there, commit))) throw error;
    const { file_path: path, branch } = commit;
    context.notice(
      `${path} on ${branch} has this content by now: from another commit, or from this one, sent twice by what is in between`,
    );
    return false;
  }
}

/** How the file is before the commit, which alone makes what is found afterwards a proof. Undefined if unreadable. */
async function lookBefore(context: Context, commit: Commit): Promise<Before | undefined> {
  if (commit.checked === true) return { wasSo: false };
  if (context.config.dryRun) return undefined;
  try {
    const facts = await statOn(context, commit, commit.branch);
    const wasSo =
      commit.action === "delete" ? await isMissingFrom(context, commit, facts) : await isSame(context, facts, commit);
    return { wasSo, last_commit_id: facts?.last_commit_id };
  } catch (error) {
    if (!(error instanceof Failure) || error.exit === "interrupted") throw error;
    return undefined;
  }
}

/** Whether a branch is there without the file; one that the commit creates is not. */
async function isMissingFrom(context: Context, commit: Commit, facts: Facts): Promise<boolean> {
  if (facts !== undefined || commit.start_branch === undefined) return facts === undefined;
  const located = await locate(context, commit, commit.branch);
  return "missing" in located && located.missing !== "branch";
}

/** Whether a file that is as the commit leaves it was left so by it: it was not before, or has a newer commit. */
async function isProved(context: Context, commit: Commit, before: Before | undefined): Promise<boolean> {
  if (before === undefined || !before.wasSo) return before !== undefined;
  // An instance refuses to create a file that exists, and to delete one that does not.
  if (commit.action !== "update") return false;
  const now = await statOn(context, commit, commit.branch).catch(() => undefined);
  return now !== undefined && now.last_commit_id !== before.last_commit_id;
}

function perhapsFromBefore(commit: Commit, error: Failure): Failure {
  const outcomeText = `the commit may have been made: ${factOf(commit)}, perhaps since before it`;
  return error.with({ outcome: "unknown", outcomeText, retryable: false });
}

/** The commit may have been made: its answer was lost, or that of an earlier attempt. */
function isLost({ details: { outcome } }: Failure): boolean {
  return outcome === "unknown" || outcome === "made";
}

function withCheck({ project, file_path: path, branch }: Commit, error: Failure): Failure {
  const words = ["forgectl", "files", "get", "-p", project, `--ref=${branch}`];
  const line = commandLine([...words, ...(path.startsWith("-") ? ["--"] : []), path]);
  return error.with({ hint: `check before you run it again: ${line}` });
}

function unshown({ file_path: path, branch }: Commit, error: Failure): Failure {
  const message = `the commit was answered with success, but ${path} on ${branch} does not show it`;
  return error.with({ message, outcome: "unknown", outcomeText: notShownYet });
}

type Found = "made" | "not made" | "open";

/** What the branch shows of the commit. If it cannot be read, the original error is thrown, or that of Ctrl-C. */
function lookFor(context: Context, commit: Commit, error: Failure): Promise<Found> {
  const isKnown = (found: Found) => found !== "not made";
  return lookAgain(() => look(context, commit, error), isKnown, context.sleep).catch((failure: unknown) => {
    const isEnded = failure instanceof Failure && failure.exit === "interrupted";
    throw withCheck(commit, isEnded ? failure.with({ outcome: "unknown", retryable: false }) : error);
  });
}

/** Open is whether the instance is still at work, and whether another commit came first or has come since. */
async function look(context: Context, commit: Commit, error: Failure): Promise<Found> {
  const located = await locate(context, commit, commit.branch);
  const missing = "missing" in located ? located.missing : undefined;
  // What does not say which is missing may be an answer of what is in front of the instance.
  if (missing === "either") return "open";
  const form = "facts" in located ? await formOf(context, located.facts, commit) : undefined;
  if (form === "lf" && !isChanged(commit, located)) return "open";
  const isThere = form !== undefined;
  const isMade = commit.action === "delete" ? missing === "file" : isThere;
  if (isMade) return "made";
  return mayStillBeMade(error) || isOvertaken(commit, located) ? "open" : "not made";
}

/**
 * Whether the file is known to have changed: with LF in place of CRLF it may be as it was, and the commit have never
 * arrived.
 */
function isChanged(commit: Commit, located: Located): boolean {
  return commit.action === "create" || isOvertaken(commit, located);
}

/** Whether the file has another commit than the one that it was to follow. */
function isOvertaken({ action, last_commit_id: seen, checked }: Commit, located: Located): boolean {
  if ("missing" in located) return false;
  return action === "create" ? checked === true : seen !== undefined && located.facts.last_commit_id !== seen;
}

/** The error without the doubt, now that the branch was checked. */
async function notMade(context: Context, commit: Commit, error: Failure): Promise<Failure> {
  const { outcome: _, outcomeText: __, hint, ...certain } = error.details;
  const { status } = certain;
  // A later attempt than the lost one was refused, and its answer counts.
  if (status !== undefined && status >= 300 && status < 500) {
    return explained(context, commit, new Failure(error.exit, error.message, { ...certain, ...(hint && { hint }) }));
  }
  const { action, branch, file_path: path } = commit;
  const fact =
    action === "delete" ? `${path} is still on ${branch}` : `${path} on ${branch} does not have this content`;
  const outcomeText = `the commit was not made: ${fact}`;
  return new Failure(error.exit, error.message, { ...certain, outcomeText, outcome: "none", retryable: true });
}

function factOf({ action, branch, file_path: path }: Commit): string {
  return action === "delete" ? `${path} is gone from ${branch}` : `${path} on ${branch} has this content`;
}
