/** How wide text is on a terminal, and cutting it to a width: wide characters count two, combining marks nothing. */
export interface Measure {
  width(text: string): number;
  /** At most `limit` columns, the last of them `…` where something is missing. Never inside a character. */
  cut(text: string, limit: number): string;
  /** Lines of at most `limit` columns, broken at spaces where there are any. */
  wrap(text: string, limit: number): string[];
}

const plain = /^[ -~]*$/;

export async function loadMeasure(): Promise<Measure> {
  const { default: exact } = await import("fast-string-width");
  const width = (text: string) => (plain.test(text) ? text.length : exact(text));
  let segmenter: Intl.Segmenter | undefined;

  /** How many code units of the text fit into so many columns, by whole characters as people see them. */
  const fitting = (text: string, limit: number): number => {
    if (plain.test(text)) return Math.min(text.length, limit);
    segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
    let used = 0;
    for (const { segment, index } of segmenter.segment(text)) {
      used += exact(segment);
      if (used > limit) return index;
    }
    return text.length;
  };

  const wrap = (text: string, limit: number): string[] => {
    const lines: string[] = [];
    let line = "";
    for (const word of text.split(/(?<= )(?! )/)) {
      if (line !== "" && width(line + word.trimEnd()) > limit) {
        lines.push(line.trimEnd());
        line = "";
      }
      line += word;
      while (width(line.trimEnd()) > limit) {
        // A character wider than the limit still has to go somewhere.
        const end = fitting(line, limit) || line.length;
        lines.push(line.slice(0, end));
        line = line.slice(end);
      }
    }
    lines.push(line.trimEnd());
    return lines;
  };

  return {
    width,
    cut: (text, limit) => {
      if (width(text) <= limit) return text;
      return limit < 1 ? "" : `${text.slice(0, fitting(text, limit - 1))}…`;
    },
    wrap,
  };
}

/** Narrower than this, a wrapped text is harder to read than an overlong line. */
const leastWidth = 20;

/** A line wrapped into the columns that are left for it, where those are enough to wrap into. */
export function wrapInto(room: number, line: string, measure: Measure): string[] {
  return room < leastWidth ? [line] : measure.wrap(line, room);
}
