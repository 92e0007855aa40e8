import {
  Discussion,
  discussion_id,
  getEpicDiscussion,
  getIssueDiscussion,
  getSnippetDiscussion,
} from "../../api/endpoints/discussions.ts";
import { required } from "../../api/field.ts";
import { command } from "../../command/command.ts";
import { endpointFor, parentFlags } from "../../command/parent.ts";
import { noMergeRequests } from "./refused.ts";
import { discussionView } from "./thread.ts";

const endpoints = [getIssueDiscussion, getSnippetDiscussion, getEpicDiscussion] as const;

export const get = command({
  name: "get",
  summary: "Get a discussion with all of its notes",
  args: { discussion_id: required(discussion_id) },
  params: parentFlags(noMergeRequests),
  requests: endpoints,
  returns: Discussion,
  examples: [
    { line: "discussions get 45e1ded38990e86b70bc91ffbf1f90b1d0e47350 --issue 28 -p acme/storefront" },
    {
      line: "discussions get 45e1ded38990e86b70bc91ffbf1f90b1d0e47350 --issue 28 -p acme/storefront --jq '.notes[].author.username'",
    },
  ],
  related: ["discussions list", "discussions reply"],
  run: async (context, input) => discussionView(await context.api.call(endpointFor(endpoints, input), input)),
});
