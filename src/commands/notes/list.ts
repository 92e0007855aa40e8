import {
  listEpicNotes,
  listIssueNotes,
  listMergeRequestNotes,
  listSnippetNotes,
  Note,
  noteOrder,
} from "../../api/endpoints/notes.ts";
import { oneOf } from "../../api/field.ts";
import { command } from "../../declare/command.ts";
import { listFlags, windowOf } from "../../declare/list-flags.ts";
import { choose } from "../../verbs/choose.ts";
import { parentFlags } from "../posting/parent.ts";
import { noteColumns } from "./view.ts";

const endpoints = [listIssueNotes, listMergeRequestNotes, listSnippetNotes, listEpicNotes] as const;

const filters = { comments: "only_comments", history: "only_activity", all: "all_notes" } as const;

const activity = oneOf(
  ["comments", "history", "all"],
  "What people wrote, what the instance wrote, or both (beyond the API documents: an instance may show both anyway)",
);

export const list = command({
  name: "list",
  summary: "List the notes of an issue, merge request, snippet, or epic",
  details:
    "A system note, written by the instance about a change, has yes under system. What is said in threads is not " +
    "among the notes: see forgectl discussions list.",
  params: { ...parentFlags(), ...noteOrder, activity, ...listFlags },
  requests: endpoints,
  returns: Note,
  examples: [
    { line: "notes list --issue 28 -p acme/storefront" },
    { line: "notes list --mr 19 -p acme/storefront --sort asc --limit all -o ndjson", note: "oldest first, streamed" },
    { line: "notes list --epic 104 -g acme" },
    {
      line: "notes list --mr 19 -p acme/storefront --activity comments --jq .[].body",
      note: "only what people wrote",
    },
  ],
  related: ["notes get", "notes create", "discussions list"],
  async run(context, { activity, ...input }) {
    const filter = activity === undefined ? {} : { activity_filter: filters[activity] };
    const rows = context.api.list(choose(endpoints, input), { ...input, ...filter }, windowOf(input));
    return { rows, columns: noteColumns };
  },
});
