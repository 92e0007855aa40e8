import { type HelpPage, helpLines } from "../base/help-page.ts";
import type { TerminalText } from "../host.ts";
import { joined, part, safe, visible } from "./sanitize.ts";
import { helpPalette, plainStyle, type Style } from "./style.ts";

const placeholder = /<[a-z][^<>]*>/g;

/** A help page wrapped to a width, with headings and placeholders painted in the style. */
export function helpText(page: HelpPage, width: number, style: Style): TerminalText {
  const lines = helpLines(page, width).map(({ text, heading }) => {
    const line = visible(text);
    if (style === plainStyle) return line;
    return safe`${style[helpPalette.heading](part(line, 0, heading))}${withPlaceholders(part(line, heading), style)}`;
  });
  return safe`${joined(lines, safe`\n`)}\n`;
}

function withPlaceholders(line: TerminalText, style: Style): TerminalText {
  const parts: TerminalText[] = [];
  let end = 0;
  for (const { 0: found, index } of line.matchAll(placeholder)) {
    parts.push(part(line, end, index), style[helpPalette.placeholder](part(line, index, index + found.length)));
    end = index + found.length;
  }
  return joined([...parts, part(line, end)], safe``);
}
