import { type DayCount, heatMap, monthlyWords } from "../pictures.ts";
import { type RenderOptions, type RowWriter, writeNotice } from "../render-options.ts";
import { joined, safe } from "../sanitize.ts";
import { loadMeasure, wrapInto } from "../width.ts";

/** Used when the terminal does not report its width. */
const anyWidth = Number.MAX_SAFE_INTEGER;
const lineFeed = safe`\n`;

/** Writes rows of `date` and `count` as a heat map that fits the terminal, or in words where nothing is drawn. */
export function calendarWriter(options: RenderOptions): RowWriter {
  const { stdout, style, header, pictures } = options;
  const days: DayCount[] = [];
  const draw = async () => {
    const columns = stdout.columns ?? anyWidth;
    const { months, days: lines, legend, drawn, weeks } = heatMap(days, columns, style);
    const wrapped = wrapInto(columns, legend, await loadMeasure());
    const all = [...(header ? [style.bold(months)] : []), ...lines, ...wrapped];
    await stdout.write(safe`${joined(all, lineFeed)}\n`);
    if (drawn < weeks) {
      const text = `the last ${drawn} of ${weeks} weeks: the terminal has no room for more; -o csv has every day`;
      await writeNotice(options, text);
    }
  };
  return {
    async take(rows) {
      days.push(...(rows as DayCount[]));
    },
    async end() {
      if (pictures) await draw();
      else await stdout.write(safe`${joined(monthlyWords(days), lineFeed)}\n`);
    },
    failed: async () => {},
  };
}
