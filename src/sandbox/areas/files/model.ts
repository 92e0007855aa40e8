import type { Timestamp } from "../../store/model.ts";
import { collection, type Row } from "../../store/store.ts";

/** A file in a commit. */
export interface FileEntry {
  /** The content: an id of the store's blobs. */
  readonly blob: string;
  /** The Git blob SHA-1 of the content. */
  readonly sha: string;
  readonly size: number;
  readonly executable: boolean;
}

/** A commit on its parent. Stores only changed files; null marks a removed file. */
export interface Commit extends Row {
  readonly project_id: number;
  readonly sha: string;
  readonly parent: string | null;
  readonly author_name: string;
  readonly author_email: string;
  readonly authored_date: Timestamp;
  readonly committer_name: string;
  readonly committer_email: string;
  readonly committed_date: Timestamp;
  readonly message: string;
  readonly changes: Readonly<Record<string, FileEntry | null>>;
}

/** A branch or a tag. */
export interface Ref extends Row {
  readonly project_id: number;
  readonly kind: "branch" | "tag";
  readonly name: string;
  readonly sha: string;
}

/** Content in large file storage, by its SHA-256. */
interface LargeFile extends Row {
  readonly project_id: number;
  readonly oid: string;
  readonly blob: string;
}

export const commits = collection<Commit>("commits");
export const refs = collection<Ref>("refs");
export const largeFiles = collection<LargeFile>("large_files");
