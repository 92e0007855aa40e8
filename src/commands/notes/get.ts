import {
  getEpicNote,
  getIssueNote,
  getMergeRequestNote,
  getSnippetNote,
  Note,
  note_id,
} from "../../api/endpoints/notes.ts";
import { required } from "../../api/field.ts";
import { command } from "../../declare/command.ts";
import { choose } from "../../verbs/choose.ts";
import { parentFlags } from "../posting/parent.ts";
import { orInThread } from "./in-thread.ts";
import { noteView } from "./view.ts";

const endpoints = [getIssueNote, getMergeRequestNote, getSnippetNote, getEpicNote] as const;

export const get = command({
  name: "get",
  summary: "Get a note, with the whole of its text",
  details: "What is said in threads is not among the notes: see forgectl discussions get.",
  args: { note_id: required(note_id) },
  params: parentFlags(),
  requests: endpoints,
  returns: Note,
  examples: [
    { line: "notes get 300001 --issue 28 -p acme/storefront" },
    { line: "notes get 300001 --issue 28 -p acme/storefront --jq .body", note: "the bare text" },
  ],
  related: ["notes list", "notes update"],
  async run(context, input) {
    try {
      return noteView(await context.api.call(choose(endpoints, input), input));
    } catch (error) {
      throw await orInThread(context, error, input, "get");
    }
  },
});
