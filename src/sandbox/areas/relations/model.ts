import type { Timestamp } from "../../store/model.ts";
import { collection, type Row } from "../../store/store.ts";
import type { World } from "../../store/world.ts";

/** The last export of one relation. Its progress is derived from its times, so that a restart keeps it. */
export interface RelationExport extends Row {
  readonly project_id: number;
  readonly relation: string;
  readonly batched: boolean;
  /** Until then it waits for the others; without it, it does not wait. */
  readonly pending_until?: Timestamp;
  readonly started_at: Timestamp;
  readonly ends_at: Timestamp;
  /** The error with which it will fail. */
  readonly error: string | null;
  /** The single file, or the batches. */
  readonly parts: readonly Part[];
}

export interface Part {
  readonly blob_id: string;
  readonly objects_count: number;
  readonly ends_at: Timestamp;
}

export const exports = collection<RelationExport>("relation_exports");

/** An export that a real instance was asked for, and has not begun yet. */
export interface QueuedExport extends Row {
  readonly project_id: number;
  readonly batched: boolean;
  readonly begins_at: Timestamp;
}

export const queued = collection<QueuedExport>("queued_relation_exports");

const PENDING = -2;
const FAILED = -1;
const STARTED = 0;
export const FINISHED = 1;

export function statusOf(world: World, row: RelationExport): number {
  const now = world.timestamp();
  return row.pending_until !== undefined && row.pending_until > now ? PENDING : ended(now, row.ends_at, row.error);
}

function ended(now: Timestamp, endsAt: Timestamp, error: string | null): number {
  if (endsAt > now) return STARTED;
  return error === null ? FINISHED : FAILED;
}

/** When an export or a batch changed: when it ended, or when it was last started. */
export function changedAt(world: World, row: RelationExport, ends: Timestamp = row.ends_at): Timestamp {
  const now = world.timestamp();
  if (ends <= now) return ends;
  return row.pending_until !== undefined && row.pending_until <= now ? row.pending_until : row.started_at;
}

/** An export in the list (1-project-api: Project relations export). */
export function viewExport(world: World, row: RelationExport): Record<string, unknown> {
  const status = statusOf(world, row);
  return {
    relation: row.relation,
    status,
    error: status === FAILED ? row.error : null,
    updated_at: changedAt(world, row),
    batched: row.batched,
    batches_count: row.batched ? row.parts.length : 0,
    ...(world.asDeployed && { total_objects_count: row.parts.reduce((sum, part) => sum + part.objects_count, 0) }),
    ...(row.batched && {
      batches: row.parts.map((part, index) => {
        // The last batch fails.
        const error = index === row.parts.length - 1 ? row.error : null;
        const state = ended(world.timestamp(), part.ends_at, error);
        return {
          status: state,
          batch_number: index + 1,
          objects_count: part.objects_count,
          error: state === FAILED ? error : null,
          updated_at: changedAt(world, row, part.ends_at),
        };
      }),
    }),
  };
}
