import { anyDiscussions, discussion_id } from "../../api/endpoints/discussions.ts";
import { required } from "../../api/field.ts";
import type { Shortened } from "../../verbs/id-prefix.ts";
import { shortNote } from "../notes/note-label.ts";

/** A discussion as an argument: its ID, or a prefix that is unique within its parent. */
export const discussionArgument = {
  discussion_id: required({
    ...discussion_id,
    description: "Discussion ID, or a unique prefix of it",
    pattern: { test: /^[0-9a-f]{4,40}$/i, words: "4 to 40 hexadecimal characters" },
  }),
};

export const shortened: Shortened = {
  name: "discussion_id",
  noun: "discussion",
  length: 40,
  among: anyDiscussions.list,
  listed: "discussions list",
  called: ({ notes = [] }: { notes?: readonly object[] }) => shortNote(notes[0] ?? {}),
};
