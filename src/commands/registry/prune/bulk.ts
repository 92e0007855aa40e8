import { deleteTagsInBulk } from "../../../api/endpoints/registry.ts";
import { mayHaveBeenMade } from "../../../api/outcome.ts";
import { Failure } from "../../../base/errors.ts";
import type { Context } from "../../../context.ts";
import type { RecordView } from "../../../terminal/view.ts";
import { confirm } from "../../../verbs/confirm.ts";
import { waitFor } from "../../../verbs/poll.ts";
import { pathOf } from "../repository.ts";
import { clockReason } from "./clock.ts";
import type { Criteria } from "./criteria.ts";
import { nextAllowed, rememberCall } from "./hourly-limit.ts";
import { candidatesIn, type Decisions, isInstances, maxDeletedIn, namesOf, type Surveying, survey } from "./survey.ts";
import { undecided } from "./undecided-failure.ts";

/** A background job that has started and then deletes nothing for this long is considered finished. */
const stalledMs = 15_000;

/** Lets the platform delete in the background: one call, at most once an hour per repository. */
export async function pruneInBulk(
  context: Context,
  criteria: Criteria,
  surveying: Omit<Surveying, "details">,
): Promise<RecordView> {
  const { repository_id } = criteria.at;
  const chosen = mustSelect(context, criteria) ? await confirmedTags(context, criteria, surveying) : undefined;
  if (chosen?.maxDeleted === 0) {
    context.notice("nothing to delete: the rules select no tag");
    return shown({ repository_id, status: "done", deleted: 0, next_allowed_at: null });
  }
  const next = await scheduleDeletion(context, criteria);
  if (criteria.waiting !== undefined && chosen !== undefined) {
    const deleted = await untilDeleted(context, criteria, { ...chosen, next, again: criteria.line(criteria.waiting) });
    return shown({ repository_id, status: "done", deleted, next_allowed_at: next });
  }
  return {
    ...shown({ repository_id, status: "scheduled", next_allowed_at: next }),
    message: `scheduled: the platform deletes in the background; the next bulk delete of this repository is allowed from ${next}`,
  };
}

/** The selected tags must be known for the question, for the wait, and if there may be a tie. */
function mustSelect({ config }: Context, { waiting, rules }: Criteria): boolean {
  return !config.yes || waiting !== undefined || (rules.keepN ?? 0) > 0;
}

/** The tags of a bulk delete, as far as they are known before it. */
interface Chosen {
  /** The names that may be deleted. */
  selected: ReadonlySet<string>;
  /** How many of them are deleted at most. */
  maxDeleted: number;
  /** The instance decides on some of them, so that fewer may be deleted. */
  isInstances: boolean;
  /** The repository has other tags. */
  keeps: boolean;
}

export function chosenIn(decisions: Decisions, criteria: Criteria): Chosen {
  const names = candidatesIn(decisions).map(({ name }) => name);
  return {
    selected: new Set(names),
    maxDeleted: maxDeletedIn(decisions, criteria),
    isInstances: isInstances(decisions),
    keeps: decisions.length > names.length,
  };
}

/** @returns the tags to be deleted, as confirmed */
async function confirmedTags(
  context: Context,
  criteria: Criteria,
  surveying: Omit<Surveying, "details">,
): Promise<Chosen> {
  const decisions = await survey(context, criteria, { ...surveying, details: "undecided" });
  const problem = undecided(criteria, decisions);
  if (problem !== undefined) throw problem;
  const chosen = chosenIn(decisions, criteria);
  if (chosen.maxDeleted > 0) {
    if (chosen.isInstances && !context.config.yes) context.notice(clockReason(surveying.clock) ?? protectedReason);
    await confirm(context, {
      action: `delete ${chosen.isInstances ? "at most " : ""}${chosen.maxDeleted} of ${decisions.length} tags${chosen.isInstances ? " (the instance decides)" : ""}: ${criteria.words}`,
      typed: criteria.everything ? () => pathOf(context, criteria.at.repository_id) : undefined,
    });
  }
  return chosen;
}

const protectedReason = "rules protect some of these tags; the instance decides which of them it deletes (EITHER)";

function shown(record: object): RecordView {
  return { record, columns: Object.keys(record) };
}

/**
 * Makes the call. A refusal because of the hourly limit is a Failure that says when the next one is allowed.
 *
 * @returns when the next call is allowed
 */
export async function scheduleDeletion(context: Context, criteria: Criteria): Promise<string> {
  try {
    await context.api.call(deleteTagsInBulk, { ...criteria.at, ...criteria.sent });
  } catch (error) {
    throw error instanceof Failure ? await explained(context, criteria, error) : error;
  }
  return rememberCall(context, criteria.at.repository_id);
}

function alternative(criteria: Criteria): string {
  if (criteria.waiting !== undefined) return `forgectl ${criteria.line(criteria.waiting)}`;
  return `deleting tag by tag has no such limit: forgectl ${criteria.line("--via", "tags")}`;
}

/** The API's refusal has no documented form: it is recognized by its text, or by our own record of the last call. */
async function explained(context: Context, criteria: Criteria, error: Failure): Promise<Failure> {
  const { status, reason = "", hint, ...details } = error.details;
  const isOpen = mayHaveBeenMade(error);
  if (status !== 400 && status !== 429) return error;
  const next = await nextAllowed(context, criteria.at.repository_id);
  if (next === undefined && !/once an hour|already been made/i.test(reason)) return error;
  const last = isOpen ? "may be the one whose answer was lost" : "was not made from here";
  const when = next === undefined ? `an hour after the last, which ${last}` : `from ${next}`;
  const asked = status === 429 && hint !== undefined ? `; ${hint}` : "";
  return new Failure(
    criteria.waiting === undefined ? error.exit : "notReady",
    "tags may be deleted in bulk once an hour per repository",
    {
      ...details,
      ...(status !== undefined && { status }),
      code: "once_an_hour",
      reason: `${reason.replace(/\.(?=;|$)/, "")}; the next bulk delete of repository ${criteria.at.repository_id} is allowed ${when}${asked}`,
      // If the call may have been accepted, the tags must be checked first.
      ...(!isOpen && { hint: alternative(criteria) }),
      retryable: !isOpen,
    },
  );
}

/** A bulk delete that was scheduled. */
interface Scheduled extends Chosen {
  /** When the next call is allowed. */
  next: string;
  /** The command that waits again, without the program's name. */
  again: string;
}

/**
 * Waits until the platform has deleted the tags; if some are left that it had to delete, exit 8.
 *
 * @returns how many were deleted
 */
export async function untilDeleted(context: Context, criteria: Criteria, scheduled: Scheduled): Promise<number> {
  const { left, isStalled } = await watch(context, criteria, scheduled);
  const gone = scheduled.selected.size - left;
  if (left > 0 && !(scheduled.isInstances && isEnough(gone, isStalled, scheduled))) {
    throw unfinished(left, isStalled, scheduled);
  }
  return gone;
}

/** Where the instance decides how many it deletes: it has deleted all that it can, or some, and no more. */
function isEnough(gone: number, isStalled: boolean, { maxDeleted }: Scheduled): boolean {
  return gone >= maxDeleted || (gone > 0 && isStalled);
}

interface Watched {
  /** How many of the tags are left. */
  left: number;
  /** The platform has deleted some, and then no more for a while. */
  isStalled: boolean;
}

/** Ends once the platform deletes no more of the tags, or after the timeout. */
async function watch(
  context: Context,
  criteria: Criteria,
  { selected, maxDeleted, isInstances, keeps, again }: Scheduled,
): Promise<Watched> {
  let least = selected.size;
  let changedAt = context.elapsedMs();
  let listedAt = changedAt;
  const check = async () => {
    const names = await namesOf(context, criteria);
    const left = names.filter((name) => selected.has(name)).length;
    const now = context.elapsedMs();
    // A registry that restarts may list nothing: it is believed only if it stays so.
    if (names.length > 0 || !keeps) listedAt = now;
    else if (now - listedAt <= stalledMs) return { progress: "no tag is listed, not even those that stay" };
    const isStalled = least < selected.size && left >= least && now - changedAt > stalledMs;
    if (left === 0 || isStalled || (isInstances && selected.size - left >= maxDeleted))
      return { done: { left, isStalled } };
    if (left < least) [least, changedAt] = [left, now];
    return { progress: `${left} of ${selected.size} tags left` };
  };
  try {
    const label = `deleting tags of repository ${criteria.at.repository_id}`;
    return await waitFor(context, { label, check, resume: again, limitSeconds: criteria.waitSeconds });
  } catch (error) {
    if (error instanceof Failure && error.exit === "notReady") return { left: least, isStalled: false };
    throw error;
  }
}

/** Only a wait in which the platform was still deleting can succeed when it is repeated. */
function unfinished(left: number, isStalled: boolean, { selected, next, again }: Scheduled): Failure {
  const isDeleting = !isStalled && left < selected.size;
  const others = "it may have reached its limit per call, or the tags are protected or immutable";
  const reason = isDeleting
    ? `the platform may still be deleting; or ${others}`
    : isStalled
      ? `the platform has stopped deleting: ${others}`
      : `the platform has deleted none: it may not have begun; or ${others}`;
  return new Failure("notReady", `${left} of ${selected.size} tags still exist`, {
    code: "not_ready",
    reason: `${reason}; the next call is allowed from ${next}`,
    hint: `forgectl ${again}`,
    retryable: isDeleting,
  });
}
