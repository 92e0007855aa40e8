import {
  discussion_id,
  getIssueDiscussion,
  getSnippetDiscussion,
  updateIssueDiscussionNote,
  updateSnippetDiscussionNote,
} from "../../api/endpoints/discussions.ts";
import { DiscussionNote, note_id } from "../../api/endpoints/notes.ts";
import { required } from "../../api/field.ts";
import { command } from "../../command/command.ts";
import { endpointFor, parentFlags } from "../../command/parent.ts";
import { post, postFlags } from "../../command/post.ts";
import { noteView } from "../notes/view.ts";
import { noEpics } from "./refused.ts";

const present = [getIssueDiscussion, getSnippetDiscussion] as const;
const endpoints = [updateIssueDiscussionNote, updateSnippetDiscussionNote] as const;

export const update = command({
  name: "update",
  summary: "Change the text of a note in a discussion of an issue or snippet",
  details: "The text given replaces the old one. The editor begins with the text as it is.",
  args: { discussion_id: required(discussion_id), note_id: required(note_id) },
  params: {
    ...parentFlags(noEpics("notes cannot be changed in discussions of")),
    ...postFlags,
  },
  requests: endpoints,
  returns: DiscussionNote,
  examples: [
    {
      line: "discussions update 45e1ded38990e86b70bc91ffbf1f90b1d0e47350 300032 --issue 28 -p acme/storefront --body 'Better now.'",
    },
  ],
  related: ["discussions get", "discussions delete", "notes update"],
  async run(context, input) {
    const initial = async () => {
      const { notes } = await context.api.call(endpointFor(present, input), input);
      return notes.find((note) => note.id === input.note_id)?.body ?? "";
    };
    return noteView(await post(context, endpoints, input, { initial }), DiscussionNote);
  },
});
