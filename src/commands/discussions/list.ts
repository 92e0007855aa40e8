import { list as listVerb } from "../../verbs/verbs.ts";
import { parentFlags } from "../posting/parent.ts";
import { discussion, discussionColumns } from "./thread.ts";
import { listings } from "./which.ts";

export const list = listVerb("list", listings, discussionColumns, {
  summary: "List the discussions of an issue, merge request, snippet, or epic",
  details:
    "Threads and single comments, in the order in which they were started. A table reads as a conversation; --fields " +
    "makes columns of it, and in csv and tsv a discussion is a line.",
  params: parentFlags(),
  shown: discussion,
  examples: [
    { line: "discussions list --issue 28 -p acme/storefront" },
    {
      line: "discussions list --issue 28 -p acme/storefront --jq '.[] | select(.individual_note | not) | .id'",
      note: "the IDs of the threads",
    },
    { line: "discussions list --epic 104 -g acme" },
  ],
  related: ["discussions get", "discussions reply", "notes list"],
});
