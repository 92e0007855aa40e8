import type { TerminalText } from "../../host.ts";
import { inertWithin, tableLines } from "../job-log.ts";
import type { RenderOptions, RowWriter } from "../render-options.ts";
import { blanks, joined, part, safe, trimmedEnd, visible } from "../sanitize.ts";
import type { Signs } from "../signs.ts";
import { plainStyle, toned } from "../style.ts";
import { blockCell, type CellOptions, cellOptions, timeText } from "../table/cells.ts";
import type { Passage } from "../view.ts";
import { loadMeasure, type Measure, wrapInto, wrapOwn } from "../width.ts";

const indent = safe`  `;
/** Further to the right than texts: a name in a heading must write no line that looks like another heading. */
const belowHeading = safe`        `;
/** One word behind a sign, such as an address, is not broken: it is copied, and looks like no other heading. */
const oneWord = /^(?:\S )?[!-~]+$/;
const belowItem = safe`    `;
const lineFeed = safe`\n`;

/** Writes rows as passages, separated by an empty line unless their texts are beside their headings. */
export async function passageWriter(
  passageOf: (row: object, signs: Signs) => Passage,
  options: Pick<RenderOptions, "stdout" | "style" | "now" | "times" | "pictures">,
): Promise<RowWriter> {
  const measure = await loadMeasure();
  let first = true;
  return {
    async take(rows) {
      const texts = rows.map((row) => {
        const passage = passageOf(row, options.style.signs);
        const text = safe`${joined(passageLines(passage, safe``, options, measure), lineFeed)}\n`;
        const isApart = !first && passage.beside === undefined;
        first = false;
        return isApart ? safe`\n${text}` : text;
      });
      await options.stdout.write(tableLines(joined(texts, safe``), options.stdout));
    },
    end: async () => {},
    failed: async () => {},
  };
}

/** The same lines of one passage without colors, for a message on stderr, whatever stdout is. */
export async function plainPassage(passage: Passage, { stderr, now }: MessageOptions): Promise<TerminalText[]> {
  const options = { stdout: stderr, style: plainStyle, now: now(), times: false, pictures: false };
  return passageLines(passage, safe``, options, await loadMeasure());
}

interface MessageOptions {
  readonly stderr: RenderOptions["stderr"];
  now(): Date;
}

function passageLines(
  { heading, tone, beside, text, verbatim = false, itemized = false, inner = [] }: Passage,
  margin: TerminalText,
  options: Pick<RenderOptions, "stdout" | "style" | "now" | "times" | "pictures">,
  measure: Measure,
): TerminalText[] {
  const { stdout, style } = options;
  const cells = cellOptions(options);
  const [title = safe``, ...rest] = heading.map((part) => {
    const shown = visible(typeof part === "string" ? part : timeText(part.time, cells));
    return cells.now === undefined ? inertWithin(shown) : shown;
  });
  const paint = tone === undefined ? style.bold : toned(style, tone);
  if (beside !== undefined) {
    const head = joined([title, ...rest, safe``], indent);
    return besideLines(joined([paint(title), ...rest, safe``], indent), measure.width(head), {
      beside,
      cells,
      measure,
      stdout,
    });
  }
  const room = (stdout.columns ?? Number.POSITIVE_INFINITY) - margin.length - indent.length;
  const lines = text ? blockCell(text, undefined, cells) : [];
  const wrap = itemized ? itemLines : wrapInto;
  const wrapped = verbatim ? lines : lines.flatMap((line) => wrap(room, line, measure));
  const whole = joined([title, ...rest], indent);
  const isCopied = verbatim || [title, ...rest].every((part) => oneWord.test(part));
  const fits = isCopied || measure.width(whole) <= room + indent.length;
  const [first = title, ...more] = fits ? [] : headingLines([title, ...rest], room - belowHeading.length, measure);
  return [
    safe`${margin}${fits ? joined([paint(title), ...rest.map(style.dim)], indent) : paint(first)}`,
    ...more.map((line) => safe`${margin}${belowHeading}${style.dim(line)}`),
    ...wrapped.map((line) => trimmedEnd(safe`${margin}${indent}${line}`)),
    ...inner.flatMap((each) => passageLines(each, safe`${margin}${indent}`, options, measure)),
  ];
}

/** A long value must write no line that looks like another item. */
function itemLines(room: number, line: TerminalText, measure: Measure): TerminalText[] {
  if (measure.width(line) <= room) return [line];
  const [first = line, ...more] = wrapInto(room - belowItem.length, line, measure);
  return [first, ...more.map((each) => safe`${belowItem}${each}`)];
}

/** A heading that does not fit: a part of one word, such as an ID, is not broken, and a sign stays before its part. */
function headingLines(parts: readonly TerminalText[], room: number, measure: Measure): TerminalText[] {
  const lines: TerminalText[] = [];
  for (const each of parts) {
    const longer = joined([...lines.slice(-1), each], indent);
    if (measure.width(longer) <= room) {
      lines.splice(-1, 1, longer);
    } else if (oneWord.test(each)) {
      lines.push(each);
    } else {
      const sign = part(each, 0, /^\S (?=\S)/.exec(each)?.[0].length ?? 0);
      const [first = safe``, ...more] = wrapInto(room - sign.length, part(each, sign.length), measure);
      lines.push(safe`${sign}${first}`, ...more);
    }
  }
  return lines;
}

/** The minimum width of a text beside a heading: on a narrower terminal it runs past the edge. */
const leastBeside = 24;

/** Text starting on its heading's line, with further lines aligned below. */
function besideLines(
  head: TerminalText,
  width: number,
  {
    beside,
    cells,
    measure,
    stdout,
  }: { beside: string; cells: CellOptions; measure: Measure; stdout: RenderOptions["stdout"] },
): TerminalText[] {
  const room = Math.max(leastBeside, (stdout.columns ?? Number.POSITIVE_INFINITY) - width);
  const margin = blanks(width);
  return blockCell(beside, undefined, cells)
    .flatMap((line) => wrapOwn(room, line, measure))
    .map((line, index) => trimmedEnd(safe`${index === 0 ? head : margin}${line}`));
}
