import {
  deleteIssueDiscussionNote,
  deleteSnippetDiscussionNote,
  discussion_id,
} from "../../api/endpoints/discussions.ts";
import { note_id } from "../../api/endpoints/notes.ts";
import { entity, required, string } from "../../api/field.ts";
import { command } from "../../command/command.ts";
import { confirm } from "../../command/confirm.ts";
import { endpointFor, parentFlags } from "../../command/parent.ts";
import { placeOf } from "../../command/place.ts";
import { noEpics } from "./refused.ts";

const endpoints = [deleteIssueDiscussionNote, deleteSnippetDiscussionNote] as const;

const Deleted = entity("Deleted", { discussion_id, note_id, status: string() });

export const remove = command({
  name: "delete",
  summary: "Delete a note of a discussion of an issue or snippet",
  details: "A discussion goes with its last note.",
  args: { discussion_id: required(discussion_id), note_id: required(note_id) },
  params: parentFlags(noEpics("notes cannot be deleted from discussions of")),
  requests: endpoints,
  returns: Deleted,
  examples: [
    { line: "discussions delete 45e1ded38990e86b70bc91ffbf1f90b1d0e47350 300032 --issue 28 -p acme/storefront" },
  ],
  related: ["discussions get", "notes delete"],
  async run(context, input) {
    const endpoint = endpointFor(endpoints, input);
    await confirm(context, { action: `delete note ${input.note_id}${placeOf(endpoint, input, "note_id")}` });
    await context.api.call(endpoint, input);
    const { discussion_id, note_id } = input;
    return { record: { discussion_id, note_id, status: "deleted" }, entity: Deleted };
  },
});
