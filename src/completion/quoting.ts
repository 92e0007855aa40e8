import { quotedForPowerShell, unshown } from "../base/shell-words.ts";

// How a word is written where a shell puts it. Names come from the instance, and anyone there may have given them; a
// name that cannot be written safely is not offered.

/** The quote that is open where the word lands; undefined: none. `$'` is bash's and zsh's quote with escapes. */
export type Quote = '"' | "'" | "$'" | undefined;

/** No name of the platform is longer; zsh ends if it has to list a word of 100,000 characters. */
const maxLength = 4096;

/** Whether a word can be handed to a shell at all: as one line of text, and not as a directive of the answer. */
export function isOffered(word: string): boolean {
  return word.length <= maxLength && !unshown.test(word) && !word.startsWith(":");
}

/** The word in the notation of bash; undefined if it cannot be written within that quote. */
export function forBash(word: string, open: Quote): string | undefined {
  switch (open) {
    case undefined:
      return word.replace(/[^\p{L}\p{N}_.,:=@%/+^-]/gu, "\\$&");
    case '"':
      // The history is expanded within double quotes, and a backslash before `!` would remain. Readline takes a quote
      // at the end of a word for the closing one.
      return /[!"]/.test(word) ? undefined : word.replace(/[\\$`]/g, "\\$&");
    case "'":
      return word.includes("'") ? undefined : word;
    case "$'":
      return /[\\'!]/.test(word) ? undefined : word;
  }
}

/**
 * The word in the notation of PowerShell: as it is, or within single quotes, which typographic ones end too. Left out:
 *
 * - `$`, backticks, and double quotes, typographic ones too: they would be read if the word replaced only what follows
 *   a typed double quote; and versions before 7.3 do not pass on double quotes as they are;
 * - a backslash at the end, which versions before 7.3 write before a closing quote, so that it does not close;
 * - `& | < > ^ %`, which cmd reads once more if the program was installed as a `.cmd` file.
 */
export function forPowerShell(word: string): string | undefined {
  if (/[$`"\u201c-\u201e&|<>^%]|\\$/.test(word)) return undefined;
  // Other dashes than this one begin a parameter too, and `--%` ends the reading of quotes.
  if (/^[\p{L}\p{N}_./:=+-][\p{L}\p{N}_./:=+-]*$/u.test(word)) return word;
  return quotedForPowerShell(word);
}
