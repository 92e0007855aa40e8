import {
  anyDiscussions,
  getIssueDiscussion,
  getMergeRequestDiscussion,
  getSnippetDiscussion,
  listMergeRequestDiscussions,
  projectDiscussions,
  resolveMergeRequestDiscussion,
} from "../../api/endpoints/discussions.ts";
import { DiscussionNote, note_id } from "../../api/endpoints/notes.ts";

import { get, list, update } from "../../verbs/verbs.ts";
import { changedNote, posted, shownNote } from "../notes/view.ts";
import { parentFlags, parentInUndo } from "../posting/parent.ts";
import { post, postFlags } from "../posting/post.ts";
import { remove } from "./delete.ts";
import { discussionArgument, shortened } from "./discussion-argument.ts";
import { noEpics } from "./epic-refusal.ts";
import { discussion, discussionColumns, noteBefore, resolutionBefore, started } from "./thread.ts";

const resolvable = "only discussions of merge requests can be resolved";

/** Shared by `resolve` and `unresolve`. */
const resolving = {
  details:
    "Applies to all notes of the thread. A single comment cannot be resolved; a reply turns it into a thread. Once no " +
    "thread is open anymore, instances merge a merge request that is set to merge automatically and waited for that.",
  params: {
    ...discussionArgument,
    ...parentFlags({ issue_iid: resolvable, snippet_id: resolvable, epic_id: resolvable }),
  },
  requests: [listMergeRequestDiscussions],
  undo: {
    line: "discussions {before.resolved|resolve|unresolve} {result.id} -p {project} --mr {merge_request_iid}",
    before: getMergeRequestDiscussion,
    inWords: resolutionBefore,
  },
  shortened,
  shown: discussion,
  related: ["discussions get", "discussions reply"],
};

export const discussions = [
  list("list", anyDiscussions.list, discussionColumns, {
    summary: "List the discussions of an issue, merge request, snippet, or epic",
    details:
      "Threads and single comments, in the order in which they were started. A table reads as a conversation; --fields " +
      "selects columns instead, and in csv and tsv a discussion is one line.",
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
  }),
  get("get", anyDiscussions.get, {
    summary: "Get a discussion with all of its notes",
    params: { ...discussionArgument, ...parentFlags() },
    requests: anyDiscussions.list,
    shortened,
    shown: discussion,
    examples: [
      { line: "discussions get 45e1ded38990e86b70bc91ffbf1f90b1d0e47350 --issue 28 -p acme/storefront" },
      { line: "discussions get 45e1 --issue 28 -p acme/storefront", note: "the same, by a prefix of its ID" },
      {
        line: "discussions get 45e1ded38990e86b70bc91ffbf1f90b1d0e47350 --issue 28 -p acme/storefront --jq '.notes[].author.username'",
      },
    ],
    related: ["discussions list", "discussions reply"],
  }),
  post("create", anyDiscussions.create, {
    summary: "Start a thread on an issue, merge request, snippet, or epic",
    params: parentFlags(),
    shown: started,
    examples: [
      { line: "discussions create --issue 28 -p acme/storefront --body 'Shall we split this?'" },
      { line: "discussions create --mr 19 -p acme/storefront --body 'Is the space reserved on print too?'" },
      { line: "discussions create --snippet 7001 -p acme/storefront --body-file question.md" },
    ],
    undo: { line: `discussions delete {result.id} {result.notes.0.id} ${parentInUndo}` },
    related: ["discussions reply", "discussions list", "notes create"],
  }),
  post("reply", projectDiscussions.reply, {
    summary: "Reply in a discussion of an issue, merge request, or snippet",
    details: "A reply to a single comment turns it into a thread.",
    params: {
      ...discussionArgument,
      ...parentFlags(noEpics("replies are not possible in discussions of")),
      ...postFlags,
      note_id: {
        ...note_id,
        description: "Note to reply to (issues and snippets); default the discussion's first",
      },
    },
    requests: [getIssueDiscussion, getSnippetDiscussion, ...projectDiscussions.list],
    shortened,
    present: projectDiscussions.get,
    shown: posted,
    examples: [
      {
        line: "discussions reply 45e1ded38990e86b70bc91ffbf1f90b1d0e47350 --issue 28 -p acme/storefront --body 'Agreed.'",
      },
    ],
    undo: {
      line: `discussions delete {discussion_id} {result.id} ${parentInUndo}`,
      before: projectDiscussions.get,
      // A comment that became a thread by a reply remains one.
      inWords: (before) => ("individual_note" in before && before.individual_note === false ? before : undefined),
      unless: ["result.awardable_type", "result.commands_changes"],
    },
    related: ["discussions get", "discussions create"],
  }),
  post("update", projectDiscussions.update, {
    summary: "Change the text of a note in a discussion of an issue, merge request, or snippet",
    details:
      "The given text replaces the old one. The editor opens with the current text, and does not overwrite one that " +
      "another user changes meanwhile (exit 6). A text of only commands, such as /close, deletes the note, and is " +
      "confirmed first.",
    params: { ...discussionArgument, ...parentFlags(noEpics("notes cannot be changed in discussions of")) },
    requests: [...projectDiscussions.get, ...projectDiscussions.list],
    shortened,
    present: projectDiscussions.get,
    shown: changedNote({ ...shownNote, entity: DiscussionNote }),
    examples: [
      {
        line: "discussions update 45e1ded38990e86b70bc91ffbf1f90b1d0e47350 300032 --issue 28 -p acme/storefront --body 'Better now.'",
      },
    ],
    undo: {
      line: `discussions update {discussion_id} {result.id} ${parentInUndo} --body={before.body}`,
      before: projectDiscussions.get,
      inWords: noteBefore,
    },
    related: ["discussions get", "discussions delete", "notes update"],
  }),
  remove,
  update("resolve", resolveMergeRequestDiscussion, {
    ...resolving,
    undo: { ...resolving.undo, but: "a merge request that has merged since stays merged" },
    summary: "Mark a discussion of a merge request as resolved",
    fixed: { resolved: true },
    examples: [{ line: "discussions resolve 9378a9ed --mr 19 -p acme/storefront" }],
  }),
  update("unresolve", resolveMergeRequestDiscussion, {
    ...resolving,
    summary: "Reopen a resolved discussion of a merge request",
    fixed: { resolved: false },
    examples: [{ line: "discussions unresolve 9378a9ed --mr 19 -p acme/storefront" }],
  }),
];
