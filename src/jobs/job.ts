import type { Context } from "../context.ts";
import type { ProgressTask } from "../terminal/interaction/index.ts";
import { streamed } from "./concurrently.ts";
import type { Tally } from "./tally.ts";

/** Work on many things, each of which has a result of its own. */
export interface Job<T, R> {
  /** Iterated once. */
  readonly items: Iterable<T>;
  /** The progress line: its text ("deleting") and the number of results to expect, or one of the job's own. */
  readonly progress: { readonly label: string; readonly count: number } | ProgressTask;
  /** Results in the order of the items. */
  readonly ordered?: boolean | undefined;
  /** The most items in progress at once; by default `--concurrency`. */
  readonly limit?: number | undefined;
  /** Does one item, and emits its results; an expected failure is a result as well (`Tally.attempt`). */
  act(item: T, emit: (result: R) => void): Promise<void>;
  /** Called once after the last result, even if the consumer stops before: closes a journal. */
  close?(): Promise<void>;
  /** Called after that, if all results were taken: throws the error of the whole run, if any. */
  conclude(): void | Promise<void>;
}

/** Runs a job and yields its results, with progress on a terminal. */
export async function* resultsOf<T, R>(context: Context, job: Job<T, R>): AsyncGenerator<R, void> {
  const { items, progress, limit = context.config.concurrency, ordered = false } = job;
  const task =
    "label" in progress ? context.progress.start(progress.label, { total: progress.count, unit: "items" }) : progress;
  let done = 0;
  try {
    for await (const result of streamed<T, R>(items, (item, emit) => job.act(item, emit), { limit, ordered })) {
      task.update(++done);
      yield result;
    }
  } finally {
    task.stop();
    await job.close?.();
  }
  await job.conclude();
}

/** Milliseconds that an item in progress has to end after Ctrl-C, before it is canceled. */
const graceMs = 5000;

/** Attempts an item that must not be cut off in the middle. */
export function attemptWhole<R>(context: Context, tally: Tally, act: () => Promise<R>) {
  return tally.attempt(() => context.uninterrupted(act, graceMs));
}
