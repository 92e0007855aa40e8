import type { Answer } from "./words.ts";

/** A shell line, parsed up to the cursor. */
export interface Line {
  /** The words without their quotes, the program's name left out; the last one is being typed. */
  readonly words: string[];
  /** The last word: which of its characters are quoted, and the quote that is still open, if any. */
  readonly last: Last;
}

interface Last {
  readonly text: string;
  /** For each character, whether a backslash or quotes protect it. */
  readonly quoted: readonly boolean[];
  /** The quote that is open at the cursor, and the length of the text before it. */
  readonly open: { readonly quote: string; readonly from: number } | undefined;
}

/** Reads a line of bash, zsh, or fish: white space ends a word, quotes and backslashes keep characters as they are. */
export function readLine(text: string): Line {
  const words: Last[] = [];
  let word: Reading | undefined;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (word?.open === undefined && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word ??= { text: "", quoted: [], open: undefined };
    at += read(word, char, text[at + 1]);
  }
  const all = [...words, word ?? { text: "", quoted: [], open: undefined }];
  const rest = all.slice(nameAt(all) + 1);
  return { words: rest.map((each) => each.text), last: all.at(-1) as Last };
}

interface Reading extends Last {
  text: string;
  quoted: boolean[];
  open: Last["open"];
}

/** Adds one character to a word; returns how many more it consumed. */
function read(word: Reading, char: string, next: string | undefined): number {
  const quote = word.open?.quote;
  if (quote === undefined && (char === '"' || char === "'")) word.open = { quote: char, from: word.text.length };
  else if (char === quote) word.open = undefined;
  else if (char === "\\" && next !== undefined && (quote === undefined || (quote === '"' && /["\\$`]/.test(next)))) {
    add(word, next, true);
    return 1;
  } else add(word, char, quote !== undefined);
  return 0;
}

function add(word: Reading, char: string, isQuoted: boolean): void {
  word.text += char;
  word.quoted.push(isQuoted);
}

/** The position of the program's name, which variables and other programs may precede (`FOO=1 sudo forgectl`). */
function nameAt(words: readonly Last[]): number {
  const named = words.slice(0, -1).findIndex(({ text }) => /(?:^|[\\/])forgectl(?:\.\w+)?$/.test(text));
  return named >= 0 ? named : words.findIndex(({ text }) => !/^\w+=/.test(text));
}

/** The answer, one word with its description per line, and last what the shell completes by itself. */
export function plainText({ offers, own, skip = 0 }: Answer): string {
  const lines = offers.map(([word, description]) =>
    description === "" ? oneLine(word) : `${oneLine(word)}\t${oneLine(description)}`,
  );
  return text(own === undefined ? lines : [...lines, `:${own} ${skip}`]);
}

/**
 * The answer in the form of bash's COMPREPLY: readline replaces only what follows the last unquoted break, or the quote
 * that is open, so the text before it is left out; the rest is quoted for bash.
 *
 * @param breaks COMP_WORDBREAKS
 */
export function bashText({ offers, own, skip = 0 }: Answer, { last }: Line, breaks: string): string {
  const head = headOf(last, breaks);
  const lines = offers
    .filter(([word]) => !word.includes(last.open?.quote ?? "\n"))
    .map(([word]) => oneLine(word).slice(head))
    .map((word) => (last.open === undefined ? word.replace(/[^\p{L}\p{N}_.,:=@%/+^-]/gu, "\\$&") : word));
  // The text before the path must be returned with it unless it was cut off.
  const ahead = last.text.slice(head, Math.max(head, skip));
  return text(own === undefined ? lines : [...lines, `:${own}${ahead === "" ? "" : ` ${ahead}`}`]);
}

function headOf({ text: word, quoted, open }: Last, breaks: string): number {
  if (open !== undefined) return open.from;
  const at = [...word].findLastIndex((char, index) => breaks.includes(char) && !quoted[index]);
  // Readline does not split after this character.
  return word[at] === "@" ? at : at + 1;
}

function text(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** A word without line breaks, tabs, and control characters, since shells read the answer line by line. */
function oneLine(word: string): string {
  return word.replace(/\p{Cc}+/gu, " ");
}
