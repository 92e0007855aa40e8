import { isAscii } from "node:buffer";
import { obeyedAnywhere } from "../base/ci.ts";
import type { TerminalText } from "../host.ts";

// The only module that creates TerminalText (test/unit/terminal/untrusted-text.test.ts).
//
// Text from a server or a file must not control the terminal: C0, DEL, C1, line separators, and the controls that
// reorder text (bidi) are made visible.

const control = "\\u0000-\\u001f";
/** Characters that JSON.stringify does not escape although a terminal may act on them. */
const unescaped = "\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069";
const controls = new RegExp(`[${control}${unescaped}]`);
const everyControl = new RegExp(controls, "g");
const jsonControls = new RegExp(`[${unescaped}]`);
const everyJsonControl = new RegExp(jsonControls, "g");

/** `␛` for ESC, `␡` for DEL, `\u009b` for characters without a picture. */
function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "␡";
  return escaped(character);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** One line of text: every control character is made visible, including line feeds. */
export function visible(text: string): TerminalText {
  return trusted(controls.test(text) ? text.replace(everyControl, picture) : text);
}

/** Text of several lines: keeps line feeds (with their carriage return) and tabs. */
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

/** The same for many values, one per line, built and checked as one text. */
export function ndjsonText(values: readonly unknown[]): TerminalText {
  let text = "";
  for (const value of values) text += `${JSON.stringify(value) ?? "null"}\n`;
  return jsonEscaped(text);
}

/** JSON.stringify has escaped characters below U+0020 inside values; its own line feeds are kept. */
function jsonEscaped(text: string): TerminalText {
  const shown = jsonControls.test(text) ? text.replace(everyJsonControl, escaped) : text;
  return trusted(shown.includes("##") ? shown.replace(obeyedAnywhere, "#\\u0023") : shown);
}

/** The same for JSON written by another program, one text per line. */
export function jsonLines(text: string): TerminalText {
  return visibleLines(jsonEscaped(text));
}

/** A template of the program's own words, with safe texts inserted. */
export function safe(words: TemplateStringsArray, ...texts: readonly (TerminalText | number)[]): TerminalText {
  return trusted(String.raw({ raw: words }, ...texts));
}

/**
 * The result of a package given only safe texts: chalk adds colors, and cli-table3 adds spaces.
 */
export function madeOf<T extends TerminalText | readonly (readonly TerminalText[])[]>(
  texts: T,
  make: (texts: T) => string,
): TerminalText {
  return trusted(make(texts));
}

/** Joins safe texts with a safe separator. */
export function joined(texts: readonly TerminalText[], separator: TerminalText): TerminalText {
  return trusted(texts.join(separator));
}

/** A part of a safe text: cutting never creates a control character. */
export function part(text: TerminalText, from: number, to?: number): TerminalText {
  return trusted(text.slice(from, to));
}

/** Decodes safe text that was stored as UTF-8, in chunks cut at any byte (packed-texts.ts). */
export function restorer(): (bytes: Buffer) => TerminalText {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  // Much faster; the rest of a character that the previous chunk split is not ASCII.
  return (bytes) => trusted(isAscii(bytes) ? bytes.toString("latin1") : decoder.decode(bytes, { stream: true }));
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
