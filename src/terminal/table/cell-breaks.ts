import type { TerminalText } from "../../host.ts";
import { part, safe, trimmedEnd } from "../sanitize.ts";
import { isCommand, type Measure } from "../width.ts";

/** Where a cell that is never cut may be broken: nowhere, at spaces, or also within a name or a path. */
export type Breaks = "nowhere" | "spaces" | "punctuation";

const ends: Readonly<Record<Breaks | "header", RegExp | undefined>> = {
  nowhere: undefined,
  spaces: / +(?=.)/g,
  punctuation: /[ /_.,:;=&?-]+(?=.)/g,
  header: /[_.]+(?=.)/g,
};

/** The parts of a text that stay on one line, each with what separates it from the next. */
function partsOf(text: TerminalText, breaks: Breaks | "header"): TerminalText[] {
  // Broken, an address could not be copied.
  const separator = breaks === "punctuation" && text.includes("://") ? ends.spaces : ends[breaks];
  if (separator === undefined || isCommand(text)) return [text];
  const found = [...text.matchAll(separator)].map(({ index, 0: { length } }) => index + length);
  return [...found, text.length].map((end, index) => part(text, found[index - 1] ?? 0, end));
}

/** The width of the widest part. */
export function widestPart(text: TerminalText, breaks: Breaks | "header", measure: Measure): number {
  return partsOf(text, breaks).reduce((most, each) => Math.max(most, measure.width(each.trimEnd())), 0);
}

/** The lines of a text in a column of this width; a part that is wider has a line of its own. */
export function wrapParts(
  text: TerminalText,
  width: number,
  { breaks, measure }: { breaks: Breaks | "header"; measure: Measure },
): TerminalText[] {
  const lines: TerminalText[] = [];
  for (const piece of partsOf(text, breaks)) {
    const longer = safe`${lines.at(-1) ?? safe``}${piece}`;
    if (lines.length > 0 && measure.width(longer.trimEnd()) <= width) lines[lines.length - 1] = longer;
    else lines.push(piece);
  }
  return lines.map(trimmedEnd);
}
