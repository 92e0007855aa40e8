import { createHash } from "node:crypto";
import type { Call } from "../../server/call.ts";
import { notFound } from "../../server/problem.ts";
import { roles } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { type Note, notes } from "./model.ts";
import type { Noteable } from "./noteables.ts";

/** The ID of the discussion that a note starts: 40 hexadecimal digits, the same in every run. */
export function discussionIdOf(noteId: number): string {
  return createHash("sha1").update(`discussion of note ${noteId}`).digest("hex");
}

/** The notes of a resource that the caller may see, oldest first: internal ones require at least Reporter. */
export function visibleNotes(call: Pick<Call, "world" | "level" | "user">, noteable: Noteable): Note[] {
  const { world, level, user } = call;
  return world.store
    .table(notes)
    .where(
      (note) =>
        note.noteable_type === noteable.type &&
        note.noteable_id === noteable.id &&
        (!note.internal || level >= roles.reporter || note.author_id === user?.id),
    )
    .sort((a, b) => (a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : a.id - b.id));
}

/** Notes by discussion, ordered by the first note. */
export function discussionsOf(found: readonly Note[]): Note[][] {
  const threads = new Map<string, Note[]>();
  for (const note of found) threads.set(note.discussion_id, [...(threads.get(note.discussion_id) ?? []), note]);
  return [...threads.values()];
}

/** One discussion's notes; throws the 404. */
export function findDiscussion(found: readonly Note[], id: string): Note[] {
  const thread = found.filter((note) => note.discussion_id === id);
  if (thread.length === 0) throw notFound("Discussion");
  return thread;
}

/** One of the notes; throws the 404. */
export function findNote(found: readonly Note[], id: number): Note {
  const note = found.find((each) => each.id === id);
  if (note === undefined) throw notFound("Note");
  return note;
}

type Draft = Pick<Note, "author_id" | "body"> & Partial<Omit<Note, "id">>;

/** Stores a new note: a single comment unless the draft says otherwise. */
export function addNote(
  world: World,
  { type, id }: Pick<Noteable, "type" | "id">,
  draft: Draft & { id?: number },
): Note {
  const created_at = draft.created_at ?? world.timestamp();
  const table = world.store.table(notes);
  const note = table.insert({
    noteable_type: type,
    noteable_id: id,
    discussion_id: "",
    type: null,
    system: false,
    internal: false,
    resolved: null,
    created_at,
    updated_at: created_at,
    ...draft,
  });
  return draft.discussion_id === undefined ? table.update(note.id, { discussion_id: discussionIdOf(note.id) }) : note;
}
