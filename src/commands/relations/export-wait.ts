import type { Endpoint } from "../../api/endpoint.ts";
import { listRelationStatuses, RelationStatus } from "../../api/endpoints/relations.ts";
import { rowProblem } from "../../api/shape.ts";
import { Failure } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { instanceClock } from "../../verbs/instance-clock.ts";
import { waitFor } from "../../verbs/poll.ts";
import { type Entry, endOf, isOpen, lookedAt, missingOf, type Sighting } from "./export-end.ts";
import { refuseFailed } from "./export-failure.ts";

export const columns = ["relation", "status", "batched", "batches_count", "updated_at", "error"] as const;
export const defaultWaitSeconds = 1800;

interface Wanted {
  project: string;
  relation?: string | undefined;
}

/**
 * For one relation, instances answer with an object; according to the documents, with a list (relation-status-object).
 */
const statusOfOne = { ...(listRelationStatuses as object), page: undefined, returns: "json" } as Endpoint<
  { project: string; relation: string },
  unknown
>;

export async function readStatuses(context: Context, { project, relation }: Wanted): Promise<Entry[]> {
  if (relation !== undefined) {
    const answer = await context.api.call(statusOfOne, { project, relation });
    // Older instances ignore the filter, and answer with all of them.
    return [answer]
      .flat()
      .map(checked)
      .filter((entry) => entry.relation === relation);
  }
  const entries: Entry[] = [];
  for await (const entry of context.api.list(listRelationStatuses, { project }, { limit: undefined })) {
    entries.push(entry);
  }
  return entries;
}

/** The answer about one relation has one of two forms, and is looked at here. */
function checked(entry: unknown): Entry {
  const problem = isObject(entry) ? rowProblem(RelationStatus.shape, entry) : "it is not an object";
  if (problem === undefined) return entry as Entry;
  throw new Failure("refused", "the statuses of the export could not be read", {
    code: "unexpected_answer",
    reason: `in a status, ${problem}`,
  });
}

export function isAfter(time: string, since: string | undefined): boolean {
  return since === undefined || Date.parse(time) > Date.parse(since);
}

interface Settling extends Wanted {
  /** Statuses that are no newer than this belong to an earlier export. */
  since: string | undefined;
  /** Whether there is an earlier export, if nothing but the time is known of it: the looks may show it. */
  hasEarlier?: "unknown";
  /** Whether batches were requested. */
  batched?: boolean | undefined;
  limitSeconds: number;
  resume: string;
  /** The command that uses the export that exists, if there is one. */
  latest?: string | undefined;
}

export type Reading = Wanted & Pick<Settling, "limitSeconds" | "resume">;

/** Reads the statuses; during a wait, errors that may be temporary do not end it. */
export async function readPatiently(context: Context, wanted: Reading) {
  return waitFor(context, {
    label: `reading the export of project ${wanted.project}`,
    limitSeconds: wanted.limitSeconds,
    resume: wanted.resume,
    check: async () => ({ done: await readStatuses(context, wanted) }),
  });
}

/** Waits until every relation is finished; fails with the errors of those that failed. */
export async function settled(context: Context, wanted: Settling): Promise<Entry[]> {
  const entries = await ended(context, wanted);
  refuseFailed(wanted, entries);
  return entries;
}

/**
 * Waits until no relation is in progress, and returns failed ones too. Instances do not always export every relation
 * again (export-reused): what ended less than three minutes before is used again, and a relation that a
 * release no longer exports keeps its old status.
 */
export async function ended(context: Context, wanted: Settling): Promise<Entry[]> {
  const { project, relation, since, hasEarlier, batched = false, limitSeconds, resume } = wanted;
  const clock = instanceClock(context);
  let begin: number | undefined;
  let last: Sighting | undefined;
  let sawEarlier = false;
  const check = async () => {
    // One that has not begun yet is not found by its name.
    const read = await readStatuses({ ...context, api: clock.api }, since === undefined ? wanted : { project });
    const all = relation === undefined ? read : read.filter((entry) => entry.relation === relation);
    begin ??= clock.instance().getTime();
    last = lookedAt(all, context.elapsedMs(), last);
    const fresh = all.filter((entry) => isAfter(entry.updated_at, since));
    sawEarlier ||= fresh.length < all.length;
    const isFirst = sawEarlier ? false : (hasEarlier ?? since === undefined);
    const missing = relation === undefined ? missingOf(all) : [];
    const done = endOf(last, { fresh, begin, isFirst, batched, missing });
    if (done !== undefined) notice(context, done, { all, fresh, project, missing });
    return done === undefined ? { progress: progressOf(fresh, all.length, missing) } : { done };
  };
  const label = `exporting relations of project ${project}`;
  return waitFor(context, { label, limitSeconds, resume, check }).catch((error: unknown) => {
    throw last === undefined ? error : withLatest(error, last.all, wanted);
  });
}

interface Ended {
  all: readonly Entry[];
  fresh: Entry[];
  project: string;
  missing: readonly string[];
}

function notice(context: Context, done: readonly Entry[], { all, fresh, project, missing }: Ended) {
  const failed = new Set(done.map(({ relation }) => relation));
  const lacking = missing.filter((name) => !failed.has(name));
  if (lacking.length > 0) {
    context.warn(
      `the instance has not exported ${lacking.join(", ")}, or not yet: ` +
        `forgectl ${commandLine(["relations", "status", "-p", project])}`,
    );
  }
  const isFresh = new Set(fresh);
  const reused = done.filter((entry) => !isFresh.has(entry) && entry.status === 1);
  if (reused.length > 0) {
    context.notice(
      `${reused.length} of ${all.length} relations were not exported again, since an export of them ended less than ` +
        `three minutes before; that one is used (${reused[0] && context.shownTime(reused[0].updated_at)})`,
    );
  }
  const isDone = new Set(done.map(({ relation }) => relation));
  const gone = all.filter(({ relation }) => !isDone.has(relation));
  if (gone.length > 0) {
    const names = gone.map(({ relation, updated_at }) => `${relation} (${context.shownTime(updated_at)})`).join(", ");
    context.notice(`left out, since the instance no longer exports them: ${names}`);
  }
}

/** A wait for an export that the instance did not make: the one that exists can be used. */
function withLatest(error: unknown, all: readonly Entry[], { latest, since }: Settling): unknown {
  const isOld = all.length > 0 && all.every((each) => !isOpen(each.status) && !isAfter(each.updated_at, since));
  if (!(error instanceof Failure) || error.exit !== "notReady" || !isOld) return error;
  const { reason, hint } = error.details;
  return error.with({
    reason: reason ?? "every relation is of an export that ended before; the instance has not begun a new one",
    ...(latest !== undefined && { hint: `${hint}\nforgectl ${latest}   # uses the export that exists` }),
  });
}

/** `3 of 12 relations, issues: 2 of 5 batches`. */
function progressOf(entries: readonly Entry[], total: number, [missing]: readonly string[]): string {
  const done = entries.filter((entry) => !isOpen(entry.status)).length;
  const running = entries.find((entry) => isOpen(entry.status));
  const count = `${done} of ${total} relations`;
  if (running === undefined) return missing === undefined || done < total ? count : `${count}, ${missing} not begun`;
  const batches = (running.batches ?? []).filter((batch) => !isOpen(batch.status)).length;
  const inside = running.batched ? `: ${batches} of ${running.batches_count} batches` : "";
  return `${count}, ${running.relation}${inside}`;
}
