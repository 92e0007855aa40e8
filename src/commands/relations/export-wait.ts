import type { Endpoint } from "../../api/endpoint.ts";
import { listRelationStatuses, RelationStatus } from "../../api/endpoints/relations.ts";
import type { Row } from "../../api/field.ts";
import { rowProblem } from "../../api/shape.ts";
import { Failure } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import type { Context } from "../../context.ts";
import { waitFor } from "../../verbs/poll.ts";
import { refuseFailed } from "./export-failure.ts";

export type Entry = Row<(typeof RelationStatus)["shape"]>;

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
  limitSeconds: number;
  resume: string;
  /** The command that uses the export that exists, if there is one. */
  latest?: string | undefined;
}

/** Whether a relation is waiting (-2) or started (0). */
export function isOpen(status: number): boolean {
  return status === 0 || status === -2;
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
  refuseFailed(wanted.project, entries);
  return entries;
}

/**
 * Waits until no relation is in progress, and returns failed ones too. Instances do not always export every relation
 * again (export-reused): what ended less than three minutes before is used again, and a relation that a
 * release no longer exports keeps its old status.
 */
export async function ended(context: Context, wanted: Settling): Promise<Entry[]> {
  const { project, since, hasEarlier, limitSeconds, resume } = wanted;
  const begin = context.now().getTime();
  let last: Sighting | undefined;
  let sawEarlier = false;
  const check = async () => {
    const all = await readStatuses(context, wanted);
    const now = context.elapsedMs();
    const seen = JSON.stringify(all);
    last = {
      all,
      seen,
      unchangedSince: seen === last?.seen ? last.unchangedSince : now,
      looks: (seen === last?.seen ? last.looks : 0) + 1,
      hasMoved: last !== undefined && (last.hasMoved || seen !== last.seen),
    };
    const fresh = all.filter((entry) => isAfter(entry.updated_at, since));
    sawEarlier ||= fresh.length < all.length;
    const isFirst = since === undefined || (hasEarlier === "unknown" && !sawEarlier);
    const done = endOf(last, { fresh, now, begin, isFirst });
    if (done !== undefined) notice(context, done, { all, fresh });
    return done === undefined ? { progress: progressOf(fresh, all.length) } : { done };
  };
  const label = `exporting relations of project ${project}`;
  return waitFor(context, { label, limitSeconds, resume, check }).catch((error: unknown) => {
    throw last === undefined ? error : withLatest(error, last.all, wanted);
  });
}

interface Sighting {
  all: readonly Entry[];
  seen: string;
  /** By `elapsedMs`: since then every look showed the same. */
  unchangedSince: number;
  looks: number;
  /** Whether looks differed. */
  hasMoved: boolean;
}

/** How long an instance uses an export again, with a margin for its clock. */
const reusedMs = 4 * 60_000;
/** How long nothing must change before an export that was not made again is used. */
const reusedPatienceMs = 10_000;
/** How long nothing must change before a first export has ended: no earlier one names its relations. */
const firstPatienceMs = 10_000;
/** How long nothing must change before a relation counts as no longer exported. */
const gonePatienceMs = 60_000;

interface Times {
  fresh: Entry[];
  now: number;
  begin: number;
  isFirst: boolean;
}

/** The relations of the export, once nothing more is to be expected of it. */
function endOf({ all, unchangedSince, looks, hasMoved }: Sighting, times: Times): Entry[] | undefined {
  const { fresh, now, begin, isFirst } = times;
  if (all.length === 0 || all.some(({ status }) => isOpen(status))) return undefined;
  const idleMs = now - unchangedSince;
  const isRecent = ({ updated_at }: Entry) => Math.abs(begin - Date.parse(updated_at)) < reusedMs;
  // Instances start relations one by one: if none is in progress, the next one may only not have started yet.
  if (fresh.length === all.length) {
    const mayGrow = isFirst && (hasMoved || all.some(isRecent)) && idleMs < firstPatienceMs;
    return looks < 2 || mayGrow ? undefined : fresh;
  }
  const isFresh = new Set(fresh);
  const current = all.filter((entry) => isFresh.has(entry) || (entry.status === 1 && isRecent(entry)));
  if (current.length === all.length) return idleMs >= reusedPatienceMs ? current : undefined;
  return current.length > 0 && idleMs >= gonePatienceMs ? current : undefined;
}

function notice(context: Context, done: readonly Entry[], { all, fresh }: { all: readonly Entry[]; fresh: Entry[] }) {
  const isFresh = new Set(fresh);
  const reused = done.filter((entry) => !isFresh.has(entry));
  if (reused.length > 0) {
    context.notice(
      `${reused.length} of ${all.length} relations were not exported again, since an export of them ended less than ` +
        `three minutes before; that one is used (${reused[0] && context.shownTime(reused[0].updated_at)})`,
    );
  }
  const isDone = new Set(done);
  const gone = all.filter((entry) => !isDone.has(entry));
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
function progressOf(entries: readonly Entry[], total: number): string {
  const done = entries.filter((entry) => !isOpen(entry.status)).length;
  const running = entries.find((entry) => isOpen(entry.status));
  const count = `${done} of ${total} relations`;
  if (running === undefined) return count;
  const batches = (running.batches ?? []).filter((batch) => !isOpen(batch.status)).length;
  const inside = running.batched ? `: ${batches} of ${running.batches_count} batches` : "";
  return `${count}, ${running.relation}${inside}`;
}
