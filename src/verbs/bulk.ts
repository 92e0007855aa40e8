import { DryRunStop } from "../api/types.ts";
import type { Context } from "../context.ts";
import { type EndedRow, Tally } from "./tally.ts";

/** Milliseconds that items in progress have to end after Ctrl-C, before they are canceled. */
export const graceMs = 5000;

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
  return results(context, all, act, { label, ...how });
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
  paced?: boolean;
  /** The command that completes the rest, with the program's name. */
  again?: string;
}

async function* results<T>(
  context: Context,
  items: readonly T[],
  act: (item: T) => Promise<object>,
  { label, paced = false, again }: Manner & { label: (item: T) => object },
): AsyncGenerator<object> {
  const tally = new Tally(context, items.length);
  const attempt = async (item: T): Promise<Attempted> => {
    const undone = (ended: EndedRow) => {
      const named = label(item);
      return {
        row: { ...named, ...ended },
        left: isUnfinished(ended) ? Object.values(named).slice(0, 1).map(String) : [],
      };
    };
    if (tally.isOver) return undone(tally.notStarted());
    try {
      return { row: await (paced ? act(item) : context.uninterrupted(() => act(item), graceMs)), left: [] };
    } catch (error) {
      return undone(tally.ended(error));
    }
  };
  const all: string[] = [];
  const task = context.progress.start("working", { total: items.length, unit: "items" });
  try {
    let done = 0;
    for await (const { row, left } of ordered(items, attempt, paced ? 1 : context.config.concurrency)) {
      task.update(++done);
      all.push(...left);
      yield row;
    }
  } finally {
    task.stop();
  }
  tally.conclude(again === undefined ? { left: all } : { hint: again });
}

interface Attempted {
  row: object;
  /** Its name as typed, unless it was done. */
  left: readonly string[];
}

/** A change that may have been made is not repeated. */
function isUnfinished({ status }: EndedRow): boolean {
  return status === "failed" || status === "not_begun";
}

/** Runs `act` on items with bounded concurrency, and yields the results in the items' order. */
export async function* ordered<T, R>(
  items: Iterable<T>,
  act: (item: T) => Promise<R>,
  concurrency: number,
): AsyncGenerator<R> {
  const inFlight: Promise<R>[] = [];
  for (const item of items) {
    const started = act(item);
    started.catch(() => undefined);
    inFlight.push(started);
    if (inFlight.length >= concurrency) yield (await inFlight.shift()) as R;
  }
  for (const pending of inFlight) yield await pending;
}
