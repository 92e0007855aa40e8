import { obeyedAnywhere } from "./ci.ts";
import { withoutEnd } from "./without-end.ts";

/**
 * Characters that a terminal shows differently or not at all: controls, line separators, the controls that reorder
 * text, and halves of a character. Only escapes can give them to a shell in a line that is read first.
 */
export const unshown = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Joins words into a shell line, quoted so that a shell splits it into the same words. */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => (isPlain(word) ? word : quoted(word))).join(" ");
}

/**
 * zsh replaces a leading `=` and the name after it by the path of a program, with MAGIC_EQUAL_SUBST also after `=` or
 * `:`; fish `%self` by its process ID.
 */
function isPlain(word: string): boolean {
  return /^[\w@+:,./-][\w@%+=:,./-]*$/.test(word) && !/[=:]=/.test(word);
}

type FlagValue = string | number | boolean | undefined;

/** Flags as words, by the names of their fields; one that was not given, or is off, is left out. */
export function flagWords(flags: Readonly<Record<string, FlagValue>>): string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    const long = `--${name.replaceAll("_", "-")}`;
    if (String(value).startsWith("-")) return [`${long}=${value}`];
    const flag = name === "project" ? "-p" : name === "group" ? "-g" : long;
    return value === true ? [flag] : [flag, String(value)];
  });
}

/**
 * A line to paste as it is, or null if a part of it is hidden: it would do something else, and since the mask takes
 * what follows `token=` up to a blank or a quote, its quotes might not hold another person's text.
 */
export function unlessHidden<T extends string | null>(line: T, redact: (text: string) => string): T | null {
  if (line === null) return null;
  return [line, withoutOctals(line)].some((text) => redact(text) !== text) ? null : line;
}

/**
 * Quotes a text as one word for a POSIX shell, and for fish, which reads backslashes in single quotes. Characters that
 * a terminal does not show are written by `printf`, so that the line stays right when it is shown and copied. So are
 * texts whose quotes would not survive where the line is shown: one with an apostrophe, since TSV and JSON double the
 * backslash before it, so that it would end the quotes, and PowerShell reads no backslash; and one that the runner of a
 * CI job would obey, since its log gets an apostrophe.
 */
export function quoted(text: string): string {
  const isKept = !apostrophe.test(text) && !unshown.test(text) && text.search(obeyedAnywhere) === -1;
  if (isKept) return `'${text.replaceAll("\\", "'\\\\'")}'`;
  // `$(…)` removes line feeds at its end.
  const written = withoutEnd(text, /\n/);
  const ending = text.slice(written.length);
  return `${written === "" ? "" : `"$(printf '${withOctals(written)}')"`}${ending === "" ? "" : `'${ending}'`}`;
}

/** What ends single quotes: in PowerShell, typographic ones too. */
const apostrophe = /['\u2018-\u201b]/;
const everyApostrophe = new RegExp(apostrophe, "g");

/** Quotes a text as one word for PowerShell. */
export function quotedForPowerShell(text: string): string {
  return `'${text.replace(everyApostrophe, "$&$&")}'`;
}

/** A text as the format of `printf`, in which nothing is left that a shell or a mask reads. */
export function withOctals(text: string): string {
  return text.replace(/[^\p{L}\p{N} _@+=:,./]+/gu, octal);
}

function withoutOctals(text: string): string {
  return text.replace(/(?:\\[0-7]{3})+/g, (codes) => {
    const bytes = codes.split("\\").slice(1);
    return new TextDecoder().decode(Uint8Array.from(bytes, (code) => Number.parseInt(code, 8)));
  });
}

function octal(text: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}
