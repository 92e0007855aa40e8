import { shellLine } from "../base/help-page.ts";
import type { Example } from "../declare/command.ts";
import type { FlagEntry } from "./tree.ts";

/** A section of a man page; nothing if it would be empty. It begins with a paragraph by itself. */
export function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`.SH ${roff(title)}`, ...lines.slice(lines[0] === ".PP" ? 1 : 0)];
}

/** The first line of every page. */
export const generatedMark = '.\\" Written from the commands by "npm run generate".';

/**
 * The first lines of a page. They contain no version, so that the page does not change with each release.
 *
 * @param date `2026-01-31`
 */
export function pageHead(name: string, date: string): string[] {
  return [generatedMark, `.TH ${roff(name.toUpperCase())} 1 "${date}" "forgectl" "User commands"`];
}

/** A term in bold, and its indented description. */
export function entryLines(term: string, text: string): string[] {
  return [".TP", `\\fB${roff(term)}\\fR`, text === "" ? "\\&" : filled(text)];
}

export function flagLines(flag: FlagEntry): string[] {
  const long = flag.negatable ? `--[no-]${flag.flag.slice(2)}` : flag.flag;
  const name = `${flag.short === null ? "" : `${flag.short}, `}${long}`;
  const value = flag.placeholder === null ? "" : ` \\fI${roff(flag.placeholder)}\\fR${flag.repeatable ? "..." : ""}`;
  const notes = [
    ...(flag.required ? ["required"] : []),
    ...(flag.scope === null ? [] : [`or FORGECTL_${flag.scope.toUpperCase()}`]),
    ...(flag.values === null || flag.placeholder?.includes("|") ? [] : [flag.values.join(", ")]),
    ...(flag.default === null ? [] : [`default ${flag.default}`]),
  ];
  const text = `${flag.description}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
  return [".TP", `\\fB${roff(name)}\\fR${value}`, filled(text)];
}

export function exampleLines(examples: readonly Example[]): string[] {
  return examples.flatMap(({ line, note, before }) => [
    ".PP",
    ...(note === undefined ? [] : [filled(`${note}:`)]),
    ...verbatim([...(before === undefined ? [] : [before]), `forgectl ${line}`].flatMap(foldedLines)),
  ]);
}

/** In a page of 80 columns: indented by 7 for its section and by 4 for being an example. */
function foldedLines(line: string): string[] {
  return shellLine(line, 80 - 11)
    .trimStart()
    .split("\n");
}

/** Lines as they are, indented. */
function verbatim(lines: readonly string[]): string[] {
  return [".RS 4", ".EX", ...lines.map(textLine), ".EE", ".RE"];
}

/** A line of text; one that begins with a dot or an apostrophe would be a request. */
function textLine(text: string): string {
  return asText(roff(text));
}

/** A text in lines of at most 80 bytes, which is how sources of man pages are written; they are filled again. */
export function filled(text: string): string {
  const lines: string[] = [];
  for (const word of roff(text).split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > maxSource) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.map(asText).join("\n");
}

/** Less than 80 by an escape at the beginning of the line. */
const maxSource = 80 - 2;

function asText(line: string): string {
  return /^[.']/.test(line) ? `\\&${line}` : line;
}

/** References to other pages by command; an empty command is the page of the program. */
export function pageReferences(commands: readonly string[]): string[] {
  return commands.map((command, index) => {
    const end = index === commands.length - 1 ? "" : ",";
    return `.BR ${roff(pageName(command))} (1)${end}`;
  });
}

/** `forgectl-users-list` for `users list`. */
export function pageName(command: string): string {
  return ["forgectl", ...command.split(" ").filter(Boolean)].join("-");
}

/**
 * Escapes a text for roff: backslashes, hyphens (which could not be copied and typed otherwise), and non-ASCII
 * characters.
 */
export function roff(text: string): string {
  const number = (character: string) => (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/[^\n -~]/gu, (character) => `\\[u${number(character)}]`);
}
