import {
  Discussion,
  getEpicDiscussion,
  getIssueDiscussion,
  getMergeRequestDiscussion,
  getSnippetDiscussion,
} from "../../api/endpoints/discussions.ts";
import { command } from "../../declare/command.ts";
import { choose } from "../../verbs/choose.ts";
import { recordOf } from "../../verbs/shown.ts";
import { parentFlags } from "../posting/parent.ts";
import { discussion } from "./thread.ts";
import { discussionArgument, listings, withWholeId } from "./which.ts";

const endpoints = [getIssueDiscussion, getMergeRequestDiscussion, getSnippetDiscussion, getEpicDiscussion] as const;

export const get = command({
  name: "get",
  summary: "Get a discussion with all of its notes",
  args: discussionArgument,
  params: parentFlags(),
  requests: [...endpoints, ...listings],
  returns: Discussion,
  examples: [
    { line: "discussions get 45e1ded38990e86b70bc91ffbf1f90b1d0e47350 --issue 28 -p acme/storefront" },
    { line: "discussions get 45e1 --issue 28 -p acme/storefront", note: "the same, by the beginning of its ID" },
    {
      line: "discussions get 45e1ded38990e86b70bc91ffbf1f90b1d0e47350 --issue 28 -p acme/storefront --jq '.notes[].author.username'",
    },
  ],
  related: ["discussions list", "discussions reply"],
  async run(context, input) {
    const endpoint = choose(endpoints, input);
    return recordOf(discussion, await context.api.call(endpoint, await withWholeId(context, input)));
  },
});
