import { obeyedAnywhere } from "../base/ci.ts";
import type { Output, TerminalText } from "../host.ts";
import { madeOf } from "./sanitize.ts";

// What the runner of a CI job acts on: at the beginning of a line, also behind spaces, `::error::`, `##[error]`,
// `section_start:`; and some anywhere in a line. In a text with line feeds, its author decides what begins a line.

// Some runners take U+0085 for a space. The spaces end with the line: otherwise each of many carriage returns would be
// read with all that follow.
const command = /^(?:[^\S\n\r\u2028\u2029]|\u0085)*(?:::|##|section_(?:start|end):)/m;
const everyCommand = /^((?:[^\S\n\r\u2028\u2029]|\u0085)*)(?=::|##|section_(?:start|end):)/gm;

/** Whether a line of the text would be obeyed in a job's log. */
export function holdsCommand(text: string): boolean {
  return command.test(text) || text.search(obeyedAnywhere) !== -1;
}

/** The text with an apostrophe before each such line's command, and in the others. */
export function inert(text: TerminalText): TerminalText {
  return command.test(text) ? madeOf(inertWithin(text), (raw) => raw.replace(everyCommand, "$1'")) : inertWithin(text);
}

/** A command at the beginning of a line, other than what only begins like one: an address (`::1`), or a heading. */
const everyOther = /^((?:[^\S\n\r\u2028\u2029]|\u0085)*)(?=::[a-z][\w-]*(?:::| [^\n\r]*?::))/gim;
/** The beginning of a collapsed section, or its end, which needs control characters: tables have none of these. */
const everySection = /section_(?=(?:start|end):\d+:)/g;

/** Where a text is written. */
export interface Written {
  readonly isLogged: boolean;
  readonly stdout: Pick<Output, "isTerminal">;
}

/** A text alone on stdout, such as a result of `--jq`, where that may come into a job's log. */
export function bareText(text: string, { isLogged, stdout }: Written): string {
  if (!isLogged || stdout.isTerminal) return text;
  return text.replace(obeyedAnywhere, "##'").replace(everySection, "section_'").replace(everyOther, "$1'");
}

/** The same for compact or indented JSON, which stays equal. */
export function bareJson(json: string, { isLogged, stdout }: Written): string {
  return isLogged && !stdout.isTerminal ? json.replace(obeyedAnywhere, "#\\u0023") : json;
}

/** Lines of a table: on a terminal as they are, anywhere else they may come into a job's log. */
export function tableLines(text: TerminalText, { isTerminal }: Pick<Output, "isTerminal">): TerminalText {
  return isTerminal ? text : inert(text);
}

/** The same for a text that begins no line. */
export function inertWithin(text: TerminalText): TerminalText {
  return text.includes("##") ? madeOf(text, (raw) => raw.replace(obeyedAnywhere, "##'")) : text;
}
