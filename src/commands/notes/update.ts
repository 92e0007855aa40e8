import {
  getIssueNote,
  getMergeRequestNote,
  getSnippetNote,
  Note,
  note_id,
  updateIssueNote,
  updateMergeRequestNote,
  updateSnippetNote,
} from "../../api/endpoints/notes.ts";
import { required } from "../../api/field.ts";
import { command } from "../../command/command.ts";
import { endpointFor, parentFlags } from "../../command/parent.ts";
import { post, postFlags } from "../../command/post.ts";
import { noteView } from "./view.ts";

const present = [getIssueNote, getMergeRequestNote, getSnippetNote] as const;
const endpoints = [updateIssueNote, updateMergeRequestNote, updateSnippetNote] as const;

export const update = command({
  name: "update",
  summary: "Change the text of a note",
  details: "The text given replaces the old one. The editor begins with the text as it is.",
  args: { note_id: required(note_id) },
  params: {
    ...parentFlags({ epic_id: "notes of epics cannot be changed: the API has no request for it" }),
    ...postFlags,
  },
  requests: endpoints,
  returns: Note,
  examples: [
    { line: "notes update 300001 --issue 28 -p acme/storefront --body 'Fixed in 2.4.1.'" },
    { line: "notes update 300001 --issue 28 -p acme/storefront", note: "in the editor" },
  ],
  related: ["notes get", "notes delete", "discussions update"],
  async run(context, input) {
    const initial = async () => (await context.api.call(endpointFor(present, input), input)).body;
    return noteView(await post(context, endpoints, input, { initial }));
  },
});
