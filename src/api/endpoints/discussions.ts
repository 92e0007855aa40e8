import { endpoint } from "../endpoint.ts";
import { array, boolean, entity, object, required, string } from "../field.ts";
import { body, created_at, DiscussionNote, discussionNoteFields, inPlaceOfNote, note_id } from "./notes.ts";
import { epic_id, epicAccess, issue_iid, merge_request_iid, snippet_id } from "./parents.ts";
import { group, project } from "./scope.ts";

/** A thread, or a single comment that may become one (`2-collaboration-identity-api: Discussion`). */
export const Discussion = entity(
  "Discussion",
  {
    id: required(string("Discussion ID, 40 hexadecimal characters")),
    individual_note: boolean("A single comment, not a thread"),
    notes: required(array(object(discussionNoteFields))),
  },
  { proof: ["notes", ...inPlaceOfNote] },
);

/** The documents call it an integer in one place, but answers contain a string. */
export const discussion_id = string("Discussion ID", {
  pattern: { test: /^[0-9a-f]{40}$/i, words: "40 hexadecimal characters" },
});

const onIssue = { project, issue_iid };
const onMergeRequest = { project, merge_request_iid };
const onSnippet = { project, snippet_id };
const onEpic = { group, epic_id };
const added = { discussion_id, body, note_id: required(note_id), created_at };

export const listIssueDiscussions = endpoint({
  route: "GET /projects/:project/issues/:issue_iid/discussions",
  summary: "List an issue's discussions",
  params: onIssue,
  returns: Discussion,
  page: "offset",
  hidesRows: true,
  access: {},
});

export const getIssueDiscussion = endpoint({
  route: "GET /projects/:project/issues/:issue_iid/discussions/:discussion_id",
  summary: "Get an issue's discussion",
  params: { ...onIssue, discussion_id },
  returns: Discussion,
  access: {},
});

export const createIssueDiscussion = endpoint({
  route: "POST /projects/:project/issues/:issue_iid/discussions",
  summary: "Start a thread on an issue",
  params: { ...onIssue, body, created_at },
  returns: Discussion,
  access: {},
});

export const addIssueDiscussionNote = endpoint({
  route: "POST /projects/:project/issues/:issue_iid/discussions/:discussion_id/notes",
  summary: "Reply in an issue's discussion",
  params: { ...onIssue, ...added },
  returns: DiscussionNote,
  access: {},
});

export const updateIssueDiscussionNote = endpoint({
  route: "PUT /projects/:project/issues/:issue_iid/discussions/:discussion_id/notes/:note_id",
  summary: "Change a note of an issue's discussion",
  params: { ...onIssue, discussion_id, note_id, body },
  returns: DiscussionNote,
  access: {},
});

export const deleteIssueDiscussionNote = endpoint({
  route: "DELETE /projects/:project/issues/:issue_iid/discussions/:discussion_id/notes/:note_id",
  summary: "Delete a note of an issue's discussion",
  params: { ...onIssue, discussion_id, note_id },
  returns: "nothing",
  access: {},
});

// Discussions of merge requests are undocumented.

export const listMergeRequestDiscussions = endpoint({
  route: "GET /projects/:project/merge_requests/:merge_request_iid/discussions",
  summary: "List a merge request's discussions",
  params: onMergeRequest,
  returns: Discussion,
  page: "offset",
  hidesRows: true,
  access: {},
  beyond: true,
});

export const getMergeRequestDiscussion = endpoint({
  route: "GET /projects/:project/merge_requests/:merge_request_iid/discussions/:discussion_id",
  summary: "Get a merge request's discussion",
  params: { ...onMergeRequest, discussion_id },
  returns: Discussion,
  access: {},
  beyond: true,
});

export const createMergeRequestDiscussion = endpoint({
  route: "POST /projects/:project/merge_requests/:merge_request_iid/discussions",
  summary: "Start a thread on a merge request",
  params: { ...onMergeRequest, body, created_at },
  returns: Discussion,
  access: {},
  beyond: true,
});

/** Applies to all notes of a thread. */
export const resolveMergeRequestDiscussion = endpoint({
  route: "PUT /projects/:project/merge_requests/:merge_request_iid/discussions/:discussion_id",
  summary: "Resolve a merge request's discussion, or reopen it",
  directions: {
    by: "resolved",
    on: "Resolve a merge request's discussion",
    off: "Reopen a merge request's discussion",
  },
  params: {
    ...onMergeRequest,
    discussion_id,
    resolved: required(boolean("Resolved, or reopened", { answered: { as: ["notes.resolved"] } })),
  },
  returns: Discussion,
  access: { role: "developer", forbidden: "the comment belongs to no thread that can be resolved" },
  beyond: true,
});

export const addMergeRequestDiscussionNote = endpoint({
  route: "POST /projects/:project/merge_requests/:merge_request_iid/discussions/:discussion_id/notes",
  summary: "Reply in a merge request's discussion",
  params: { ...onMergeRequest, discussion_id, body, created_at },
  returns: DiscussionNote,
  access: {},
  beyond: true,
});

export const updateMergeRequestDiscussionNote = endpoint({
  route: "PUT /projects/:project/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id",
  summary: "Change a note of a merge request's discussion",
  params: { ...onMergeRequest, discussion_id, note_id, body },
  returns: DiscussionNote,
  access: {},
  beyond: true,
});

export const deleteMergeRequestDiscussionNote = endpoint({
  route: "DELETE /projects/:project/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id",
  summary: "Delete a note of a merge request's discussion",
  params: { ...onMergeRequest, discussion_id, note_id },
  returns: "nothing",
  access: {},
  beyond: true,
});

export const listSnippetDiscussions = endpoint({
  route: "GET /projects/:project/snippets/:snippet_id/discussions",
  summary: "List a snippet's discussions",
  params: onSnippet,
  returns: Discussion,
  page: "offset",
  hidesRows: true,
  access: {},
});

export const getSnippetDiscussion = endpoint({
  route: "GET /projects/:project/snippets/:snippet_id/discussions/:discussion_id",
  summary: "Get a snippet's discussion",
  params: { ...onSnippet, discussion_id },
  returns: Discussion,
  access: {},
});

export const createSnippetDiscussion = endpoint({
  route: "POST /projects/:project/snippets/:snippet_id/discussions",
  summary: "Start a thread on a snippet",
  params: { ...onSnippet, body, created_at },
  returns: Discussion,
  access: {},
});

export const addSnippetDiscussionNote = endpoint({
  route: "POST /projects/:project/snippets/:snippet_id/discussions/:discussion_id/notes",
  summary: "Reply in a snippet's discussion",
  params: { ...onSnippet, ...added },
  returns: DiscussionNote,
  access: {},
});

export const updateSnippetDiscussionNote = endpoint({
  route: "PUT /projects/:project/snippets/:snippet_id/discussions/:discussion_id/notes/:note_id",
  summary: "Change a note of a snippet's discussion",
  params: { ...onSnippet, discussion_id, note_id, body },
  returns: DiscussionNote,
  access: {},
});

export const deleteSnippetDiscussionNote = endpoint({
  route: "DELETE /projects/:project/snippets/:snippet_id/discussions/:discussion_id/notes/:note_id",
  summary: "Delete a note of a snippet's discussion",
  params: { ...onSnippet, discussion_id, note_id },
  returns: "nothing",
  access: {},
});

export const listEpicDiscussions = endpoint({
  route: "GET /groups/:group/epics/:epic_id/discussions",
  summary: "List an epic's discussions",
  params: onEpic,
  returns: Discussion,
  page: "offset",
  hidesRows: true,
  access: epicAccess,
});

export const getEpicDiscussion = endpoint({
  route: "GET /groups/:group/epics/:epic_id/discussions/:discussion_id",
  summary: "Get an epic's discussion",
  params: { ...onEpic, discussion_id },
  returns: Discussion,
  access: epicAccess,
});

export const createEpicDiscussion = endpoint({
  route: "POST /groups/:group/epics/:epic_id/discussions",
  summary: "Start a thread on an epic",
  params: { ...onEpic, body, created_at },
  returns: Discussion,
  access: epicAccess,
});

/** The same requests for each parent in a project. Discussions of epics can only be read and started. */
export const projectDiscussions = {
  list: [listIssueDiscussions, listMergeRequestDiscussions, listSnippetDiscussions],
  get: [getIssueDiscussion, getMergeRequestDiscussion, getSnippetDiscussion],
  create: [createIssueDiscussion, createMergeRequestDiscussion, createSnippetDiscussion],
  reply: [addIssueDiscussionNote, addMergeRequestDiscussionNote, addSnippetDiscussionNote],
  update: [updateIssueDiscussionNote, updateMergeRequestDiscussionNote, updateSnippetDiscussionNote],
  delete: [deleteIssueDiscussionNote, deleteMergeRequestDiscussionNote, deleteSnippetDiscussionNote],
} as const;

/** Those that every parent has. */
export const anyDiscussions = {
  list: [...projectDiscussions.list, listEpicDiscussions],
  get: [...projectDiscussions.get, getEpicDiscussion],
  create: [...projectDiscussions.create, createEpicDiscussion],
} as const;
