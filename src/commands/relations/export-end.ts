import type { RelationStatus } from "../../api/endpoints/relations.ts";
import type { Row } from "../../api/field.ts";

// When an export has ended: instances export relations one by one, and do not say how many there are.

export type Entry = Row<(typeof RelationStatus)["shape"]>;

/** Whether a relation is waiting (-2) or started (0). */
export function isOpen(status: number): boolean {
  return status === 0 || status === -2;
}

/** What the last looks at an export showed. */
export interface Sighting {
  all: readonly Entry[];
  seen: string;
  /** By `elapsedMs`. */
  at: number;
  /** How long the looks have shown the same; what an answer takes, and what is not answered, is not counted. */
  idleMs: number;
  looks: number;
  /** Whether looks differed. */
  hasMoved: boolean;
}

/** The longest pause between two looks. */
const pauseMs = 10_000;

/** The sighting after one more look. */
export function lookedAt(all: readonly Entry[], now: number, last: Sighting | undefined): Sighting {
  const seen = JSON.stringify(all.toSorted((a, b) => (a.relation < b.relation ? -1 : 1)));
  const isSame = seen === last?.seen;
  return {
    ...{ all, seen, at: now },
    idleMs: isSame ? last.idleMs + Math.min(now - last.at, pauseMs) : 0,
    looks: isSame ? last.looks + 1 : 1,
    hasMoved: last !== undefined && (last.hasMoved || !isSame),
  };
}

/** How long an instance uses an export again, with a margin for its clock. */
const reusedMs = 4 * 60_000;
/** How long nothing must change before an export that was not made again is used. */
const reusedPatienceMs = 10_000;
/** How long nothing must change before a first export has ended: no earlier one names its relations. */
const firstPatienceMs = 10_000;
/** How long nothing must change before a relation counts as no longer exported. */
const gonePatienceMs = 60_000;
/** The same while one of current releases is missing or old; one that no release has dropped has failed then. */
const lateMs = 5 * 60_000;

/** Relations of lists, which are in batches if that is requested. */
const lists: ReadonlySet<string> = new Set([
  "boards",
  "ci_pipelines",
  "issues",
  "labels",
  "merge_requests",
  "milestones",
  "protected_branches",
  "releases",
  "snippets",
]);

/** Relations that releases have not dropped since they have them. */
const lasting: ReadonlySet<string> = new Set([...lists, "design", "lfs_objects", "repository", "self", "uploads"]);

/** Relations of current releases in all editions, empty ones too: where one is missing, others may be. */
const usual: readonly string[] = [
  ...lasting,
  "auto_devops",
  "ci_cd_settings",
  "commit_notes",
  "container_expiration_policy",
  "custom_attributes",
  "error_tracking_setting",
  "external_pull_requests",
  "pipeline_schedules",
  "project_badges",
  "project_feature",
  "protected_tags",
  "service_desk_setting",
  // Exported up to half a minute after the others have ended.
  "user_contributions",
];

interface Expected {
  fresh: Entry[];
  /** When the wait began, by the instance's clock. */
  begin: number;
  isFirst: boolean | "unknown";
  batched: boolean;
  /** The relations that may still begin, as in `missingOf`. */
  missing: readonly string[];
}

/** The relations of the export, once nothing more is to be expected of it. */
export function endOf({ all, idleMs, looks, hasMoved }: Sighting, expected: Expected): Entry[] | undefined {
  const { fresh, begin, isFirst, batched, missing } = expected;
  if (all.length === 0 || all.some(({ status }) => isOpen(status))) return undefined;
  const isRecent = (entry: Entry) => isOf(begin, entry);
  const notBegun = lackingOf(missing).map((relation) => lackingEntry(relation, begin));
  // Instances start relations one by one: if none is in progress, the next one may only not have started yet.
  if (fresh.length === all.length) {
    const patienceMs = missing.length > 0 ? lateMs : isFirst === false ? 0 : firstPatienceMs;
    const isOfNow = isFirst === true || hasMoved || all.some(isRecent);
    if (looks < 2 || (isOfNow && idleMs < patienceMs)) return undefined;
    return isOfNow ? [...fresh, ...notBegun] : fresh;
  }
  const isFresh = new Set(fresh);
  const isReused = (entry: Entry) => entry.status === 1 && isRecent(entry) && !isMadeAgain(entry, batched);
  const current = all.filter((entry) => isFresh.has(entry) || isReused(entry));
  if (current.length === all.length) {
    return idleMs < (missing.length > 0 ? lateMs : reusedPatienceMs) ? undefined : [...current, ...notBegun];
  }
  const isCurrent = new Set(current);
  const left = all.filter((entry) => !isCurrent.has(entry));
  const late = left.filter((entry) => lasting.has(entry.relation) || isRecent(entry));
  const mayCome = late.length > 0 || missing.length > 0 || left.some(({ relation }) => usual.includes(relation));
  if (current.length === 0 || idleMs < (mayCome ? lateMs : gonePatienceMs)) return undefined;
  return [...current, ...late.map(notAgain), ...notBegun];
}

/** Whether a status is of the last minutes before a time. */
function isOf(time: number, { updated_at }: Entry): boolean {
  return Math.abs(time - Date.parse(updated_at)) < reusedMs;
}

/** Whether the statuses may be of an export that has not begun all of its relations, though none is in progress. */
export function isUnsettled(all: readonly Entry[], now: number): boolean {
  const recent = all.filter((entry) => isOf(now, entry)).length;
  return recent > 0 && (recent < all.length || missingOf(all).length > 0);
}

/** Instances do not use batches again, nor a relation that was not in batches and now is. */
function isMadeAgain({ relation, batched: was }: Entry, isBatched: boolean): boolean {
  return was === true || (isBatched && lists.has(relation));
}

function lackingEntry(relation: string, time: number): Entry {
  const error = "the instance has not exported it, though every release does";
  return {
    relation,
    status: -1,
    error,
    updated_at: new Date(time).toISOString(),
    batched: false,
    batches_count: 0,
    batches: [],
  };
}

function notAgain(entry: Entry): Entry {
  const again = `the instance has not exported it again: its status is of ${entry.updated_at}`;
  const error = entry.status === -1 ? `${entry.error ?? "failed"}; ${again}` : again;
  return { ...entry, status: -1, batched: false, batches_count: 0, error };
}

/** The usual relations of which there is no status. */
export function missingOf(all: readonly Entry[]): string[] {
  const names = new Set(all.map(({ relation }) => relation));
  return usual.filter((name) => !names.has(name));
}

/** Those of them that no release has dropped. */
function lackingOf(missing: readonly string[]): string[] {
  return missing.filter((name) => lasting.has(name));
}
