import { unshown } from "../base/shell-words.ts";
import { forBash, forPowerShell, isOffered, type Quote } from "./quoting.ts";
import type { Completions, Offer } from "./words.ts";

/** A shell line, parsed up to the cursor. */
export interface Line {
  /** The words without their quotes, the program's name left out; the last one is being typed. */
  readonly words: string[];
  /** The last word: which of its characters are quoted, and the quote that is still open, if any. */
  readonly last: Last;
  /** Whether it may be in a command between backticks. */
  readonly hasBackticks: boolean;
}

interface Last {
  readonly text: string;
  /** For each character, whether a backslash or quotes protect it. */
  readonly quoted: readonly boolean[];
  /** The quote that is open at the cursor, and the length of the text before it. */
  readonly open: { readonly quote: Exclude<Quote, undefined>; readonly from: number } | undefined;
}

/** Reads a line of bash, zsh, or fish: white space ends a word, quotes and backslashes keep characters as they are. */
export function readLine(text: string): Line {
  const words: Last[] = [];
  let word: Reading | undefined;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (word?.open === undefined && /[ \t\n]/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word ??= { text: "", quoted: [], open: undefined };
    at += read(word, text, at);
  }
  const all = [...words, word ?? { text: "", quoted: [], open: undefined }];
  const rest = all.slice(nameAt(all) + 1);
  return { words: rest.map((each) => each.text), last: all.at(-1) as Last, hasBackticks: text.includes("`") };
}

interface Reading extends Last {
  text: string;
  quoted: boolean[];
  open: Last["open"];
}

/** Adds one character to a word; returns how many more it consumed. */
function read(word: Reading, line: string, at: number): number {
  const quote = word.open?.quote;
  const char = line[at] as string;
  const next = line[at + 1];
  const from = word.text.length;
  if (quote === undefined && char === "$" && (next === "'" || next === '"')) {
    word.open = { quote: next === "'" ? "$'" : next, from };
    return 1;
  }
  if (quote === undefined && (char === '"' || char === "'")) word.open = { quote: char, from };
  else if (char === quote?.at(-1)) word.open = undefined;
  else if (char === "\\" && next !== undefined && isEscape(quote, next)) {
    add(word, next, true);
    return 1;
  } else add(word, char, quote !== undefined);
  return 0;
}

/** Whether a backslash before this character is not a part of the text. */
function isEscape(quote: Quote, next: string): boolean {
  return quote === undefined || (quote === '"' ? /["\\$`]/.test(next) : quote === "$'" && /['\\]/.test(next));
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
export function plainText({ offers, own, skip = 0 }: Completions): string {
  const lines = offers
    .filter(([word]) => isOffered(word))
    .map(([word, description]) => (description === "" ? word : `${word}\t${oneLine(description)}`));
  return text(own === undefined ? lines : [...lines, `:${own} ${skip}`]);
}

/**
 * The answer in the form of bash's COMPREPLY: readline replaces only what follows the last unquoted break, or the quote
 * that is open, so the text before it is left out; the rest is quoted for bash.
 *
 * IDs say nothing, so that they are listed with their descriptions, each once: of several words, readline inserts only
 * what they have in common, which is then a part of the ID, and nothing of a description.
 *
 * @param bash COMP_WORDBREAKS, and the width of the list, or 0 if a word of it would be inserted as it is
 * @param paths the files or folders that begin like a text, for a word in which readline would not find them
 */
export function bashText(
  { offers, own, skip = 0 }: Completions,
  { last, hasBackticks }: Line,
  { breaks, width }: { breaks: string; width: number },
  paths: (kind: "file" | "folder", typed: string) => readonly string[],
): string {
  const each = [...new Map(offers)];
  const isListed = each.length > 1 && each.every(([word]) => /^\d+$/.test(word));
  if (width > 0 && isListed && own === undefined) return text(listOf(each, width));
  const head = headOf(last, breaks);
  const ahead = last.text.slice(head, Math.max(head, skip));
  const isLeft = own !== undefined && (own === "command" || ahead === "");
  const found = own === undefined || own === "command" || isLeft ? [] : paths(own, last.text.slice(skip));
  const words = [...each.map(([word]) => word), ...found.map((path) => last.text.slice(0, skip) + path)];
  // Backticks read these once more, whatever is before them.
  const isSafe = (word: string) => isOffered(word) && !(hasBackticks && /[\\`$"]/.test(word));
  const lines = words.flatMap((word) => (isSafe(word) ? (forBash(word.slice(head), last.open?.quote) ?? []) : []));
  return text(isLeft ? [...lines, `:${own}`] : lines);
}

/** `12  -- acme/storefront`, each on a line of its own. */
function listOf(offers: readonly Offer[], width: number): string[] {
  const longest = Math.max(...offers.map(([word]) => word.length));
  return offers.map(([word, description]) => {
    const line = description === "" ? word : `${word.padEnd(longest)}  -- ${oneLine(description)}`;
    return [...line].slice(0, Math.max(longest, width - 1)).join("");
  });
}

/** The answer for PowerShell: the word as it is inserted, as it is listed, and its description; in ASCII. */
export function powerShellText({ offers }: Completions): string {
  return text(
    offers.flatMap(([word, description]) => {
      const typed = isOffered(word) ? forPowerShell(word) : undefined;
      return typed === undefined ? [] : [typed, word, oneLine(description) || word].map(escaped).join("\t");
    }),
  );
}

/**
 * PowerShell reads a program's output in the console's encoding, in some of which parts of other characters are
 * quotes. `[regex]::Unescape` reads these escapes.
 */
function escaped(word: string): string {
  return word.replace(/[^ -~]|\\/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
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

/** A description without line breaks, tabs, and control characters, since shells read the answer line by line. */
function oneLine(description: string): string {
  return description.replace(new RegExp(`${unshown.source}+`, "gu"), " ");
}
