import { listEpicNotes, listIssueNotes, listMergeRequestNotes, listSnippetNotes } from "../../api/endpoints/notes.ts";
import { list as listVerb } from "../../verbs/verbs.ts";
import { parentFlags } from "../posting/parent.ts";

export const list = listVerb(
  "list",
  [listIssueNotes, listMergeRequestNotes, listSnippetNotes, listEpicNotes],
  // Who, when, whether it is a person's and for everybody, and how it begins.
  ["id", "author.username", "created_at", "system", "internal", "body"],
  {
    summary: "List the notes of an issue, merge request, snippet, or epic",
    details:
      "A system note, written by the instance about a change, has yes under system. What is said in threads is not " +
      "among the notes: see forgectl discussions list.",
    params: parentFlags(),
    examples: [
      { line: "notes list --issue 28 -p acme/storefront" },
      {
        line: "notes list --mr 19 -p acme/storefront --sort asc --limit all -o ndjson",
        note: "oldest first, streamed",
      },
      { line: "notes list --epic 104 -g acme" },
      {
        line: "notes list --mr 19 -p acme/storefront --activity comments --jq .[].body",
        note: "only what people wrote",
      },
    ],
    related: ["notes get", "notes create", "discussions list"],
  },
);
