import type { TerminalText } from "../host.ts";
import type { RenderOptions } from "./options.ts";
import { joined, part, safe } from "./sanitize.ts";
import { jsonPalette, type Paint, plainStyle, type Style } from "./style.ts";

/** A name with its colon, a string, a word, or a number. Everything between them is unchanged. */
const token = /("(?:[^"\\]|\\.)*")(?=\s*(:)?)|true|false|null|-?\d[\d.eE+-]*/g;

/** Paints JSON on a terminal; undefined elsewhere, even with `--color always`, because programs read it there. */
export function jsonPainter({ stdout, style }: Pick<RenderOptions, "stdout" | "style">): Paint | undefined {
  return stdout.isTerminal && style !== plainStyle ? (text) => paintedJson(text, style) : undefined;
}

function paintedJson(text: TerminalText, style: Style): TerminalText {
  const parts: TerminalText[] = [];
  let end = 0;
  for (const { 0: word, 1: quoted, 2: colon, index } of text.matchAll(token)) {
    parts.push(part(text, end, index));
    end = index + word.length;
    const color = quoted !== undefined ? (colon ? "name" : "text") : word === "null" ? "nothing" : "word";
    parts.push(style[jsonPalette[color]](part(text, index, end)));
  }
  return joined([...parts, part(text, end)], safe``);
}
