import { UsageError } from "./errors.ts";
import { isObject } from "./is-object.ts";

/** What is wrong with a text that has half of a surrogate pair, for which there is no UTF-8. */
export const halfCharacter = "is not valid Unicode text (it has half a character)";

/** The path of the first name or text with half a character; undefined if there is none. */
function halfIn(value: unknown, path: string): string | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : path;
  if (!Array.isArray(value) && !isObject(value)) return undefined;
  for (const [name, each] of Object.entries(value)) {
    const own = Array.isArray(value) ? path : path === "" ? name : `${path}.${name}`;
    const found = name.isWellFormed() ? halfIn(each, own) : own;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Refuses a value that cannot be sent as it is: an instance would refuse it, or store something else. */
export function refuseHalfCharacters(value: unknown): void {
  const path = halfIn(value, "");
  if (path !== undefined) throw new UsageError(`${path}: ${halfCharacter}`);
}

/** What an argument has in the place of bytes that are not UTF-8. */
const replacement = "\ufffd";

/**
 * Refuses a command line with a word whose bytes were not UTF-8, as a terminal or a script in another encoding sends
 * it: an instance would store another name than was typed, and different ones would become the same.
 */
export function refuseReplaced(words: readonly string[]): void {
  const at = words.findIndex((word) => word.includes(replacement));
  if (at < 0) return;
  throw new UsageError(`argument ${at + 1} is not valid UTF-8`, {
    reason: "it has bytes that are not UTF-8, or the character U+FFFD, which replaces them",
    nothing: "sent",
    hint: `type it in UTF-8; a line of forgectl batch may have U+FFFD: {"args": ["files", "get", "caf\\ufffd"]}`,
  });
}
