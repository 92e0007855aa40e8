import { expect, test } from "vitest";
import { actionWord, targetWord } from "../../../src/api/endpoints/event-words.ts";

test.each([
  ["pushed", "pushed"],
  ["Pushed", "pushed"],
  ["pushed to", "pushed"],
  ["commented on", "commented"],
  ["opened", "created"],
  ["accepted", "merged"],
  ["constructor", "constructor"],
])("the action %s is %s to the API", (shown, word) => expect(actionWord(shown)).toBe(word));

test.each([
  ["issue", "issue"],
  ["Issue", "issue"],
  ["MergeRequest", "merge_request"],
  ["merge request", "merge_request"],
  ["WikiPage::Meta", "wiki"],
  ["WorkItem", "work_item"],
  ["DiffNote", "diff_note"],
  ["DiscussionNote", "discussion_note"],
])("the target %s is %s to the API", (shown, word) => expect(targetWord(shown)).toBe(word));
