import type { Timestamp } from "../../store/model.ts";
import { collection, type Row } from "../../store/store.ts";

/** A resource that has notes and discussions; its own endpoints are not part of the documents. */
interface Titled extends Row {
  readonly title: string;
  readonly author_id: number;
  readonly created_at: Timestamp;
}

export interface Issue extends Titled {
  readonly project_id: number;
  readonly iid: number;
  readonly state: "opened" | "closed";
}

export interface MergeRequest extends Titled {
  readonly project_id: number;
  readonly iid: number;
  readonly state: "opened" | "closed" | "merged";
  /** The last commit of its branch. */
  readonly head_sha: string;
}

export interface Snippet extends Titled {
  readonly project_id: number;
}

export interface Epic extends Titled {
  readonly group_id: number;
  readonly iid: number;
}

export type NoteableType = "Issue" | "MergeRequest" | "Snippet" | "Epic";

/** A note of any kind (2-collaboration-identity-api: Note, Discussion). */
export interface Note extends Row {
  readonly noteable_type: NoteableType;
  readonly noteable_id: number;
  /** 40 hexadecimal digits; a single comment has its own discussion. */
  readonly discussion_id: string;
  /** `DiscussionNote` in a thread, null for a single comment. */
  readonly type: "DiscussionNote" | null;
  readonly author_id: number;
  readonly body: string;
  readonly system: boolean;
  readonly internal: boolean;
  /** Null if the note cannot be resolved. */
  readonly resolved: boolean | null;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
}

/** An emoji reaction. */
export interface Reaction extends Row {
  readonly name: string;
  readonly user_id: number;
  readonly awardable_type: NoteableType;
  readonly awardable_id: number;
  readonly created_at: Timestamp;
}

/** A text classified as spam, awaiting the answer to its challenge. */
interface SpamLog extends Row {
  readonly user_id: number;
  readonly text: string;
  readonly created_at: Timestamp;
}

export const issues = collection<Issue>("issues");
export const mergeRequests = collection<MergeRequest>("merge_requests");
export const snippets = collection<Snippet>("snippets");
export const epics = collection<Epic>("epics");
export const notes = collection<Note>("notes");
export const reactions = collection<Reaction>("reactions");
export const spamLogs = collection<SpamLog>("spam_logs");
