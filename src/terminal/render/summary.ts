import { groupDigits } from "../../base/wording.ts";
import { bar, shortestBar, widestBar } from "../pictures.ts";
import { type RenderOptions, writeNotice } from "../render-options.ts";
import { blanks, safe, visible } from "../sanitize.ts";
import type { Summary } from "../view.ts";
import { loadMeasure } from "../width.ts";

const gap = safe`  `;

/** Writes a list's summary: with bars if stderr is a terminal, else as a sentence. */
export async function writeSummary({ text, counts = [] }: Summary, options: RenderOptions): Promise<void> {
  const { stderr, pictures, quiet } = options;
  if (text.length === 0) return;
  if (counts.length === 0) return writeNotice(options, text);
  if (!stderr.isTerminal || !pictures) {
    return writeNotice(
      options,
      `${[text].flat().join(" ")}: ${counts.map(([name, count]) => `${groupDigits(count)} ${name}`).join(", ")}`,
    );
  }
  if (quiet) return;
  const measure = await loadMeasure();
  const widest = (texts: readonly string[]) => Math.max(...texts.map((each) => measure.width(each)));
  const names = widest(counts.map(([name]) => name));
  const numbers = widest(counts.map(([, count]) => groupDigits(count)));
  const max = Math.max(...counts.map(([, count]) => count));
  const room = Math.min(widestBar, (stderr.columns ?? 80) - names - numbers - 2 * gap.length);
  const lines = counts.map(([name, count]) => {
    const drawn = room < shortestBar ? safe`` : safe`${bar(count / max, room)}${gap}`;
    const label = safe`${visible(name)}${blanks(names - measure.width(name))}`;
    return safe`${label}${gap}${drawn}${visible(groupDigits(count).padStart(numbers))}\n`;
  });
  await writeNotice(options, text);
  for (const line of lines) await stderr.write(line).catch(() => undefined);
}
