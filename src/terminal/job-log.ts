import type { TerminalText } from "../host.ts";
import { madeOf } from "./sanitize.ts";

// What the runner of a CI job acts on at the beginning of a line, also behind spaces: `::error::`, `##[error]`,
// `section_start:`. In a text with line feeds, its author decides what begins a line.

const command = /^[^\S\n]*(?:::|##|section_(?:start|end):)/m;
const everyCommand = /^([^\S\n]*)(?=::|##|section_(?:start|end):)/gm;

/** Whether a line of the text would be obeyed in a job's log. */
export function holdsCommand(text: string): boolean {
  return command.test(text);
}

/** The text with an apostrophe before each such line's command. */
export function inert(text: TerminalText): TerminalText {
  return command.test(text) ? madeOf(text, (raw) => raw.replace(everyCommand, "$1'")) : text;
}
