import { string } from "../../api/field.ts";
import type { Look } from "../../api/transport/message.ts";
import { Failure, missing, UsageError } from "../../base/errors.ts";
import { groupDigits } from "../../base/wording.ts";
import type { Context } from "../../context.ts";
import { staleCode } from "../../jobs/tally.ts";
import { readTextSource } from "../../transfer/source.ts";
import { canEdit, edit } from "../../verbs/editor.ts";

/** Maximum characters of a note (`2-collaboration-identity-api: Limits`). */
const maxLength = 1_000_000;

/** The sources of a text to post. */
export const bodyFlags = {
  body: string("Text, in Markdown; without it and --body-file, an editor opens on a terminal", { placeholder: "text" }),
  body_file: string("Read the text from this file, or from stdin", { placeholder: "file|-", completes: "file" }),
};

export interface BodyInput {
  body?: string | undefined;
  body_file?: string | undefined;
}

/**
 * Reads the text to post from its flag, a file, stdin, or an editor opened with `initial`, which is read again when the
 * editor has ended, checks it, and passes it to `send`.
 */
export async function withBody<T>(
  context: Context,
  { body, body_file: file }: BodyInput,
  initial: () => Promise<string>,
  send: (text: string, afterWait?: Look) => Promise<T>,
): Promise<T> {
  if (body !== undefined && file !== undefined) throw new UsageError("give only one of --body and --body-file");
  if (body !== undefined) return send(checked(body, "--body"));
  if (file !== undefined) return send(checked(await readTextSource(context, file), "--body-file"));
  if (!canEdit(context)) {
    throw missing("--body <text> or --body-file <file|->", {
      code: "missing_body",
      hint: "--body-file - reads stdin",
    });
  }
  const shown = await initial();
  return edit(context, { name: "text.md", initial: shown }, async (edited) => {
    const text = checked(edited, "the text");
    const look = async () => {
      if ((await initial()) !== shown) throw changedMeanwhile();
    };
    await look();
    return send(text, look);
  });
}

/** The editor may be open for hours: a text that another user has changed meanwhile is not overwritten. */
function changedMeanwhile(): Failure {
  return new Failure("conflict", "the text was changed on the instance while you were editing", {
    code: staleCode,
    nothing: "sent",
    hint: "run the command again: the editor opens with the current text",
  });
}

function checked(text: string, label: string): string {
  if (text.trim() === "") throw new UsageError(`${label}: the text is empty`);
  const length = characters(text);
  if (length <= maxLength) return text;
  const counts = `${groupDigits(length)} characters; at most ${groupDigits(maxLength)} are allowed`;
  throw new UsageError(`${label}: has ${counts}`);
}

/** Counts code points, not UTF-16 units, without an array of them: a text may be large. */
function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
