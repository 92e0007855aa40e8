import { ownValue } from "../../base/own-value.ts";
import { endpoint } from "../endpoint.ts";
import {
  boolean,
  entity,
  type Fields,
  id,
  integer,
  json,
  nullable,
  object,
  oneOf,
  required,
  string,
  timestamp,
} from "../field.ts";
import { epic_id, epicAccess, issue_iid, merge_request_iid, snippet_id } from "./parents.ts";
import { group, project } from "./scope.ts";

const author = object({
  id: id(),
  username: string(),
  email: string(),
  name: string(),
  state: string(),
  created_at: timestamp(),
});

const noteId = id("Note ID");
const noteBody = string("Text, in Markdown");
const noteFields = {
  id: required(noteId),
  body: required(noteBody),
  attachment: nullable(json()),
  author,
  created_at: timestamp(),
  updated_at: timestamp(),
  system: boolean("Written by the instance about a change"),
  noteable_id: integer("ID of its parent"),
  noteable_type: string("Issue, MergeRequest, Epic, or Snippet"),
  project_id: nullable(integer()),
  noteable_iid: nullable(integer()),
  resolvable: boolean(),
  resolved: boolean("Only if it can be resolved", { sometimes: true }),
  confidential: boolean("Deprecated: the same as internal"),
  internal: boolean("Visible only to Reporters and higher roles"),
  imported: boolean("Not on merge requests", { sometimes: true }),
  imported_from: string("none when it was not imported"),
} satisfies Fields;

/** What an answer has in place of a note, if the text was only commands, or an emoji. */
export const inPlaceOfNote = ["commands_changes", "awardable_type"];

/** A comment (`2-collaboration-identity-api: Note`). */
export const Note = entity("Note", noteFields, { proof: ["body", ...inPlaceOfNote] });

/** The fields of a note in a discussion (`2-collaboration-identity-api: Discussion`). */
export const discussionNoteFields = {
  ...noteFields,
  type: nullable(string("DiscussionNote in a thread, null for a single comment")),
};

/** A note as part of a discussion. */
export const DiscussionNote = entity("DiscussionNote", discussionNoteFields, { proof: ["body", ...inPlaceOfNote] });

/**
 * The possible results of a posted text. One that is only an emoji becomes a reaction
 * (`2-collaboration-identity-api: Notes`, rules), and one that consists of commands returns only their effects.
 */
export const Posted = entity(
  "Note",
  {
    ...discussionNoteFields,
    id: noteId,
    body: noteBody,
    name: string("Name of the emoji of a reaction"),
    user: json("Author of the reaction"),
    awardable_id: integer("ID of the item with the reaction"),
    awardable_type: string("Issue, MergeRequest, Epic, or Snippet"),
    commands_changes: json("Changes made by commands in the text"),
    summary: json("Summary of these changes"),
  },
  { proof: ["body", ...inPlaceOfNote] },
);

const noteOrder = {
  sort: oneOf(["asc", "desc"], "Sort direction; newest first unless asc"),
  order_by: oneOf(["created_at", "updated_at"], "Sort by this time; default created_at"),
};

const activities: Readonly<Record<string, string>> = {
  comments: "only_comments",
  history: "only_activity",
  all: "all_notes",
};

/** Not in the API documents. */
const activity_filter = oneOf(
  ["comments", "history", "all"],
  "Notes by users, by the instance, or both (undocumented: an instance may show both anyway)",
  { flag: "activity", sent: (word) => ownValue(activities, String(word)) ?? word },
);

export const note_id = id("Note ID");
/** At most 1,000,000 characters (`2-collaboration-identity-api: Limits`). */
const text = string("Text, in Markdown", { answered: "never" });
export const body = required(text);
/**
 * Deprecated by the documents, and the only way to change the visibility of a note
 * (`2-collaboration-identity-api: Notes`); instances refuse it (note-visibility-fixed).
 */
const confidential = boolean(
  "Visible only to Reporters and higher roles, or to all; issues and merge requests (deprecated: instances refuse it)",
  { negatable: true, answered: { as: ["confidential", "internal"] } },
);
export const created_at = timestamp("Backdate it to this time, after 1970-01-01 (only administrators and owners)", {
  // Of a discussion, it is that of its first note.
  answered: { as: ["created_at", "notes.0.created_at"] },
});
const internal = boolean("Visible only to Reporters and higher roles; issues and epics", {
  answered: { as: ["internal", "confidential"] },
});
const merge_request_diff_head_sha = string("Head commit that a /merge in the text applies to", {
  flag: "diff-head-sha",
  placeholder: "sha",
  pattern: { test: /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i, words: "a full commit SHA" },
});

const onIssue = { project, issue_iid };
const onMergeRequest = { project, merge_request_iid };
const onSnippet = { project, snippet_id };
const onEpic = { group, epic_id };

export const listIssueNotes = endpoint({
  route: "GET /projects/:project/issues/:issue_iid/notes",
  summary: "List an issue's notes",
  params: { ...onIssue, ...noteOrder, activity_filter },
  returns: Note,
  page: "offset",
  hidesRows: true,
  access: {},
});

export const getIssueNote = endpoint({
  route: "GET /projects/:project/issues/:issue_iid/notes/:note_id",
  summary: "Get an issue's note",
  params: { ...onIssue, note_id },
  returns: Note,
  access: {},
});

/** Releases before 15.5 know `internal` only under its old name (note-internal-renamed). */
const oldInternal: typeof internal = {
  ...internal,
  answered: "never",
  refused: "--internal means the same",
};

export const createIssueNote = endpoint({
  route: "POST /projects/:project/issues/:issue_iid/notes",
  summary: "Comment on an issue",
  params: { ...onIssue, body, internal, confidential: oldInternal, created_at },
  returns: Note,
  access: {},
});

export const updateIssueNote = endpoint({
  route: "PUT /projects/:project/issues/:issue_iid/notes/:note_id",
  summary: "Change an issue's note",
  params: { ...onIssue, note_id, body: text, confidential },
  returns: Note,
  access: {},
});

export const deleteIssueNote = endpoint({
  route: "DELETE /projects/:project/issues/:issue_iid/notes/:note_id",
  summary: "Delete an issue's note",
  params: { ...onIssue, note_id },
  returns: "nothing",
  access: {},
});

export const listMergeRequestNotes = endpoint({
  route: "GET /projects/:project/merge_requests/:merge_request_iid/notes",
  summary: "List a merge request's notes",
  params: { ...onMergeRequest, ...noteOrder, activity_filter },
  returns: Note,
  page: "offset",
  hidesRows: true,
  access: {},
});

export const getMergeRequestNote = endpoint({
  route: "GET /projects/:project/merge_requests/:merge_request_iid/notes/:note_id",
  summary: "Get a merge request's note",
  params: { ...onMergeRequest, note_id },
  returns: Note,
  access: {},
});

export const createMergeRequestNote = endpoint({
  route: "POST /projects/:project/merge_requests/:merge_request_iid/notes",
  summary: "Comment on a merge request",
  params: { ...onMergeRequest, body, created_at, merge_request_diff_head_sha },
  returns: Note,
  access: {},
});

export const updateMergeRequestNote = endpoint({
  route: "PUT /projects/:project/merge_requests/:merge_request_iid/notes/:note_id",
  summary: "Change a merge request's note",
  params: { ...onMergeRequest, note_id, body, confidential },
  returns: Note,
  access: {},
});

export const deleteMergeRequestNote = endpoint({
  route: "DELETE /projects/:project/merge_requests/:merge_request_iid/notes/:note_id",
  summary: "Delete a merge request's note",
  params: { ...onMergeRequest, note_id },
  returns: "nothing",
  access: {},
});

export const listSnippetNotes = endpoint({
  route: "GET /projects/:project/snippets/:snippet_id/notes",
  summary: "List a snippet's notes",
  params: { ...onSnippet, ...noteOrder, activity_filter },
  returns: Note,
  page: "offset",
  hidesRows: true,
  access: {},
});

export const getSnippetNote = endpoint({
  route: "GET /projects/:project/snippets/:snippet_id/notes/:note_id",
  summary: "Get a snippet's note",
  params: { ...onSnippet, note_id },
  returns: Note,
  access: {},
});

export const createSnippetNote = endpoint({
  route: "POST /projects/:project/snippets/:snippet_id/notes",
  summary: "Comment on a snippet",
  params: { ...onSnippet, body, created_at },
  returns: Note,
  access: {},
});

export const updateSnippetNote = endpoint({
  route: "PUT /projects/:project/snippets/:snippet_id/notes/:note_id",
  summary: "Change a snippet's note",
  params: { ...onSnippet, note_id, body },
  returns: Note,
  access: {},
});

export const deleteSnippetNote = endpoint({
  route: "DELETE /projects/:project/snippets/:snippet_id/notes/:note_id",
  summary: "Delete a snippet's note",
  params: { ...onSnippet, note_id },
  returns: "nothing",
  access: {},
});

export const listEpicNotes = endpoint({
  route: "GET /groups/:group/epics/:epic_id/notes",
  summary: "List an epic's notes",
  params: { ...onEpic, ...noteOrder, activity_filter },
  returns: Note,
  page: "offset",
  hidesRows: true,
  access: epicAccess,
});

export const getEpicNote = endpoint({
  route: "GET /groups/:group/epics/:epic_id/notes/:note_id",
  summary: "Get an epic's note",
  params: { ...onEpic, note_id },
  returns: Note,
  access: epicAccess,
});

export const createEpicNote = endpoint({
  route: "POST /groups/:group/epics/:epic_id/notes",
  summary: "Comment on an epic",
  params: { ...onEpic, body, internal, confidential: oldInternal },
  returns: Note,
  access: epicAccess,
});

/** The same requests for each parent in a project. Notes of epics cannot be changed: the API has no request for it. */
export const projectNotes = {
  list: [listIssueNotes, listMergeRequestNotes, listSnippetNotes],
  get: [getIssueNote, getMergeRequestNote, getSnippetNote],
  create: [createIssueNote, createMergeRequestNote, createSnippetNote],
  update: [updateIssueNote, updateMergeRequestNote, updateSnippetNote],
  delete: [deleteIssueNote, deleteMergeRequestNote, deleteSnippetNote],
} as const;

/** Those that every parent has. */
export const anyNotes = {
  list: [...projectNotes.list, listEpicNotes],
  get: [...projectNotes.get, getEpicNote],
  create: [...projectNotes.create, createEpicNote],
} as const;
