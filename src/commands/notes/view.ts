import { Note } from "../../api/endpoints/notes.ts";
import type { RecordView } from "../../terminal/view.ts";
import type { Shown } from "../../verbs/shown.ts";

/** A note, with the whole of its text. */
export const shownNote: Shown<typeof Note.shape> = {
  entity: Note,
  columns: [
    "id",
    "author.name",
    "author.username",
    "created_at",
    "updated_at",
    "noteable_type",
    "noteable_iid",
    "system",
    "internal",
    "resolvable",
    "resolved",
    "body",
  ],
};

/** One note, with the whole of its text. */
export function noteView(note: object): RecordView {
  return { record: note, columns: shownNote.columns ?? [] };
}

/** What came of a posted text; each is shown as what it is, and any field of them can be asked for. */
export function postedView(answer: object): RecordView {
  if ("awardable_type" in answer) {
    return {
      record: answer,
      columns: ["id", "name", "awardable_type", "awardable_id", "user.username", "created_at"],
      message: "the text was only an emoji: it became a reaction, and no note was made",
    };
  }
  if ("body" in answer) return noteView(answer);
  return {
    record: answer,
    columns: Object.keys(answer),
    message: "the text was only commands: the instance took them, and no note was made",
  };
}
