import type { Api } from "../../api/api.ts";
import { discussion_id, projectDiscussions } from "../../api/endpoints/discussions.ts";
import { note_id } from "../../api/endpoints/notes.ts";
import { entity, outcome, required } from "../../api/field.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { choose } from "../../verbs/choose.ts";
import { asks, confirmSeen } from "../../verbs/confirm.ts";
import { deletedOrVerified } from "../../verbs/lost-answer-check.ts";
import { placeOf } from "../../verbs/place.ts";
import { withWhole } from "../../verbs/verbs.ts";
import { shortNote } from "../notes/note-label.ts";
import { parentFlags } from "../posting/parent.ts";
import { discussionArgument, shortened } from "./discussion-argument.ts";
import { noEpics } from "./epic-refusal.ts";
import { requireNote } from "./note-in.ts";

const { delete: endpoints, get: present, list: listings } = projectDiscussions;

const Deleted = entity("Deleted", { discussion_id, note_id, status: outcome() });

export const remove = command({
  name: "delete",
  summary: "Delete a note of a discussion of an issue, merge request, or snippet",
  details: "Deleting the last note deletes the discussion.",
  args: { ...discussionArgument, note_id: required(note_id) },
  params: parentFlags(noEpics("notes cannot be deleted from discussions of")),
  requests: [...endpoints, ...present, ...listings],
  returns: Deleted,
  prints: "record",
  examples: [
    { line: "discussions delete 45e1ded38990e86b70bc91ffbf1f90b1d0e47350 300032 --issue 28 -p acme/storefront" },
  ],
  related: ["discussions get", "notes delete"],
  async run(context, given) {
    const endpoint = choose(endpoints, given);
    const input = await withWhole(context, given, shortened);
    const { discussion_id, note_id } = input;
    const what = `note ${note_id}`;
    const look = () => nameNote(context, input);
    const seen = asks(context) ? await look() : what;
    const question = { action: `delete ${seen}${placeOf(endpoint, input, "note_id")}` };
    await confirmSeen(context, question, { seen, look, what });
    const notesOf = async (api: Api) => (await api.call(choose(present, input), input)).notes;
    requireNote(await notesOf(context.api), input);
    const show = async (api: Api) => (await notesOf(api)).find(({ id }) => id === note_id);
    await deletedOrVerified(context, () => context.api.call(endpoint, input), show, what, true);
    return { record: { discussion_id, note_id, status: "deleted" } };
  },
});

/**
 * The note in a few words, and whether its discussion is deleted with it. A missing note is reported by the deletion.
 */
async function nameNote(context: Context, input: { discussion_id: string; note_id: number }): Promise<string> {
  const { notes } = await context.api.call(choose(present, input), input);
  const note = notes.find(({ id }) => id === input.note_id);
  if (note === undefined) return `note ${input.note_id}`;
  return notes.length === 1 ? `${shortNote(note)}, and the discussion with it` : shortNote(note);
}
