import type { TerminalText } from "../host.ts";
import { blockCell, cellOptions, timeText } from "./cells.ts";
import type { RenderOptions, RowWriter } from "./options.ts";
import { joined, safe, trimmedEnd, visible } from "./sanitize.ts";
import type { Passage } from "./view.ts";
import { loadMeasure, type Measure, wrapInto } from "./width.ts";

const indent = safe`  `;
const lineFeed = safe`\n`;

/** Writes rows as passages, an empty line between them. */
export async function passageWriter(
  passageOf: (row: object) => Passage,
  options: Pick<RenderOptions, "stdout" | "style" | "now" | "pictures">,
): Promise<RowWriter> {
  const measure = await loadMeasure();
  let first = true;
  return {
    async take(rows) {
      const texts = rows.map(
        (row) => safe`${joined(passageLines(passageOf(row), safe``, options, measure), lineFeed)}\n`,
      );
      await options.stdout.write(safe`${first ? safe`` : lineFeed}${joined(texts, lineFeed)}`);
      first = false;
    },
    end: async () => {},
    broke: async () => {},
  };
}

function passageLines(
  { heading, text, verbatim = false, inner = [] }: Passage,
  margin: TerminalText,
  options: Pick<RenderOptions, "stdout" | "style" | "now" | "pictures">,
  measure: Measure,
): TerminalText[] {
  const { stdout, style } = options;
  const cells = cellOptions(options);
  const [title = safe``, ...rest] = heading.map((part) =>
    visible(typeof part === "string" ? part : timeText(part.time, cells)),
  );
  const room = (stdout.columns ?? Number.POSITIVE_INFINITY) - margin.length - indent.length;
  const lines = text ? blockCell(text, undefined, cells) : [];
  const wrapped = verbatim ? lines : lines.flatMap((line) => wrapInto(room, line, measure));
  return [
    safe`${margin}${joined([style.bold(title), ...rest.map(style.dim)], indent)}`,
    ...wrapped.map((line) => trimmedEnd(safe`${margin}${indent}${line}`)),
    ...inner.flatMap((each) => passageLines(each, safe`${margin}${indent}`, options, measure)),
  ];
}
