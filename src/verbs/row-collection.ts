import type { Context } from "../context.ts";
import { concurrently } from "../jobs/concurrently.ts";

/** All rows of a list, in memory. */
export async function collected<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** The first row of a list, of which no more is read; undefined if there is none. */
export async function firstOf<T>(rows: AsyncIterable<T>): Promise<T | undefined> {
  for await (const row of rows) return row;
  return undefined;
}

/**
 * Calls `read` on the items concurrently, and returns the results in order; progress is shown.
 *
 * @param label what the progress line says: "reading tags"
 */
export async function mapWithProgress<T, R>(
  context: Context,
  label: string,
  items: readonly T[],
  read: (item: T) => Promise<R>,
): Promise<R[]> {
  const task = context.progress.start(label, { total: items.length, unit: "items" });
  const seen: R[] = [];
  try {
    for await (const each of concurrently(items, read, { limit: context.config.concurrency, ordered: true })) {
      seen.push(each);
      task.update(seen.length);
    }
  } finally {
    task.stop();
  }
  return seen;
}
