import type { TerminalText } from "../host.ts";
import { joined, part, safe, trimmedEnd, visible } from "./sanitize.ts";
import { type Signs, unicodeSigns } from "./signs.ts";

/** Measures, cuts, and wraps text in terminal columns: wide characters count 2, combining marks 0. */
export interface Measure {
  width(text: string): number;
  /** At most `limit` columns, ending in `…` (`...` in ASCII) if cut. Never cuts inside a character. */
  cut(text: TerminalText, limit: number): TerminalText;
  /** Lines of at most `limit` columns, broken at spaces if possible. */
  wrap(text: TerminalText, limit: number): TerminalText[];
}

const plain = /^[ -~]*$/;
/** Characters of one code unit that never combine with the one before. */
const simple =
  /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u0410-\u044f\u2010-\u2027\u2400-\u2421\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/;
/** A segmenter's time grows with the square of the text's length. */
const segmentedAtOnce = 512;

export async function loadMeasure(signs: Pick<Signs, "cut"> = unicodeSigns): Promise<Measure> {
  const { default: exact } = await import("fast-string-width");
  const width = (text: string) => (plain.test(text) ? text.length : exact(text));
  let segmenter: Intl.Segmenter | undefined;

  /** Grapheme clusters with their widths. */
  function* characters(text: string): Generator<{ end: number; columns: number }> {
    if (simple.test(text)) {
      for (let end = 1; end <= text.length; end++) yield { end, columns: width(text.charAt(end - 1)) };
      return;
    }
    segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
    for (let at = 0; at < text.length; ) {
      const part = text.slice(at, at + segmentedAtOnce);
      const isLast = at + part.length === text.length;
      const from = at;
      for (const { segment, index } of segmenter.segment(part)) {
        const end = index + segment.length;
        // The last character of a part may continue in the next.
        if (end === part.length && !isLast && index > 0) break;
        at = from + end;
        yield { end: at, columns: exact(segment) };
      }
    }
  }

  /** How many code units of the text fit into `limit` columns. */
  const fitting = (text: string, limit: number): number => {
    if (plain.test(text)) return Math.min(text.length, limit);
    let used = 0;
    let fits = 0;
    for (const { end, columns } of characters(text)) {
      used += columns;
      if (used > limit) return fits;
      fits = end;
    }
    return text.length;
  };

  /** Splits a word wider than a line; a character wider than the line gets a line of its own. */
  const pieces = (word: TerminalText, limit: number): TerminalText[] => {
    const ends: number[] = [];
    let used = 0;
    let last = 0;
    const shown = word.trimEnd();
    for (const { end, columns } of plain.test(shown) ? ascii(shown) : characters(shown)) {
      if (used + columns > limit && used > 0) {
        ends.push(last);
        used = 0;
      }
      used += columns;
      last = end;
    }
    return [...ends, word.length].map((end, index) => part(word, ends[index - 1] ?? 0, end));
  };

  const wrap = (text: TerminalText, limit: number): TerminalText[] => {
    const lines: TerminalText[] = [];
    let line: TerminalText[] = [];
    let used = 0;
    const flush = () => {
      lines.push(trimmedEnd(joined(line, safe``)));
      line = [];
      used = 0;
    };
    for (const word of wordsOf(text)) {
      const columns = width(word.trimEnd());
      if (line.length > 0 && used + columns > limit) flush();
      for (const piece of columns > limit ? pieces(word, limit) : [word]) {
        if (line.length > 0 && columns > limit) flush();
        line.push(piece);
        used += width(piece);
      }
    }
    flush();
    return lines;
  };

  return {
    width,
    cut: (text, limit) => {
      if (width(text) <= limit) return text;
      const mark = visible(signs.cut.slice(0, Math.max(0, limit)));
      return safe`${part(text, 0, fitting(text, Math.max(0, limit - mark.length)))}${mark}`;
    },
    wrap,
  };
}

function* ascii(text: string): Generator<{ end: number; columns: number }> {
  for (let end = 1; end <= text.length; end++) yield { end, columns: 1 };
}

/** Words with their trailing spaces. */
function wordsOf(text: TerminalText): TerminalText[] {
  const words: TerminalText[] = [];
  let start = 0;
  for (const { index } of text.matchAll(/ (?! )/g)) {
    words.push(part(text, start, index + 1));
    start = index + 1;
  }
  return [...words, part(text, start)];
}

/** In less width, wrapped text is harder to read than an overlong line. */
const leastWidth = 20;

/** Wraps a line to the available columns; unchanged if there are too few. */
export function wrapInto(room: number, line: TerminalText, measure: Measure): TerminalText[] {
  return room < leastWidth ? [line] : measure.wrap(line, room);
}

/**
 * The same for lines of this program's own: a command is not broken, since pasted, each of its lines would be a command
 * of its own. The terminal itself wraps it, to its left edge, where the text of another person could look like more.
 */
export function wrapOwn(room: number, line: TerminalText, measure: Measure): TerminalText[] {
  return isCommand(line) ? [line] : wrapInto(room, line, measure);
}

export function isCommand(text: TerminalText): boolean {
  return /^(?:try: )?forgectl /.test(text);
}
