import { deleteIssueNote, deleteMergeRequestNote, deleteSnippetNote, note_id } from "../../api/endpoints/notes.ts";
import { array, required } from "../../api/field.ts";
import { bulk, distinct } from "../../command/bulk.ts";
import { command } from "../../command/command.ts";
import { confirm } from "../../command/confirm.ts";
import { deletionOf, deletions } from "../../command/deleted.ts";
import { endpointFor, parentFlags } from "../../command/parent.ts";
import { placeOf } from "../../command/place.ts";

const endpoints = [deleteIssueNote, deleteMergeRequestNote, deleteSnippetNote] as const;

const Deleted = deletionOf({ note_id });

export const remove = command({
  name: "delete",
  summary: "Delete notes",
  args: { note_id: required(array(note_id, "Note ID")) },
  params: parentFlags({ epic_id: "notes of epics cannot be deleted: the API has no request for it" }),
  requests: endpoints,
  returns: Deleted,
  examples: [
    { line: "notes delete 300001 --issue 28 -p acme/storefront" },
    { line: "notes delete 300001 300002 --issue 28 -p acme/storefront --yes" },
  ],
  related: ["notes list", "discussions delete"],
  async run(context, { note_id, ...input }) {
    const ids = distinct(note_id);
    const endpoint = endpointFor(endpoints, input);
    const noun = ids.length === 1 ? "note" : "notes";
    await confirm(context, { action: `delete ${noun} ${ids.join(", ")}${placeOf(endpoint, input, "note_id")}` });
    const rows = await bulk(
      context,
      ids,
      async (id) => {
        await context.api.call(endpoint, { ...input, note_id: id });
        return { note_id: id, status: "deleted" };
      },
      (id) => ({ note_id: id }),
    );
    return deletions(Deleted, rows);
  },
});
