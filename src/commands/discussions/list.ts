import { Discussion } from "../../api/endpoints/discussions.ts";
import { command } from "../../declare/command.ts";
import { listFlags, windowOf } from "../../declare/list-flags.ts";
import { endpointFor, parentFlags } from "../posting/parent.ts";
import { discussionColumns, passageOf } from "./thread.ts";
import { listings } from "./which.ts";

export const list = command({
  name: "list",
  summary: "List the discussions of an issue, merge request, snippet, or epic",
  details:
    "Threads and single comments, in the order in which they were started. A table reads as a conversation; --fields " +
    "makes columns of it, and in csv and tsv a discussion is a line.",
  params: { ...parentFlags(), ...listFlags },
  requests: listings,
  returns: Discussion,
  examples: [
    { line: "discussions list --issue 28 -p acme/storefront" },
    {
      line: "discussions list --issue 28 -p acme/storefront --jq '.[] | select(.individual_note | not) | .id'",
      note: "the IDs of the threads",
    },
    { line: "discussions list --epic 104 -g acme" },
  ],
  related: ["discussions get", "discussions reply", "notes list"],
  async run(context, input) {
    const rows = context.api.list(endpointFor(listings, input), input, windowOf(input));
    return { rows, columns: discussionColumns, cut: rows.cut, entity: Discussion, passage: passageOf };
  },
});
