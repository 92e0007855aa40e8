import { Note, Posted } from "../../api/endpoints/notes.ts";
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

/** What came of a posted text; each is shown as what it is, and any field of them can be asked for. */
export const posted: Shown<typeof Posted.shape> = {
  entity: Posted,
  view(answer) {
    if ("awardable_type" in answer) {
      return {
        columns: ["id", "name", "awardable_type", "awardable_id", "user.username", "created_at"],
        message: "the text was only an emoji: it became a reaction, and no note was created",
      };
    }
    if ("body" in answer) return { columns: shownNote.columns ?? [] };
    return {
      columns: Object.keys(answer),
      message: "the text was only commands: the instance executed them, and no note was created",
    };
  },
};
