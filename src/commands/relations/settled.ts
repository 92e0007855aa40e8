import type { Endpoint } from "../../api/endpoint.ts";
import { listRelationStatuses, type RelationStatus } from "../../api/endpoints/relations.ts";
import type { Row } from "../../api/field.ts";
import { Failure } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import { commandLine } from "../../base/line.ts";
import type { Context } from "../../context.ts";
import { waitFor } from "../../verbs/poll.ts";

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
    entries.push(checked(entry));
  }
  return entries;
}

const texts = ["relation", "updated_at"] as const;

/** Requires the fields that a wait depends on. */
function checked(entry: unknown): Entry {
  const row = isObject(entry) ? entry : {};
  const missing = texts.find((name) => typeof row[name] !== "string") ?? (typeof row.status !== "number" && "status");
  if (!missing) return row as unknown as Entry;
  throw new Failure("refused", "the statuses of the export could not be read", {
    code: "unexpected_answer",
    reason: `a status has no ${missing}`,
  });
}

export function isAfter(time: string, since: string | undefined): boolean {
  return since === undefined || Date.parse(time) > Date.parse(since);
}

interface Settling extends Wanted {
  /** Statuses that are no newer than this belong to an earlier export. */
  since: string | undefined;
  limitSeconds: number;
  resume: string;
}

/** Waits until every relation is finished; fails with the errors of those that failed. */
export async function settled(context: Context, wanted: Settling): Promise<Entry[]> {
  const entries = await ended(context, wanted);
  refuseFailed(wanted.project, entries);
  return entries;
}

/** Waits until no relation is in progress, and returns failed ones too. */
export async function ended(context: Context, wanted: Settling): Promise<Entry[]> {
  const { project, since, limitSeconds, resume } = wanted;
  let before = -1;
  return waitFor(context, {
    label: `exporting relations of project ${project}`,
    limitSeconds,
    resume,
    check: async () => {
      const all = await readStatuses(context, wanted);
      const fresh = all.filter((entry) => isAfter(entry.updated_at, since));
      const done = fresh.length > 0 && fresh.length === all.length && fresh.every((entry) => entry.status !== 0);
      // Instances start relations one by one: if none is in progress, the next one may only not have started yet.
      const steady = done && fresh.length === before;
      before = done ? fresh.length : -1;
      return steady ? { done: fresh } : { progress: progressOf(fresh, all.length) };
    },
  });
}

/** The time of the last change in an earlier export, by the instance's clock: later changes belong to the new one. */
export async function latestChange(context: Context, project: string): Promise<string | undefined> {
  const entries = await readStatuses(context, { project }).catch((error: unknown) => {
    // Nothing was ever exported; if the project does not exist, the next request reports that.
    if (error instanceof Failure && error.details.status === 404) return [];
    throw error;
  });
  const times = entries.map((entry) => entry.updated_at);
  return times.sort((a, b) => Date.parse(a) - Date.parse(b)).at(-1);
}

/** `3 of 12 relations, issues: 2 of 5 batches`. */
function progressOf(entries: readonly Entry[], total: number): string {
  const done = entries.filter((entry) => entry.status !== 0).length;
  const running = entries.find((entry) => entry.status === 0);
  const count = `${done} of ${total} relations`;
  if (running === undefined) return count;
  const batches = (running.batches ?? []).filter((batch) => batch.status !== 0).length;
  const inside = running.batched ? `: ${batches} of ${running.batches_count} batches` : "";
  return `${count}, ${running.relation}${inside}`;
}

function refuseFailed(project: string, entries: readonly Entry[]): void {
  const fields: Record<string, string[]> = {};
  for (const { relation, status, error, batches } of entries) {
    for (const [index, batch] of (batches ?? []).entries()) {
      if (batch.status === -1) fields[`${relation}.${batch.batch_number ?? index + 1}`] = [batch.error ?? "failed"];
    }
    if (status === -1) fields[relation] = [error ?? "failed"];
  }
  const count = Object.keys(fields).length;
  if (count === 0) return;
  const names = new Set(Object.keys(fields).map((name) => name.split(".")[0]));
  throw new Failure("refused", `${names.size} of ${entries.length} relations could not be exported`, {
    code: "export_failed",
    fields,
    hint: `forgectl ${commandLine(["relations", "export", "-p", project, "--wait"])}`,
  });
}
