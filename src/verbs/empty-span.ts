import { dayMs } from "../base/duration.ts";
import type { Context } from "../context.ts";

interface Bounds {
  /** A flag, as typed, and its value: a time or a day. */
  readonly after: readonly [flag: string, value: string | undefined];
  readonly before: readonly [flag: string, value: string | undefined];
  /** The bounds are days that are not of the span. */
  readonly areDays?: boolean;
}

/** Warns if nothing can be both after the one and before the other: the list is empty, whatever the instance has. */
export function warnOfEmptySpan(context: Pick<Context, "warn">, { after, before, areDays = false }: Bounds): void {
  const [[afterFlag, from], [beforeFlag, until]] = [after, before];
  if (from === undefined || until === undefined) return;
  if (Date.parse(from) + (areDays ? dayMs : 0) < Date.parse(until)) return;
  const both = `${afterFlag} ${from} and ${beforeFlag} ${until}`;
  context.warn(`nothing is within ${both}${areDays ? ": neither day is of the list" : ""}`);
}
