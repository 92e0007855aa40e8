import {
  createEpicDiscussion,
  createIssueDiscussion,
  createMergeRequestDiscussion,
  createSnippetDiscussion,
  Discussion,
} from "../../api/endpoints/discussions.ts";
import { created_at } from "../../api/endpoints/notes.ts";
import { command } from "../../declare/command.ts";
import { recordOf } from "../../verbs/shown.ts";
import { parentFlags } from "../posting/parent.ts";
import { post, postFlags } from "../posting/post.ts";
import { discussion } from "./thread.ts";

const endpoints = [
  createIssueDiscussion,
  createMergeRequestDiscussion,
  createSnippetDiscussion,
  createEpicDiscussion,
] as const;

export const create = command({
  name: "create",
  summary: "Start a thread on an issue, merge request, snippet, or epic",
  params: { ...parentFlags(), ...postFlags, created_at },
  requests: endpoints,
  returns: Discussion,
  examples: [
    { line: "discussions create --issue 28 -p acme/storefront --body 'Shall we split this?'" },
    { line: "discussions create --mr 19 -p acme/storefront --body 'Is the space reserved on print too?'" },
    { line: "discussions create --snippet 7001 -p acme/storefront --body-file question.md" },
  ],
  undo: {
    line:
      "discussions delete {result.id} {result.notes.0.id} -p {project} " +
      "[--issue {issue_iid}] [--mr {merge_request_iid}] [--snippet {snippet_id}]",
  },
  related: ["discussions reply", "discussions list", "notes create"],
  run: async (context, input) => recordOf(discussion, await post(context, endpoints, input)),
});
