import { Failure } from "../../base/errors.ts";
import { commandLine } from "../../base/shell-words.ts";
import { parentWords } from "../notes/in-thread.ts";

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
export function requireNote(notes: readonly { id?: unknown }[], input: Named): void {
  const { discussion_id, note_id } = input;
  if (notes.some(({ id }) => id === note_id)) return;
  throw new Failure("notFound", `discussion ${discussion_id} has no note ${note_id}`, {
    nothing: "sent",
    hint: commandLine(["forgectl", "discussions", "list", ...parentWords(input)]),
  });
}
