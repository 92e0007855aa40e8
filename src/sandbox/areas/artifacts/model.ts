import type { Timestamp } from "../../store/model.ts";
import { collection, type Row } from "../../store/store.ts";

type Status = "success" | "failed" | "running" | "canceled";

export interface Pipeline extends Row {
  readonly project_id: number;
  readonly ref: string;
  readonly tag: boolean;
  readonly sha: string;
  readonly status: Status;
  readonly created_at: Timestamp;
  /** The parent of a child pipeline. */
  readonly parent_id: number | null;
}

export interface Job extends Row {
  readonly project_id: number;
  readonly pipeline_id: number;
  readonly name: string;
  readonly stage: string;
  readonly status: Status;
  readonly allow_failure: boolean;
  readonly failure_reason: string | null;
  readonly created_at: Timestamp;
  readonly started_at: Timestamp | null;
  readonly finished_at: Timestamp | null;
  /** Seconds. */
  readonly duration: number | null;
  readonly coverage: number | null;
  readonly user_id: number;
  readonly artifacts: Artifacts | null;
}

export interface Artifacts {
  readonly files: readonly ArtifactFile[];
  /** When they last changed. */
  readonly updated_at: Timestamp;
  /** Null: they do not expire. */
  readonly expire_at: Timestamp | null;
  /** Marked to be kept. */
  readonly kept: boolean;
  /** When the cleanup deletes them, if that is scheduled. */
  readonly gone_at: Timestamp | null;
  /** The zip archive, after the first request for it: an id of the store's blobs. */
  readonly archive: string | null;
}

interface ArtifactFile {
  readonly path: string;
  /** An id of the store's blobs. */
  readonly blob: string;
  readonly executable: boolean;
}

export const pipelines = collection<Pipeline>("pipelines");
export const jobs = collection<Job>("jobs");
