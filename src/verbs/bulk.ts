import { DryRunStop } from "../api/types.ts";
import { Failure } from "../base/errors.ts";
import type { Context } from "../context.ts";

/** The outcome of an item that did not succeed, and why, in the server's words or ours. */
interface EndedRow {
  /**
   * `made` and `unknown`: the change was made, or may have been, and a later step failed. `not_begun`: nothing was
   * sent for it, since the run ended before its turn.
   */
  status: "failed" | "made" | "unknown" | "not_begun";
  error: string;
}

/**
 * Applies an action to many items, up to `atOnce` (`--concurrency`) at a time, and yields a row for each, in order, as they
 * end: each item once, by its label. One failure does not stop the others; after the last row the run fails with
 * exit 9. After Ctrl-C, or a bug, no further item is started; every item still has its row, and the run ends with
 * 130 or 70. A single item fails with its own error.
 *
 * The rows remain valid whatever happens later: a view of them sets `stands`.
 *
 * @param label names an item in its row: `{ tag_name: "v1" }`.
 */
export async function bulk<T>(
  context: Context,
  items: readonly T[],
  act: (item: T) => Promise<object>,
  label: (item: T) => object = (item) => ({ item }),
  atOnce = context.config.concurrency,
): Promise<AsyncIterable<object> | object[]> {
  const all = distinct(items, label);
  const [only] = all;
  if (all.length === 1 && only !== undefined) return [await act(only)];
  if (context.config.dryRun) await planAll(all, act);
  return results(context, all, act, { label, atOnce });
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

async function* results<T>(
  context: Context,
  items: readonly T[],
  act: (item: T) => Promise<object>,
  { label, atOnce }: { label: (item: T) => object; atOnce: number },
): AsyncGenerator<object> {
  const tally = new Tally(items.length);
  const attempt = async (item: T): Promise<object> => {
    if (tally.end !== undefined || context.signal.aborted) return { ...label(item), ...tally.notBegun() };
    try {
      return await act(item);
    } catch (error) {
      return { ...label(item), ...tally.ended(error, context.signal.aborted) };
    }
  };
  const task = context.progress.start("working", { total: items.length, unit: "items" });
  try {
    let done = 0;
    for await (const row of ordered(items, attempt, atOnce)) {
      task.update(++done);
      yield row;
    }
  } finally {
    task.stop();
  }
  tally.conclude(context.signal.aborted);
}

/** Counts the outcomes, and keeps the error that ends the whole run. */
export class Tally {
  readonly #total: number;
  readonly #counts = { failed: 0, made: 0, unknown: 0, not_begun: 0 };
  /** Items that Ctrl-C interrupted and that were checked: the change was not made. */
  #stopped = 0;
  /** A bug: the remaining items are not started. */
  end: { error: unknown } | undefined;

  constructor(total: number) {
    this.#total = total;
  }

  notBegun(): EndedRow {
    this.#counts.not_begun += 1;
    return { status: "not_begun", error: this.end === undefined ? "interrupted" : "the run ended before its turn" };
  }

  ended(error: unknown, interrupted: boolean): EndedRow {
    const isFailure = error instanceof Failure;
    if (!isFailure && !interrupted) this.end ??= { error };
    const outcome = isFailure ? error.details.outcome : interrupted ? "unknown" : undefined;
    const isOurs = isFailure && error.exit === "interrupted";
    const wasLookedAt = isOurs && outcome === "none";
    if (wasLookedAt) this.#stopped += 1;
    const isOpen = outcome === "made" || outcome === "unknown";
    const status = isOpen ? outcome : isOurs && !wasLookedAt ? "not_begun" : "failed";
    this.#counts[status] += 1;
    return { status, error: isFailure ? reasonOf(error) : String((error as Error)?.message ?? error) };
  }

  /** Throws the error of the whole run, if any item failed. */
  conclude(interrupted: boolean): void {
    const { failed, made, unknown, not_begun } = this.#counts;
    const wrong = failed + made + unknown + not_begun;
    if (this.end !== undefined) throw this.end.error;
    if (wrong === 0) return;
    const counts: [number, string][] = [
      [made, "made, but not confirmed as complete"],
      [unknown, "unknown"],
      [not_begun, "not begun"],
    ];
    const others = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
    if (interrupted && unknown + not_begun + this.#stopped > 0) {
      const done = this.#total - wrong;
      const parts = [`${done} of ${this.#total} done`, ...(failed > 0 ? [`${failed} failed`] : []), ...others];
      throw new Failure("interrupted", `interrupted: ${parts.join(", ")}`, { code: "interrupted", retryable: false });
    }
    throw new Failure("partial", [`${failed} of ${this.#total} failed`, ...others].join(", "), { code: "partial" });
  }
}

/** The server's reason if there is one; a broken connection has none. */
function reasonOf({ exit, message, details: { reason } }: Failure): string {
  if (reason === undefined) return message;
  return exit === "network" ? `${message}; ${reason}` : reason;
}

/** Runs `act` on items with bounded concurrency, and yields the results in the items' order. */
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
