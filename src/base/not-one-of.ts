import { UsageError } from "./errors.ts";
import { nearest } from "./nearest.ts";

interface Refused {
  /** The flag or argument as typed: `--role`. */
  readonly label: string;
  readonly text: string;
  readonly allowed: readonly string[];
  /** How the allowed ones are written in the message, where that is more than the words. */
  readonly shown?: readonly string[];
  /** What is compared with the allowed words for a guess; by default the text. */
  readonly meant?: string;
}

/** The error for a word that is none of the allowed ones. */
export function notOneOf({ label, text, allowed, shown = allowed, meant = text }: Refused): UsageError {
  const guess = nearest(meant, allowed);
  return new UsageError(
    `${label}: must be one of ${shown.join(", ")}, not "${text}"`,
    guess === undefined ? {} : { hint: `did you mean ${guess}?` },
  );
}
