import { anyNotes, projectNotes } from "../../api/endpoints/notes.ts";
import type { Command } from "../../declare/command.ts";
import { explaining } from "../../verbs/failure-explanation.ts";
import { get, list } from "../../verbs/verbs.ts";
import { parentFlags, parentInUndo } from "../posting/parent.ts";
import { post } from "../posting/post.ts";
import { remove } from "./delete.ts";
import { explainThreadNote } from "./in-thread.ts";
import { upsert } from "./upsert.ts";
import { changedNote, posted, shownNote } from "./view.ts";

/** A command that explains when a note is not found because it is in a thread. */
function threaded(command: Command, verb: "get" | "update"): Command {
  return explaining(command, (context, error, input) =>
    explainThreadNote(context, error, input as { note_id: number }, verb),
  );
}

/**
 * The text of a note that can be made again: one that is internal, or may be, must not come back as a public one, and
 * one of a thread not as a comment of its own.
 */
function openText(note: object): { open?: unknown } {
  const isAlone = !("type" in note) || note.type === null;
  return isAlone && "internal" in note && note.internal === false && "body" in note ? { open: note.body } : {};
}

export const notes = [
  list(
    "list",
    anyNotes.list,
    // Author, time, whether it is a system or internal note, and the beginning of the text.
    ["id", "author.username", "created_at", "system", "internal", "body"],
    {
      summary: "List the notes of an issue, merge request, snippet, or epic",
      details:
        "A system note, written by the instance about a change, has system: yes. According to the API documents notes in threads " +
        "are not included (see forgectl discussions list); instances include them, with another type than null: " +
        "--jq '.[] | select(.type == null)' leaves them out.",
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
          note: "only notes by users",
        },
      ],
      related: ["notes get", "notes create", "discussions list"],
    },
  ),
  threaded(
    get("get", anyNotes.get, {
      summary: "Get a note with its complete text",
      details: "A note in a thread may not be found: see forgectl discussions get.",
      params: parentFlags(),
      shown: shownNote,
      examples: [
        { line: "notes get 300001 --issue 28 -p acme/storefront" },
        { line: "notes get 300001 --issue 28 -p acme/storefront --jq .body", note: "only the text" },
      ],
      related: ["notes list", "notes update"],
    }),
    "get",
  ),
  post("create", anyNotes.create, {
    summary: "Comment on an issue, merge request, snippet, or epic",
    details:
      "A text that is only an emoji, such as :tada:, becomes a reaction instead of a note. A /merge in the text of a " +
      "merge request's note needs --diff-head-sha, so that a commit pushed meanwhile is not merged.",
    params: parentFlags(),
    shown: posted,
    examples: [
      { line: "notes create --issue 28 -p acme/storefront --body 'Fixed in the next release.'" },
      { line: "notes create --mr 19 -p acme/storefront --body-file report.md" },
      { line: "notes create --epic 104 -g acme --body 'Not before May.' --internal" },
    ],
    undo: {
      line: `notes delete {result.id} ${parentInUndo}`,
      unless: ["result.awardable_type", "result.commands_changes"],
    },
    related: ["notes update", "notes list", "discussions create"],
  }),
  threaded(
    post("update", projectNotes.update, {
      summary: "Change the text of a note",
      details:
        "The given text replaces the old one. The editor opens with the current text, and does not overwrite one that " +
        "another user changes meanwhile (exit 6). A text of only commands, such as /close, deletes the note, and is " +
        "confirmed first. The visibility of a note is " +
        "fixed when it is created: --confidential and --no-confidential are in the API documents, but instances " +
        "refuse them. With them the text of an issue's note may be left out.",
      params: parentFlags({ epic_id: "notes of epics cannot be changed: the API has no request for it" }),
      present: projectNotes.get,
      shown: changedNote(shownNote),
      examples: [
        { line: "notes update 300001 --issue 28 -p acme/storefront --body 'Fixed in 2.4.1.'" },
        { line: "notes update 300001 --issue 28 -p acme/storefront", note: "in the editor" },
      ],
      undo: {
        line: [
          `notes update {result.id} ${parentInUndo} --body={before.body}`,
          `notes create ${parentInUndo} --body={before.open}`,
        ],
        before: projectNotes.get,
        inWords: (before) => ({ ...before, ...openText(before) }),
        unless: ["confidential"],
      },
      related: ["notes get", "notes delete", "discussions update"],
    }),
    "update",
  ),
  upsert,
  remove,
];
