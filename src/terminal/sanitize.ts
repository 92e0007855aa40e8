/**
 * Text from a server or a file must not steer the terminal: C0, DEL, C1, line separators, and the controls that reorder
 * text (bidi) are shown instead of obeyed.
 */

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
export function visible(text: string): string {
  return controls.test(text) ? text.replace(everyControl, picture) : text;
}

/** Text of several lines: line feeds (with their carriage return) and tabs stay. */
export function visibleLines(text: string): string {
  if (!controls.test(text)) return text;
  return text.replace(everyControl, (character, offset: number) => {
    if (character === "\n" || character === "\t") return character;
    if (character === "\r" && text[offset + 1] === "\n") return character;
    return picture(character);
  });
}

/** Compact JSON that is safe on a terminal; a parser reads the same value. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? "null";
  return jsonControls.test(text) ? text.replace(everyJsonControl, escaped) : text;
}
