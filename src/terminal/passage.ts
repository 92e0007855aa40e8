import { blockCell, type CellOptions, timeText } from "./cells.ts";
import type { RenderOptions, RowWriter } from "./options.ts";
import { visible } from "./sanitize.ts";
import type { Passage } from "./view.ts";
import { loadMeasure, type Measure, wrapInto } from "./width.ts";

const indent = "  ";

/** Writes rows as passages, an empty line between them. */
export async function passageWriter(
  passageOf: (row: object) => Passage,
  options: Pick<RenderOptions, "stdout" | "style" | "now">,
): Promise<RowWriter> {
  const measure = await loadMeasure();
  let first = true;
  return {
    async take(rows) {
      const texts = rows.map((row) => `${passageLines(passageOf(row), "", options, measure).join("\n")}\n`);
      await options.stdout.write((first ? "" : "\n") + texts.join("\n"));
      first = false;
    },
    end: async () => {},
    broke: async () => {},
  };
}

function passageLines(
  { heading, text, inner = [] }: Passage,
  margin: string,
  options: Pick<RenderOptions, "stdout" | "style" | "now">,
  measure: Measure,
): string[] {
  const { stdout, style, now } = options;
  const cells: CellOptions = { now: stdout.isTerminal ? now : undefined };
  const [title = "", ...rest] = heading.map((part) =>
    visible(typeof part === "string" ? part : timeText(part.time, cells)),
  );
  const room = (stdout.columns ?? Number.POSITIVE_INFINITY) - margin.length - indent.length;
  const lines = text ? blockCell(text, undefined, cells) : [];
  const wrapped = lines.flatMap((line) => wrapInto(room, line, measure));
  return [
    `${margin}${[style.bold(title), ...rest.map(style.dim)].join(indent)}`,
    ...wrapped.map((line) => `${margin}${indent}${line}`.trimEnd()),
    ...inner.flatMap((each) => passageLines(each, margin + indent, options, measure)),
  ];
}
