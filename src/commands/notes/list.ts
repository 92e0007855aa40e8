import {
  listEpicNotes,
  listIssueNotes,
  listMergeRequestNotes,
  listSnippetNotes,
  Note,
  noteOrder,
} from "../../api/endpoints/notes.ts";
import { command } from "../../command/command.ts";
import { listFlags, windowOf } from "../../command/list-flags.ts";
import { endpointFor, parentFlags } from "../../command/parent.ts";
import { noteColumns } from "./view.ts";

const endpoints = [listIssueNotes, listMergeRequestNotes, listSnippetNotes, listEpicNotes] as const;

export const list = command({
  name: "list",
  summary: "List the notes of an issue, merge request, snippet, or epic",
  details:
    "A system note, written by the instance about a change, has yes under system. What is said in threads is not " +
    "among the notes: see forgectl discussions list.",
  params: { ...parentFlags(), ...noteOrder, ...listFlags },
  requests: endpoints,
  returns: Note,
  examples: [
    { line: "notes list --issue 28 -p acme/storefront" },
    { line: "notes list --mr 19 -p acme/storefront --sort asc --limit all -o ndjson", note: "oldest first, streamed" },
    {
      line: "notes list --epic 104 -g acme --jq '.[] | select(.system | not) | .body'",
      note: "only what people wrote",
    },
  ],
  related: ["notes get", "notes create", "discussions list"],
  async run(context, input) {
    const rows = context.api.list(endpointFor(endpoints, input), input, windowOf(input));
    return { rows, columns: noteColumns, cut: rows.cut, entity: Note };
  },
});
