import { deleteTagsInBulk } from "../../../api/endpoints/registry.ts";
import { mayHaveBeenMade } from "../../../api/outcome.ts";
import { Failure } from "../../../base/errors.ts";
import type { Context } from "../../../context.ts";
import type { RecordView } from "../../../terminal/view.ts";
import { confirm, refuseUnasked } from "../../../verbs/confirm.ts";
import { waitFor } from "../../../verbs/poll.ts";
import { pathOf } from "../repository.ts";
import { nextAllowed, rememberCall } from "./hourly-limit.ts";
import type { Plan } from "./plan.ts";
import { namesOf, select } from "./survey.ts";
import { undecided } from "./tie.ts";

/** A background job that has started and then deletes nothing for this long is considered finished. */
const stalledMs = 15_000;

/** Lets the platform delete in the background: one call, at most once an hour per repository. */
export async function pruneInBulk(context: Context, plan: Plan): Promise<RecordView> {
  const { repository_id } = plan.at;
  await refuseUnasked(context, { action: `delete ${plan.words}` });
  const selected = mustSelect(context, plan) ? await confirmedTags(context, plan) : undefined;
  if (selected?.size === 0) {
    context.notice("nothing to delete: the rules select no tag");
    return shown({ repository_id, status: "done", deleted: 0, next_allowed_at: null });
  }
  const next = await scheduleDeletion(context, plan);
  if (plan.waiting !== undefined && selected !== undefined) {
    await untilDeleted(context, plan, { selected, next, again: plan.line(plan.waiting) });
    return shown({ repository_id, status: "done", deleted: selected.size, next_allowed_at: next });
  }
  return {
    ...shown({ repository_id, status: "scheduled", next_allowed_at: next }),
    message: `scheduled: the platform deletes in the background; the next bulk delete of this repository is allowed from ${next}`,
  };
}

/** The selected tags must be known for the question, for the wait, and if there may be a tie. */
function mustSelect({ config }: Context, { waiting, rules }: Plan): boolean {
  return !config.yes || waiting !== undefined || (rules.keepN ?? 0) > 0;
}

/** @returns the tags to be deleted, as confirmed */
async function confirmedTags(context: Context, plan: Plan): Promise<ReadonlySet<string>> {
  const { selected, either, total } = await select(context, plan, "instance");
  if (either.length > 0) throw undecided(plan, either);
  if (selected.length > 0) {
    await confirm(context, {
      action: `delete ${selected.length} of ${total} tags: ${plan.words}`,
      typed: plan.everything ? () => pathOf(context, plan.at.repository_id) : undefined,
    });
  }
  return new Set(selected);
}

function shown(record: object): RecordView {
  return { record, columns: Object.keys(record) };
}

/**
 * Makes the call. A refusal because of the hourly limit is a Failure that says when the next one is allowed.
 *
 * @returns when the next call is allowed
 */
export async function scheduleDeletion(context: Context, plan: Plan): Promise<string> {
  try {
    await context.api.call(deleteTagsInBulk, { ...plan.at, ...plan.sent });
  } catch (error) {
    throw error instanceof Failure ? await explained(context, plan, error) : error;
  }
  return rememberCall(context, plan.at.repository_id);
}

function alternative(plan: Plan): string {
  if (plan.waiting !== undefined) return `forgectl ${plan.line(plan.waiting)}`;
  return `deleting tag by tag has no such limit: forgectl ${plan.line("--via", "tags")}`;
}

/** The API's refusal has no documented form: it is recognized by its text, or by our own record of the last call. */
async function explained(context: Context, plan: Plan, error: Failure): Promise<Failure> {
  const { status, reason = "", hint, ...details } = error.details;
  const isOpen = mayHaveBeenMade(error);
  if (status !== 400 && status !== 429) return error;
  const next = await nextAllowed(context, plan.at.repository_id);
  if (next === undefined && !/once an hour|already been made/i.test(reason)) return error;
  const last = isOpen ? "may be the one whose answer was lost" : "was not made from here";
  const when = next === undefined ? `an hour after the last, which ${last}` : `from ${next}`;
  const asked = status === 429 && hint !== undefined ? `; ${hint}` : "";
  return new Failure(
    plan.waiting === undefined ? error.exit : "notReady",
    "tags may be deleted in bulk once an hour per repository",
    {
      ...details,
      ...(status !== undefined && { status }),
      code: "once_an_hour",
      reason: `${reason.replace(/\.(?=;|$)/, "")}; the next bulk delete of repository ${plan.at.repository_id} is allowed ${when}${asked}`,
      // If the call may have been accepted, the tags must be checked first.
      ...(!isOpen && { hint: alternative(plan) }),
      retryable: !isOpen,
    },
  );
}

/** A bulk delete that was scheduled. */
interface Scheduled {
  selected: ReadonlySet<string>;
  /** When the next call is allowed. */
  next: string;
  /** The command that waits again, without the program's name. */
  again: string;
}

/** Waits until the platform has deleted the tags; if some are left, exit 8. */
export async function untilDeleted(context: Context, plan: Plan, scheduled: Scheduled): Promise<void> {
  const left = await watch(context, plan, scheduled);
  if (left > 0) throw unfinished(left, scheduled);
}

/** @returns how many of the tags are left once the platform deletes no more of them, or after the timeout */
async function watch(context: Context, plan: Plan, { selected, again }: Scheduled): Promise<number> {
  let least = selected.size;
  let changedAt = context.now().getTime();
  const check = async () => {
    const left = (await namesOf(context, plan)).filter((name) => selected.has(name)).length;
    const now = context.now().getTime();
    const progressed = least < selected.size;
    if (left === 0 || (progressed && left >= least && now - changedAt > stalledMs)) return { done: left };
    if (left < least) [least, changedAt] = [left, now];
    return { progress: `${left} of ${selected.size} tags left` };
  };
  try {
    const label = `deleting tags of repository ${plan.at.repository_id}`;
    return await waitFor(context, { label, check, resume: again, limitSeconds: plan.waitSeconds });
  } catch (error) {
    if (error instanceof Failure && error.exit === "notReady") return least;
    throw error;
  }
}

function unfinished(left: number, { selected, next, again }: Scheduled): Failure {
  return new Failure("notReady", `${left} of ${selected.size} tags still exist`, {
    code: "not_ready",
    reason: `the platform may still be deleting, or may have reached its limit per call; the next call is allowed from ${next}`,
    hint: `forgectl ${again}`,
    retryable: true,
  });
}
