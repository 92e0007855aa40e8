import * as discussions from "../../../src/api/endpoints/discussions.ts";
import { call } from "../call.ts";

const onIssue = { project: "acme/storefront", issue_iid: 28 };
const onMergeRequest = { project: "acme/storefront", merge_request_iid: 19 };
const onSnippet = { project: "acme/storefront", snippet_id: 7001 };
const onEpic = { group: "acme", epic_id: 104 };
const inIssue = { ...onIssue, discussion_id: "45e1ded38990e86b70bc91ffbf1f90b1d0e47350" };
const inMergeRequest = { ...onMergeRequest, discussion_id: "9378a9ed97b1266e5499edbf127073497476ca09" };
const inSnippet = { ...onSnippet, discussion_id: "8d62b353a2671b1269014e6fdd852641856ff775" };
const inEpic = { ...onEpic, discussion_id: "e1d5d16968c60ea4ff72e9eb1a47362e005d1fab" };
const body = "Noted. ✓";
const created_at = "2026-01-31T08:00:00Z";

export const calls = [
  call(discussions.listIssueDiscussions, onIssue),
  call(discussions.getIssueDiscussion, inIssue),
  call(discussions.createIssueDiscussion, { ...onIssue, body, created_at }),
  call(discussions.addIssueDiscussionNote, { ...inIssue, note_id: 300_031, body, created_at }),
  call(discussions.updateIssueDiscussionNote, { ...inIssue, note_id: 300_031, body }),
  call(discussions.deleteIssueDiscussionNote, { ...inIssue, note_id: 300_031 }),

  call(discussions.listMergeRequestDiscussions, onMergeRequest),
  call(discussions.getMergeRequestDiscussion, inMergeRequest),
  call(discussions.createMergeRequestDiscussion, { ...onMergeRequest, body, created_at }),
  call(discussions.addMergeRequestDiscussionNote, { ...inMergeRequest, body, created_at }),
  call(discussions.resolveMergeRequestDiscussion, { ...inMergeRequest, resolved: true }),
  call(discussions.updateMergeRequestDiscussionNote, { ...inMergeRequest, note_id: 300_057, body }),
  call(discussions.deleteMergeRequestDiscussionNote, { ...inMergeRequest, note_id: 300_057 }),

  call(discussions.listSnippetDiscussions, onSnippet),
  call(discussions.getSnippetDiscussion, inSnippet),
  call(discussions.createSnippetDiscussion, { ...onSnippet, body, created_at }),
  call(discussions.addSnippetDiscussionNote, { ...inSnippet, note_id: 300_071, body, created_at }),
  call(discussions.updateSnippetDiscussionNote, { ...inSnippet, note_id: 300_071, body }),
  call(discussions.deleteSnippetDiscussionNote, { ...inSnippet, note_id: 300_071 }),

  call(discussions.listEpicDiscussions, onEpic),
  call(discussions.getEpicDiscussion, inEpic),
  call(discussions.createEpicDiscussion, { ...onEpic, body, created_at }),
];
