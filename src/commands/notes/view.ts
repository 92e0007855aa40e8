import { Note, Posted } from "../../api/endpoints/notes.ts";
import type { Fields } from "../../api/field.ts";
import { isObject } from "../../base/is-object.ts";
import type { ResourceView } from "../../verbs/resource-view.ts";

/** A note with its complete text. */
export const shownNote: ResourceView<typeof Note.shape> = {
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

/** A note that was changed, or deleted, since its new text was only commands (commands-delete-note). */
export function changedNote<S extends Fields>({ entity, columns = [] }: ResourceView<S>): ResourceView<S> {
  return {
    entity,
    view: (answer) =>
      "body" in answer
        ? { columns }
        : {
            columns: Object.keys(answer),
            message: saidOf(answer, "deleted the note"),
          },
  };
}

/**
 * The result of a posted text: a note, a reaction, or the effects of commands; `--fields` accepts the fields of all.
 */
export const posted: ResourceView<typeof Posted.shape> = {
  entity: Posted,
  view(answer) {
    if ("awardable_type" in answer) {
      return {
        columns: ["id", "name", "awardable_type", "awardable_id", "user.username", "created_at"],
        message: "the text was only an emoji: it became a reaction, and no note was created",
      };
    }
    return isNote(answer) ? { columns: shownNote.columns ?? [] } : onlyCommands(answer);
  },
};

/** Older releases answer a reply of commands with a note that has no ID. */
function isNote(answer: object): boolean {
  return "body" in answer && !("id" in answer && answer.id === null);
}

/** What is shown of a text that was only commands. */
export function onlyCommands(answer: object) {
  return {
    columns: "body" in answer ? ["commands_changes"] : Object.keys(answer),
    message: saidOf(answer, "no note was created"),
  };
}

/** Some commands change no field of the item: `summary` has what the instance says of them. */
function saidOf(answer: object, end: string): string {
  const changes = "commands_changes" in answer && isObject(answer.commands_changes) ? answer.commands_changes : {};
  const isShown = Object.keys(changes).length > 0;
  return `the text was only commands: the instance ${isShown ? "executed them" : "answered as in summary"}, and ${end}`;
}
