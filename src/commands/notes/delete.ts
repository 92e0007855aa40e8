import type { Api } from "../../api/api.ts";
import { note_id, projectNotes } from "../../api/endpoints/notes.ts";
import { array, required } from "../../api/field.ts";
import { mayHaveBeenMade } from "../../api/outcome.ts";
import { Failure } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { bulk, distinct } from "../../jobs/bulk.ts";
import { choose } from "../../verbs/choose.ts";
import { asks, confirmSeen } from "../../verbs/confirm.ts";
import { deletionOf, deletions } from "../../verbs/deletion-view.ts";
import { seenDeletedOrVerified } from "../../verbs/lost-answer-check.ts";
import { placeOf } from "../../verbs/place.ts";
import { parentFlags } from "../posting/parent.ts";
import { explainThreadNote } from "./in-thread.ts";
import { shortNote } from "./note-label.ts";

const { delete: endpoints, get: present } = projectNotes;

const Deleted = deletionOf({ note_id });

export const remove = command({
  name: "delete",
  summary: "Delete notes",
  args: { note_id: required(array(note_id, "Note ID")) },
  params: parentFlags({ epic_id: "notes of epics cannot be deleted: the API has no request for it" }),
  requests: [...endpoints, ...present],
  returns: Deleted,
  prints: "rows",
  examples: [
    { line: "notes delete 300001 --issue 28 -p acme/storefront" },
    { line: "notes delete 300001 300002 --issue 28 -p acme/storefront --yes" },
  ],
  related: ["notes list", "discussions delete"],
  async run(context, { note_id, ...input }) {
    const ids = distinct(note_id);
    const endpoint = choose(endpoints, input);
    const what = `${ids.length === 1 ? "note" : "notes"} ${ids.join(", ")}`;
    const look = () => Promise.all(ids.map((id) => nameNote(context, { ...input, note_id: id })));
    const seen = asks(context) ? await look() : [what];
    const question = { action: `delete ${seen.join("; ")}${placeOf(endpoint, input, "note_id")}` };
    await confirmSeen(context, question, { seen, look, what });
    const rows = await bulk(
      context,
      ids,
      async (id) => {
        const item = { ...input, note_id: id };
        const deletion = () =>
          context.api.call(endpoint, item).catch(async (error: unknown) => {
            throw mayHaveBeenMade(error) ? error : await explainThreadNote(context, error, item, "delete");
          });
        const show = (api: Api) => api.call(choose(present, item), item);
        await seenDeletedOrVerified(context, deletion, show, `note ${id}`);
        return { note_id: id, status: "deleted" };
      },
      (id) => ({ note_id: id }),
    );
    return deletions(Deleted, rows);
  },
});

/** The note as the question names it. A note that cannot be read is reported by the deletion. */
async function nameNote(context: Context, input: { note_id: number }): Promise<string> {
  try {
    return shortNote(await context.api.call(choose(present, input), input));
  } catch (error) {
    if (error instanceof Failure && error.exit !== "interrupted") return `note ${input.note_id}`;
    throw error;
  }
}
