import { getEpicNote, getIssueNote, getMergeRequestNote, getSnippetNote } from "../../api/endpoints/notes.ts";
import { explaining } from "../../verbs/explaining.ts";
import { get as getVerb } from "../../verbs/verbs.ts";
import { parentFlags } from "../posting/parent.ts";
import { orInThread } from "./in-thread.ts";
import { shownNote } from "./view.ts";

export const get = explaining(
  getVerb("get", [getIssueNote, getMergeRequestNote, getSnippetNote, getEpicNote], {
    summary: "Get a note, with the whole of its text",
    details: "What is said in threads is not among the notes: see forgectl discussions get.",
    params: parentFlags(),
    shown: shownNote,
    examples: [
      { line: "notes get 300001 --issue 28 -p acme/storefront" },
      { line: "notes get 300001 --issue 28 -p acme/storefront --jq .body", note: "the bare text" },
    ],
    related: ["notes list", "notes update"],
  }),
  (context, error, input) => orInThread(context, error, input as { note_id: number }, "get"),
);
