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
/** The same of any export in which a usual relation is missing: its job may wait in the queue. */
const missingPatienceMs = 60_000;
/** How long nothing must change before a relation counts as no longer exported. */
const gonePatienceMs = 60_000;
/** The same of a relation that no release has dropped, which then has failed. */
const lateMs = 5 * 60_000;

/** Relations that releases have not dropped since they have them. */
const lasting: ReadonlySet<string> = new Set([
  "boards",
  "ci_pipelines",
  "design",
  "issues",
  "labels",
  "lfs_objects",
  "merge_requests",
  "milestones",
  "protected_branches",
  "releases",
  "repository",
  "self",
  "snippets",
  "uploads",
]);

/** Relations of current releases in all editions, empty ones too: where one is missing, others may be. */
const usual = [
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

interface Times {
  fresh: Entry[];
  now: number;
  begin: number;
  isFirst: boolean;
  /** The relations that may still begin, as in `missingOf`. */
  missing: readonly string[];
}

/** The relations of the export, once nothing more is to be expected of it. */
export function endOf({ all, unchangedSince, looks, hasMoved }: Sighting, times: Times): Entry[] | undefined {
  const { fresh, now, begin, isFirst, missing } = times;
  if (all.length === 0 || all.some(({ status }) => isOpen(status))) return undefined;
  const idleMs = now - unchangedSince;
  const isRecent = ({ updated_at }: Entry) => Math.abs(begin - Date.parse(updated_at)) < reusedMs;
  // Instances start relations one by one: if none is in progress, the next one may only not have started yet.
  if (fresh.length === all.length) {
    const patienceMs = missing.length > 0 ? missingPatienceMs : isFirst ? firstPatienceMs : 0;
    const mayGrow = (hasMoved || all.some(isRecent)) && idleMs < patienceMs;
    return looks < 2 || mayGrow ? undefined : fresh;
  }
  const isFresh = new Set(fresh);
  const current = all.filter((entry) => isFresh.has(entry) || (entry.status === 1 && isRecent(entry)));
  if (current.length === all.length) {
    return idleMs < (missing.length > 0 ? missingPatienceMs : reusedPatienceMs) ? undefined : current;
  }
  const late = all.filter((entry) => !current.includes(entry) && lasting.has(entry.relation));
  if (current.length === 0 || idleMs < (late.length > 0 ? lateMs : gonePatienceMs)) return undefined;
  return [...current, ...late.map(notAgain)];
}

function notAgain(entry: Entry): Entry {
  const error = `the instance has not exported it again: its status is of ${entry.updated_at}`;
  return { ...entry, status: -1, batched: false, batches_count: 0, error };
}

/** The usual relations of which there is no status. */
export function missingOf(all: readonly Entry[]): string[] {
  const names = new Set(all.map(({ relation }) => relation));
  return usual.filter((name) => !names.has(name));
}

/** Those of them that every release since it exports them has. */
export function lackingOf(missing: readonly string[]): string[] {
  return missing.filter((name) => lasting.has(name));
}
