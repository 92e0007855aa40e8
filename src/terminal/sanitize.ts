import type { TerminalText } from "../host.ts";

// The one door to a terminal: nothing else in the program makes TerminalText (test/unit/terminal/door.test.ts).
//
// Text from a server or a file must not steer the terminal: C0, DEL, C1, line separators, and the controls that reorder
// text (bidi) are shown instead of obeyed.

const control = "\\u0000-\\u001f";
/** What JSON.stringify leaves as it is although a terminal may act on it. */
const unescaped = "\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069";
const controls = new RegExp(`[${control}${unescaped}]`);
const everyControl = new RegExp(controls, "g");
const jsonControls = new RegExp(`[${unescaped}]`);
const everyJsonControl = new RegExp(jsonControls, "g");

/** `␛` for ESC, `␡` for DEL, `\u009b` for what has no picture. */
function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "␡";
  return escaped(character);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** One line of text: every control character is shown, line feeds too. */
export function visible(text: string): TerminalText {
  return trusted(controls.test(text) ? text.replace(everyControl, picture) : text);
}

/** Text of several lines: line feeds (with their carriage return) and tabs stay. */
export function visibleLines(text: string): TerminalText {
  if (!controls.test(text)) return trusted(text);
  const shown = text.replace(everyControl, (character, offset: number) => {
    if (character === "\n" || character === "\t") return character;
    if (character === "\r" && text[offset + 1] === "\n") return character;
    return picture(character);
  });
  return trusted(shown);
}

/** Compact JSON that is safe on a terminal; a parser reads the same value. */
export function jsonText(value: unknown, indent?: number): TerminalText {
  return jsonEscaped(JSON.stringify(value, null, indent) ?? "null");
}

/** The same for many values, one a line: made and looked through as one text. */
export function ndjsonText(values: readonly unknown[]): TerminalText {
  let text = "";
  for (const value of values) text += `${JSON.stringify(value) ?? "null"}\n`;
  return jsonEscaped(text);
}

/** JSON.stringify has escaped what is below U+0020 inside of values; its own line feeds may stay. */
function jsonEscaped(text: string): TerminalText {
  return trusted(jsonControls.test(text) ? text.replace(everyJsonControl, escaped) : text);
}

/** The same for JSON texts that another program wrote, one a line. */
export function jsonLines(text: string): TerminalText {
  return visibleLines(jsonControls.test(text) ? text.replace(everyJsonControl, escaped) : text);
}

/** The program's own words with safe texts between them. */
export function safe(words: TemplateStringsArray, ...texts: readonly (TerminalText | number)[]): TerminalText {
  return trusted(String.raw({ raw: words }, ...texts));
}

/**
 * What a package made of safe texts: chalk paints them, cli-table3 sets them side by side. It is handed nothing else,
 * and adds colors and blanks.
 */
export function madeOf<T extends TerminalText | readonly (readonly TerminalText[])[]>(
  texts: T,
  make: (texts: T) => string,
): TerminalText {
  return trusted(make(texts));
}

export function joined(texts: readonly TerminalText[], separator: TerminalText): TerminalText {
  return trusted(texts.join(separator));
}

/** A part of a safe text: a character that a terminal obeys is never cut out of one that it does not. */
export function part(text: TerminalText, from: number, to?: number): TerminalText {
  return trusted(text.slice(from, to));
}

/** Gives safe text back that was kept as UTF-8, byte for byte, cut anywhere (packing.ts). */
export function restorer(): (bytes: Uint8Array) => TerminalText {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return (bytes) => trusted(decoder.decode(bytes, { stream: true }));
}

export function trimmedEnd(text: TerminalText): TerminalText {
  return trusted(text.trimEnd());
}

export function linesOf(text: TerminalText): TerminalText[] {
  return text.split(/\r?\n/).map(trusted);
}

export function blanks(count: number): TerminalText {
  return trusted(" ".repeat(Math.max(0, count)));
}

function trusted(text: string): TerminalText {
  return text as TerminalText;
}
