import {
  getIssueDiscussion,
  getMergeRequestDiscussion,
  getSnippetDiscussion,
  updateIssueDiscussionNote,
  updateMergeRequestDiscussionNote,
  updateSnippetDiscussionNote,
} from "../../api/endpoints/discussions.ts";
import { DiscussionNote, note_id } from "../../api/endpoints/notes.ts";
import { required } from "../../api/field.ts";
import { command } from "../../declare/command.ts";
import { choose } from "../../verbs/choose.ts";
import { noteView } from "../notes/view.ts";
import { parentFlags } from "../posting/parent.ts";
import { post, postFlags } from "../posting/post.ts";
import { noEpics } from "./refused.ts";
import { discussionArgument, projectListings, withWholeId } from "./which.ts";

const present = [getIssueDiscussion, getMergeRequestDiscussion, getSnippetDiscussion] as const;
const endpoints = [updateIssueDiscussionNote, updateMergeRequestDiscussionNote, updateSnippetDiscussionNote] as const;

export const update = command({
  name: "update",
  summary: "Change the text of a note in a discussion of an issue, merge request, or snippet",
  details: "The text given replaces the old one. The editor begins with the text as it is.",
  args: { ...discussionArgument, note_id: required(note_id) },
  params: {
    ...parentFlags(noEpics("notes cannot be changed in discussions of")),
    ...postFlags,
  },
  requests: [...endpoints, ...present, ...projectListings],
  returns: DiscussionNote,
  examples: [
    {
      line: "discussions update 45e1ded38990e86b70bc91ffbf1f90b1d0e47350 300032 --issue 28 -p acme/storefront --body 'Better now.'",
    },
  ],
  related: ["discussions get", "discussions delete", "notes update"],
  async run(context, input) {
    const more = () => withWholeId(context, input);
    const initial = async () => {
      const { notes } = await context.api.call(choose(present, input), await more());
      return notes.find((note) => note.id === input.note_id)?.body ?? "";
    };
    return noteView(await post(context, endpoints, input, { initial, more }));
  },
});
