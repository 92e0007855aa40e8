import { type ExitName, Failure } from "../../base/errors.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { type Commit, type Located, locate } from "./location.ts";
import { hasContent } from "./stored-form.ts";

/** The hint of an error that another commit caused. */
export const checkAgain = "check the file again, then retry";

/** A reason for a refused commit that was found on the branch. */
interface Finding {
  exit: Extract<ExitName, "refused" | "conflict" | "notFound">;
  code: string;
  /** The fact. */
  reason: string;
  /** What to do about it. */
  hint?: string;
}

/** No reason, or only a generic one. */
const silent =
  /^(?:the instance answered 400|(?:400 )?bad request)?(?:(?: - )?(?:the commit|your changes) could not be (?:created|committed)\b.*)?$/i;
/** The branch, or the file, has changed since. */
const stale = /\bchanged since\b|\brefresh and try again\b|\bcould not update refs\//i;
/** The name is that of a tag or a commit. */
const notBranch = /\bwhen you are on a branch\b/i;
/** What git refuses in the name of a branch. */
const impossible = /\.\.|[\p{Cc} ~^:?*[\\]|@\{|^[-/.]|\/[/.]|[/.]$|\.lock(?:\/|$)|^@$/u;
/** A missing permission, which the branch does not show. */
const forbidden = /\bnot allowed\b|\bpermission\b|\bprotected\b|\bdenied\b|\bpre-receive\b|\bhook declined\b/i;

/**
 * Why a commit was refused with 400. The instance's message is the reason. Without one, the branch is checked for the
 * documented causes (`1-project-api: Repository files`); with one, what is found is only a hint. It is a conflict (exit
 * 6) if the message, `--last-commit-id`, or an earlier check of the branch shows that.
 */
export async function explained(context: Context, commit: Commit, refusal: Failure): Promise<Failure> {
  const { status, fields, code, reason: said = "" } = refusal.details;
  if (status !== 400 || fields !== undefined || code === "captcha_needed") return refusal;
  if (forbidden.test(said)) {
    const hint = `commit to a branch that you may push to: -b <branch> ${commandLine(["--start-branch", commit.branch])}`;
    return new Failure("refused", refusal.message, { ...refusal.details, hint });
  }
  const finding = await find(context, commit).catch((error: unknown) => {
    if (error instanceof Failure && error.exit === "interrupted") throw error;
    return undefined;
  });
  return new Failure(
    ...(silent.test(said) ? withoutMessage(commit, refusal, finding) : withMessage(commit, refusal, finding)),
  );
}

type Parts = ConstructorParameters<typeof Failure>;

function withoutMessage(commit: Commit, { message, details }: Failure, finding: Finding | undefined): Parts {
  if (finding !== undefined) {
    const { exit, ...found } = finding;
    return [exit, message, { ...details, ...found, retryable: exit === "conflict" && isReadAgain(commit) }];
  }
  const hint = `a push may have updated the branch at the same time: ${checkAgain}`;
  return ["refused", message, { ...details, hint }];
}

function withMessage(commit: Commit, { message, details }: Failure, finding: Finding | undefined): Parts {
  const { reason: said = "" } = details;
  if (stale.test(said)) {
    const hint = finding?.exit === "conflict" ? finding.reason : checkAgain;
    return ["conflict", message, { ...details, code: "branch_moved", hint, retryable: isReadAgain(commit) }];
  }
  if (finding === undefined) {
    const hint = `${commit.branch} is not a branch, but perhaps a tag: -b <branch>`;
    return ["refused", message, { ...details, ...(notBranch.test(said) && { hint }) }];
  }
  const { exit, code, reason, hint } = finding;
  return [exit, message, { ...details, code, hint: hint === undefined ? reason : `${reason}; ${hint}` }];
}

/** Whether the same command reads the branch again: with the same --last-commit-id it would be refused again. */
function isReadAgain({ checked, last_commit_id: typed }: Commit): boolean {
  return checked === true || typed === undefined;
}

/** The cause of the refusal on the branch; undefined if none is found. */
async function find(context: Context, commit: Commit): Promise<Finding | undefined> {
  const { branch, start_branch: start } = commit;
  const there = await locate(context, commit, branch);
  const exists = "facts" in there || there.missing === "file";
  if (start === undefined || start === branch) {
    return isBranchMissing(there) ? noBranch(commit, branch) : findOn(commit, branch, there);
  }
  if (exists) {
    const reason = `the branch ${branch} exists`;
    return { exit: "refused", code: "branch_exists", reason, hint: "leave out --start-branch to commit to it" };
  }
  const base = await locate(context, commit, start);
  return isBranchMissing(base) ? noBranch(commit, start) : findOn(commit, start, base);
}

function isBranchMissing(located: Located): boolean {
  return "missing" in located && located.missing === "branch";
}

function noBranch({ start_branch: start }: Commit, name: string): Finding {
  if (impossible.test(name)) {
    return {
      exit: "notFound",
      code: "no_such_branch",
      reason: `${name} cannot be the name of a branch`,
      hint: "a name has no spaces, none of .. ~ ^ : ? * [ \\ @{, and no dot at its beginning or end",
    };
  }
  const hint =
    start === undefined
      ? `to create it from another branch, add --start-branch <branch>`
      : "check the name given with --start-branch";
  return { exit: "notFound", code: "no_such_branch", reason: `the branch ${name} does not exist`, hint };
}

/** The cause of the refusal on the branch that the commit starts from. */
function findOn(commit: Commit, on: string, located: Located): Finding | undefined {
  const { action, file_path: path, last_commit_id: seen, checked } = commit;
  if ("missing" in located) {
    if (action === "create") return undefined;
    if (checked || seen !== undefined) return moved(`the branch moved: ${path} is no longer on ${on}`);
    const hint =
      action === "update" ? "forgectl files create creates it, files put does either" : "check path and branch";
    const or = located.missing === "either" ? ", or the branch does not exist" : "";
    return { exit: "notFound", code: "no_such_file", reason: `${path} does not exist on ${on}${or}`, hint };
  }
  const { facts } = located;
  if (seen !== undefined && facts.last_commit_id !== seen) return moved(staleGuard(commit, facts.last_commit_id));
  if (hasContent(facts, commit)) {
    const reason = `${path} on ${on} has exactly this content: the commit would be empty`;
    return { exit: "refused", code: "empty_commit", reason };
  }
  if (action !== "create") return undefined;
  if (checked) return moved(`the branch moved: ${path} was created on ${on} meanwhile`);
  const hint = "use forgectl files update, or files put";
  return { exit: "refused", code: "file_exists", reason: `${on} has a file ${path}`, hint };
}

/** The message that the file's last commit is not the expected one. */
export function staleGuard({ file_path: path, last_commit_id: seen }: Commit, now: string | null = "unknown"): string {
  return `the branch moved: the last commit of ${path} is now ${now}, not ${seen}`;
}

function moved(reason: string): Finding {
  return { exit: "conflict", code: "branch_moved", reason, hint: checkAgain };
}
