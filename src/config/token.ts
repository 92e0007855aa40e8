import { UsageError } from "../base/errors.ts";

/**
 * Checks that a token can be sent in a header. Errors never repeat the text.
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
  if (/[\r\n]/.test(text)) return "contains a line break";
  if (/\s/.test(text)) return "contains white space";
  if (/^(["'`]).*\1$/.test(text)) return "is in quotes";
  if (/\p{Cc}/u.test(text)) return "contains control characters";
  return /^[!-~]+$/.test(text) ? undefined : "contains characters that are not valid in a token";
}

/** The first line of the content of a file, a pipe, or a command's output, where a trailing line break is normal. */
export function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? "";
}
