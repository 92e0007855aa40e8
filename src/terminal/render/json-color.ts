import type { TerminalText } from "../../host.ts";
import type { RenderOptions } from "../render-options.ts";
import { joined, part, safe } from "../sanitize.ts";
import { jsonPalette, type Paint, plainStyle, type Style } from "../style.ts";

/** The beginning of a name or a string, a word, or a number. Everything between them is unchanged. */
const token = /"|true|false|null|-?\d[\d.eE+-]*/g;

/** Paints JSON on a terminal; undefined elsewhere, even with `--color always`, because programs read it there. */
export function jsonPainter({ stdout, style }: Pick<RenderOptions, "stdout" | "style">): Paint | undefined {
  return stdout.isTerminal && style !== plainStyle ? (text) => paintedJson(text, style) : undefined;
}

function paintedJson(text: TerminalText, style: Style): TerminalText {
  const parts: TerminalText[] = [];
  let end = 0;
  token.lastIndex = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const { 0: word, index } = found;
    parts.push(part(text, end, index));
    end = word === '"' ? endOfString(text, index) : index + word.length;
    token.lastIndex = end;
    const color = word === '"' ? (text[end] === ":" ? "name" : "text") : word === "null" ? "nothing" : "word";
    parts.push(style[jsonPalette[color]](part(text, index, end)));
  }
  parts.push(part(text, end));
  return joined(parts, safe``);
}

/** The position after a string. An expression for all of it overflows the stack if it has 20 million characters. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}
