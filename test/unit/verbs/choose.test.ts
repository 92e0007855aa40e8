import { expect, test } from "vitest";
import { listOwnEvents, listProjectEvents, listUserEvents } from "../../../src/api/endpoints/events.ts";
import {
  createEpicNote,
  createIssueNote,
  createMergeRequestNote,
  createSnippetNote,
  updateIssueNote,
  updateMergeRequestNote,
  updateSnippetNote,
} from "../../../src/api/endpoints/notes.ts";
import { uploadRequests } from "../../../src/api/endpoints/uploads.ts";
import { UsageError } from "../../../src/base/errors.ts";
import { choose } from "../../../src/verbs/choose.ts";

test.each([
  [{ project: "7", upload_id: 1 }, "DELETE /projects/:project/uploads/:upload_id"],
  [{ project: "7", secret: "s", filename: "f" }, "DELETE /projects/:project/uploads/:secret/:filename"],
  [{ group: "acme", project: undefined, upload_id: 1 }, "DELETE /groups/:group/uploads/:upload_id"],
  [{ group: "acme", secret: "s", filename: "f" }, "DELETE /groups/:group/uploads/:secret/:filename"],
])("%j is for %s", (input, route) => {
  expect(choose(uploadRequests.delete, input).route).toBe(route);
});

const events = [listUserEvents, listProjectEvents, listOwnEvents] as const;

test("without input it is the one that needs none", () => {
  expect(choose(events, {})).toBe(listOwnEvents);
  expect(choose(events, { project: "7" })).toBe(listProjectEvents);
});

test("a single one is chosen, even if what it needs is missing, or more is given", () => {
  expect(choose([listUserEvents], {})).toBe(listUserEvents);
  expect(choose([listUserEvents], { project: "7" })).toBe(listUserEvents);
});

test("none that fits is a mistake of the program", () => {
  expect(() => choose(uploadRequests.delete, { upload_id: 1 })).toThrow("no endpoint for what was given");
});

test("what several take may be given, and what is undefined is not", () => {
  expect(choose(events, { user: "3", action: "pushed", project: undefined, scope: undefined })).toBe(listUserEvents);
  expect(choose(events, { scope: "all", sort: "asc" })).toBe(listOwnEvents);
});

const notes = [createIssueNote, createMergeRequestNote, createSnippetNote, createEpicNote] as const;
const edits = [updateIssueNote, updateMergeRequestNote, updateSnippetNote] as const;

test.each([
  [notes, { project: "7", issue_iid: 3, internal: true }, createIssueNote],
  [notes, { group: "acme", epic_id: 3, internal: true }, createEpicNote],
  [notes, { project: "7", merge_request_iid: 3, merge_request_diff_head_sha: "a" }, createMergeRequestNote],
  [edits, { project: "7", snippet_id: 3, note_id: 4 }, updateSnippetNote],
])("the parent selects the endpoint, whose own parameters may be given (%#)", (endpoints, input, chosen) => {
  expect(choose(endpoints as readonly (typeof chosen)[], input)).toBe(chosen);
});

test.each<[input: object, message: string]>([
  [{ user: "3", project: "7" }, "give only one of --user and -p/--project"],
  [{ user: "3", scope: "all" }, "--scope: not with --user"],
  [{ project: "7", scope: "all" }, "--scope: not with -p/--project"],
])("%j: %s", (input, message) => {
  expect(() => choose(events, input)).toThrow(new UsageError(message));
});

test.each<[input: object, message: string]>([
  [{ project: "7", snippet_id: 3, internal: true }, "--internal: not for snippets, only for issues and epics"],
  [
    { project: "7", issue_iid: 3, merge_request_diff_head_sha: "a" },
    "--diff-head-sha: not for issues, only for merge requests",
  ],
  [
    { group: "acme", epic_id: 3, created_at: "2026" },
    "--created-at: not for epics, only for issues, merge requests, and snippets",
  ],
  [{ project: "7", issue_iid: 3, snippet_id: 4 }, "give only one of --issue and --snippet"],
])("%j: %s", (input, message) => {
  expect(() => choose(notes, input)).toThrow(new UsageError(message));
});

test("if two are given, neither is chosen", () => {
  expect(() => choose(events, { user: "3", project: "7" })).toThrow(UsageError);
});
