import { anyDiscussions } from "../../api/endpoints/discussions.ts";
import { isNotFound } from "../../base/errors.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { parsedFlags } from "../../declare/describe.ts";
import { choose } from "../../verbs/choose.ts";
import { parentFlags } from "../posting/parent.ts";

/** Maximum number of discussions searched for a note. */
const searched = 1000;

/**
 * The error for a note that was not found. The notes API does not return notes in threads
 * (`2-collaboration-identity-api: Discussion`), although instances do (notes-in-threads): if the note is in one, the
 * error says so, and how to access it.
 *
 * @param verb the corresponding verb of `forgectl discussions`
 */
export async function explainThreadNote(
  context: Context,
  error: unknown,
  input: { note_id: number },
  verb: "get" | "update" | "delete",
): Promise<unknown> {
  if (!isNotFound(error)) return error;
  const thread = await threadOf(context, input).catch(() => undefined);
  if (thread === undefined) return error;
  const words = ["forgectl", "discussions", verb, thread, ...(verb === "get" ? [] : [String(input.note_id)])];
  return error.with({
    reason: `note ${input.note_id} is in a thread, and notes of threads are only available through discussions`,
    hint: commandLine([...words, ...parentWords(input)]),
  });
}

async function threadOf(context: Context, input: { note_id: number }): Promise<string | undefined> {
  for await (const { id, notes } of context.api.list(choose(anyDiscussions.list, input), input, { limit: searched })) {
    if (notes.some((note) => note.id === input.note_id)) return id;
  }
  return undefined;
}

/** The parent and its scope as typed. */
export function parentWords(input: object): string[] {
  const values: Readonly<Record<string, unknown>> = { ...input };
  return parsedFlags(parentFlags()).flatMap(({ name, short, long }) =>
    values[name] === undefined ? [] : [short ?? long, String(values[name])],
  );
}
