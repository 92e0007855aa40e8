import { UsageError } from "../base/errors.ts";

/**
 * A token as it can go into a header. The text is never repeated in an error.
 *
 * @param source what gave it: `FORGECTL_TOKEN`, `--token-file`.
 */
export function checkToken(text: string, source: string): string {
  const problem = problemOf(text);
  if (problem === undefined) return text;
  throw new UsageError(`${source}: the token ${problem}`, {
    code: "bad_token",
    hint: "give the token alone, without quotes or a line break",
  });
}

function problemOf(text: string): string | undefined {
  if (text === "") return "is empty";
  if (/[\r\n]/.test(text)) return "has a line break in it";
  if (/\s/.test(text)) return "has white space in it";
  if (/\p{Cc}/u.test(text)) return "has control characters in it";
  return /^[!-~]+$/.test(text) ? undefined : "has characters in it that no token has";
}

/** The first line of what a file, a pipe, or a command gave; there a line break at the end is no mistake. */
export function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? "";
}
