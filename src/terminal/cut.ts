import type { Cut, RowsView } from "./view.ts";

/** Where a list was cut short, once its rows are read: pages know it themselves. */
export function cutOf({ cut, rows }: RowsView): Cut | undefined {
  if (cut !== undefined) return cut();
  return "batches" in rows ? rows.cut?.() : undefined;
}
