import * as notes from "../../../src/api/endpoints/notes.ts";
import { call } from "../call.ts";

const onIssue = { project: "acme/storefront", issue_iid: 28 };
const onMergeRequest = { project: "acme/storefront", merge_request_iid: 19 };
const onSnippet = { project: "acme/storefront", snippet_id: 7001 };
const onEpic = { group: "acme", epic_id: 104 };
const body = "Noted. ✓";
const created_at = "2026-01-31T08:00:00Z";

export const calls = [
  call(notes.listIssueNotes, { ...onIssue, sort: "asc", order_by: "updated_at" }),
  call(notes.getIssueNote, { ...onIssue, note_id: 300_001 }),
  call(notes.createIssueNote, { ...onIssue, body, internal: true, created_at }),
  call(notes.updateIssueNote, { ...onIssue, note_id: 300_001, body }),
  call(notes.deleteIssueNote, { ...onIssue, note_id: 300_001 }),

  call(notes.listMergeRequestNotes, { ...onMergeRequest, sort: "desc" }),
  call(notes.getMergeRequestNote, { ...onMergeRequest, note_id: 300_056 }),
  call(notes.createMergeRequestNote, {
    ...onMergeRequest,
    body,
    created_at,
    merge_request_diff_head_sha: "0".repeat(40),
  }),
  call(notes.updateMergeRequestNote, { ...onMergeRequest, note_id: 300_056, body }),
  call(notes.deleteMergeRequestNote, { ...onMergeRequest, note_id: 300_056 }),

  call(notes.listSnippetNotes, { ...onSnippet, order_by: "created_at" }),
  call(notes.getSnippetNote, { ...onSnippet, note_id: 300_061 }),
  call(notes.createSnippetNote, { ...onSnippet, body, created_at }),
  call(notes.updateSnippetNote, { ...onSnippet, note_id: 300_061, body }),
  call(notes.deleteSnippetNote, { ...onSnippet, note_id: 300_061 }),

  call(notes.listEpicNotes, { ...onEpic, sort: "asc" }),
  call(notes.getEpicNote, { ...onEpic, note_id: 300_081 }),
  call(notes.createEpicNote, { ...onEpic, body, internal: true }),
];
