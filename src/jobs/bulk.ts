import { DryRunStop } from "../api/api.ts";
import type { Context } from "../context.ts";
import { attemptWhole, resultsOf } from "./job.ts";
import { type EndedRow, Tally } from "./tally.ts";

/**
 * Applies an action to many items, up to `--concurrency` at a time, and yields a row for each, in order, as they end:
 * each item once, by its label. One failure does not stop the others; after the last row the run fails with exit 9.
 * After Ctrl-C, or a bug, no further item is started; every item still has its row, and the run ends with 130 or 70. A
 * single item fails with its own error. After Ctrl-C, items in progress have `graceMs` to end.
 *
 * The rows remain valid whatever happens later: a view of them sets `validIfPartial`.
 *
 * @param label names an item in its row: `{ tag_name: "v1" }`.
 */
export async function bulk<T>(
  context: Context,
  items: readonly T[],
  act: (item: T) => Promise<object>,
  label: (item: T) => object,
  how: Manner = {},
): Promise<AsyncIterable<object> | object[]> {
  const all = distinct(items, label);
  const [only] = all;
  if (all.length === 1 && only !== undefined) return [await act(only)];
  if (context.config.dryRun) await planAll(all, act);
  return rowsOf(context, all, act, { label, ...how });
}

/** The items without duplicates, in order of first occurrence. */
export function distinct<T>(items: readonly T[], label: (item: T) => unknown = (item) => item): T[] {
  return [...new Map(items.map((item) => [JSON.stringify(label(item)), item])).values()];
}

/** In a dry run every item is planned before the run stops. */
async function planAll<T>(items: readonly T[], act: (item: T) => Promise<object>): Promise<never> {
  for (const item of items) {
    try {
      await act(item);
    } catch (error) {
      if (!(error instanceof DryRunStop)) throw error;
    }
  }
  throw new DryRunStop();
}

interface Manner {
  /** One after another, throttled: an item that is still waiting is not started after Ctrl-C. */
  throttled?: boolean;
  /** The command that completes the rest, with the program's name. */
  again?: string;
  /** Whether an item's failure ends the whole run: no further item is started, and the run fails with it. */
  ends?: (error: unknown) => boolean;
}

function rowsOf<T>(
  context: Context,
  items: readonly T[],
  act: (item: T) => Promise<object>,
  { label, throttled = false, again, ends }: Manner & { label: (item: T) => object },
): AsyncIterable<object> {
  const tally = new Tally(context, items.length);
  if (again !== undefined) context.ifCutOff(again);
  // The names, as typed, of what was not done.
  const left: string[] = [];
  return resultsOf<T, object>(context, {
    items,
    progress: { label: "working", count: items.length },
    ordered: true,
    limit: throttled ? 1 : undefined,
    async act(item, emit) {
      const attempt = throttled
        ? await tally.attempt(() => act(item))
        : await attemptWhole(context, tally, () => act(item));
      if ("done" in attempt) {
        const { status } = attempt.done as { status?: string };
        if (status !== undefined && unchanged.has(status)) tally.pass(status);
        return emit(attempt.done);
      }
      if (ends?.(attempt.error)) tally.stop(attempt.error);
      const named = label(item);
      if (isUnfinished(attempt.ended)) left.push(...Object.values(named).slice(0, 1).map(String));
      emit({ ...named, ...attempt.ended });
    },
    conclude: () => tally.conclude(again === undefined ? { left } : { hint: again }),
  });
}

/** Statuses of items that were not changed, and are not called done. */
const unchanged: ReadonlySet<string> = new Set(["waiting", "skipped"]);

/** A change that may have been made is not repeated. */
function isUnfinished({ status }: EndedRow): boolean {
  return status === "failed" || status === "refused" || status === "not_tried";
}
