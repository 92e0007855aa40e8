import { DryRunStop } from "../api/types.ts";
import type { Context } from "../context.ts";
import { Failure } from "../errors.ts";

/** An item that failed, and why, in the server's words or ours. */
interface FailedRow {
  status: "failed";
  error: string;
}

/**
 * Does the same to many items, up to `--concurrency` at once, and gives a row for each, in order, as they end. One
 * failure does not stop the others; after the last row the whole fails with exit 9. A single item fails as itself.
 *
 * @param label names an item in its failed row: `{ tag_name: "v1" }`.
 */
export async function bulk<T>(
  context: Context,
  items: readonly T[],
  act: (item: T) => Promise<object>,
  label: (item: T) => object = (item) => ({ item }),
): Promise<AsyncIterable<object> | object[]> {
  const [only] = items;
  if (items.length === 1 && only !== undefined) return [await act(only)];
  if (context.config.dryRun) await planAll(items, act);
  return results(context, items, act, label);
}

/** In a dry run every item is noted down before the run stops. */
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

async function* results<T>(
  context: Context,
  items: readonly T[],
  act: (item: T) => Promise<object>,
  label: (item: T) => object,
): AsyncGenerator<object> {
  let failed = 0;
  const attempt = async (item: T): Promise<object> => {
    try {
      return await act(item);
    } catch (error) {
      if (!(error instanceof Failure) || error.exit === "interrupted") throw error;
      failed += 1;
      const row: FailedRow = { status: "failed", error: reasonOf(error) };
      return { ...label(item), ...row };
    }
  };
  const task = context.progress.start("working", { total: items.length, unit: "items" });
  try {
    let done = 0;
    for await (const row of ordered(items, attempt, context.config.concurrency)) {
      task.update(++done);
      yield row;
    }
  } finally {
    task.stop();
  }
  if (failed > 0) throw new Failure("partial", `${failed} of ${items.length} failed`, { code: "partial" });
}

/** The server's own reason says it all; a connection that broke has no words of the server's. */
function reasonOf({ exit, message, details: { reason } }: Failure): string {
  if (reason === undefined) return message;
  return exit === "network" ? `${message}; ${reason}` : reason;
}

/** Runs `act` on items with a bound on how many are under way, and yields the results in the items' order. */
export async function* ordered<T, R>(
  items: Iterable<T>,
  act: (item: T) => Promise<R>,
  concurrency: number,
): AsyncGenerator<R> {
  const underWay: Promise<R>[] = [];
  for (const item of items) {
    const started = act(item);
    started.catch(() => undefined);
    underWay.push(started);
    if (underWay.length >= concurrency) yield (await underWay.shift()) as R;
  }
  for (const pending of underWay) yield await pending;
}
