import {
  discussion_id,
  listEpicDiscussions,
  listIssueDiscussions,
  listMergeRequestDiscussions,
  listSnippetDiscussions,
} from "../../api/endpoints/discussions.ts";
import { required } from "../../api/field.ts";
import { Failure, UsageError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { choose } from "../../verbs/choose.ts";
import { shortNote } from "../notes/short.ts";

/** Of the parents whose discussions can be changed. */
export const projectListings = [listIssueDiscussions, listMergeRequestDiscussions, listSnippetDiscussions] as const;

/** Those that look a discussion up by the beginning of its ID, or by one of its notes. */
export const listings = [...projectListings, listEpicDiscussions] as const;

const wholeLength = 40;

/** A discussion as an argument: its ID, or a beginning of it that no other of the same parent has. */
export const discussionArgument = {
  discussion_id: required({
    ...discussion_id,
    description: "Discussion ID, or a beginning of it that is unique",
    pattern: { test: /^[0-9a-f]{4,40}$/i, words: "4 to 40 hexadecimal characters" },
  }),
};

/**
 * The input with the whole ID of its discussion. A beginning of one is looked up among the parent's discussions; one that
 * several have is a UsageError that names them, one that none has a Failure (exit 3).
 */
export async function withWholeId<I extends { discussion_id: string }>(context: Context, input: I): Promise<I> {
  const beginning = input.discussion_id.toLowerCase();
  if (beginning.length === wholeLength) return input;
  const found: { id: string; notes?: readonly object[] }[] = [];
  for await (const each of context.api.list(choose(listings, input), input, { limit: undefined })) {
    if (each.id.toLowerCase().startsWith(beginning)) found.push(each);
  }
  const [only] = found;
  if (only === undefined) {
    throw new Failure("notFound", `no discussion has an ID that begins with ${beginning}`, {
      hint: "forgectl discussions list shows the IDs",
    });
  }
  if (found.length === 1) return { ...input, discussion_id: only.id };
  const candidates = found.map(({ id, notes = [] }) => `${id}: ${shortNote(notes[0] ?? {})}`);
  throw new UsageError(`${found.length} discussions have an ID that begins with ${beginning}`, {
    reason: candidates.join("\n"),
    hint: "give more of the ID",
  });
}
