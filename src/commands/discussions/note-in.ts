import { Failure } from "../../base/errors.ts";

interface Named {
  discussion_id?: unknown;
  note_id?: unknown;
}

/**
 * Instances change and delete a note of any discussion of the issue, merge request, or snippet, whichever one is named
 * (note-in-any-discussion).
 *
 * @throws Failure if the discussion has no such note; nothing is sent then
 */
export function requireNote(notes: readonly { id?: unknown }[], { discussion_id, note_id }: Named): void {
  if (!notes.some(({ id }) => id === note_id)) throw notThere({ discussion_id, note_id });
}

export function notThere({ discussion_id, note_id }: Named): Failure {
  return new Failure("notFound", `discussion ${discussion_id} has no note ${note_id}`, {
    nothing: "sent",
    hint: "the notes of each discussion: forgectl discussions list",
  });
}
