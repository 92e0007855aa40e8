import {
  created_at,
  createEpicNote,
  createIssueNote,
  createMergeRequestNote,
  createSnippetNote,
  internal,
  merge_request_diff_head_sha,
  Posted,
} from "../../api/endpoints/notes.ts";
import { command } from "../../declare/command.ts";
import { parentFlags } from "../posting/parent.ts";
import { post, postFlags } from "../posting/post.ts";
import { postedView } from "./view.ts";

const endpoints = [createIssueNote, createMergeRequestNote, createSnippetNote, createEpicNote] as const;

export const create = command({
  name: "create",
  summary: "Comment on an issue, merge request, snippet, or epic",
  details:
    "A text that is only an emoji, such as :tada:, becomes a reaction instead of a note. A /merge in the text of a " +
    "merge request's note needs --diff-head-sha: nothing is merged that was pushed meanwhile.",
  params: { ...parentFlags(), ...postFlags, internal, created_at, merge_request_diff_head_sha },
  requests: endpoints,
  returns: Posted,
  examples: [
    { line: "notes create --issue 28 -p acme/storefront --body 'Fixed in the next release.'" },
    { line: "notes create --mr 19 -p acme/storefront --body-file report.md" },
    { line: "notes create --epic 104 -g acme --body 'Not before May.' --internal" },
  ],
  undo: {
    line: "notes delete {result.id} -p {project} [--issue {issue_iid}] [--mr {merge_request_iid}] [--snippet {snippet_id}]",
    unless: ["result.awardable_type", "result.commands_changes"],
  },
  related: ["notes update", "notes list", "discussions create"],
  run: async (context, input) => postedView(await post(context, endpoints, input)),
});
