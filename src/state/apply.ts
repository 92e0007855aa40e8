import { Failure } from "../base/errors.ts";
import type { Context } from "../context.ts";
import type { Change, Values } from "./kind.ts";
import { idOf, snapshot } from "./live.ts";
import { type ApplyOptions, failureText, type Made, make } from "./make.ts";
import { phases } from "./order.ts";
import { listOf } from "./plan.ts";
import { concernsOne, type Reader, readerOf } from "./reader.ts";
import { addressOfChange } from "./row.ts";
import type { OpenRun, RunEntry, Status } from "./runs.ts";
import { hiddenBy, unrecorded } from "./secrecy.ts";

/** The outcome of one change. */
export interface Outcome {
  readonly change: Change;
  readonly status: Status;
  readonly error: string | null;
  /** The error to report if only this change failed. */
  readonly failure: Failure | undefined;
}

/** Failures that prevent all further changes. */
const fatal = new Set<Failure["exit"]>(["unauthenticated", "network", "interrupted"]);

/**
 * Makes the changes of a plan: settings without lockout risk, then groups, then projects, each scope independently and
 * several at once, then the settings that can lock users out, if all else succeeded. Each change is recorded, checked,
 * sent, and checked again. Outcomes are yielded as they are known.
 */
export async function* applyPlan(
  context: Context,
  changes: readonly Change[],
  run: OpenRun,
  options: ApplyOptions,
): AsyncGenerator<Outcome> {
  const work = new Work(context, run, options);
  const isUnread = changes.some(({ action }) => action === "unreadable");
  for (const { scopes, onlyIfOthersSucceeded } of phases(changes)) {
    if (onlyIfOthersSucceeded && isUnread) {
      for (const change of scopes.flat()) yield work.leave(change, "not_tried", "something could not be read");
      continue;
    }
    if (onlyIfOthersSucceeded && work.hasFailed) {
      for (const change of scopes.flat()) yield work.leave(change, "skipped", "changes before this one failed");
      continue;
    }
    yield* concurrently(scopes, (scope) => work.scope(scope), context.config.concurrency);
  }
}

class Work {
  hasFailed = false;
  readonly #context: Context;
  readonly #run: OpenRun;
  readonly #options: ApplyOptions;
  readonly #reader: Reader;
  /** Set by a failure that prevents all further changes. */
  #ended: Failure | undefined;
  /** Lists in which an addition failed: nothing is removed from them. */
  readonly #spoiled = new Set<string>();

  constructor(context: Context, run: OpenRun, options: ApplyOptions) {
    this.#context = context;
    this.#run = run;
    this.#options = options;
    this.#reader = readerOf(context.api);
  }

  /** The changes of one scope, one after the other. */
  async *scope(changes: readonly Change[]): AsyncGenerator<Outcome> {
    let allowed = true;
    for (const change of changes) {
      const removal = change.desired === undefined;
      if (this.#ended !== undefined) yield this.leave(change, "not_tried", this.#ended.message);
      else if (removal && this.#spoiled.has(listOf(change))) {
        yield this.leave(change, "skipped", "an addition to this list failed");
      } else if (!allowed && change.kind.restricts?.(change)) {
        yield this.leave(change, "skipped", "an addition to its allowlists failed");
      } else {
        const outcome = await this.#note(change);
        if (outcome.status !== "done" && !removal) {
          this.#spoiled.add(listOf(change));
          if (change.kind.within === "job_token_scope") allowed = false;
        }
        yield outcome;
      }
    }
  }

  leave(change: Change, status: Status, error: string): Outcome {
    this.hasFailed = true;
    return { change, status, error, failure: undefined };
  }

  /** Makes a change, with a journal entry before and after it. */
  async #note(change: Change): Promise<Outcome> {
    const line = (status: Status, error: string | null, after: Values | null): RunEntry => ({
      address: addressOfChange(change),
      at: change.scope.at,
      scope: change.scope.name,
      kind: change.kind.name,
      key: change.key,
      id: change.id,
      action: change.action,
      status,
      error,
      before: snapshot(change, change.live),
      after,
      secrets: unrecorded(change),
      hidden: hiddenBy(change),
    });
    await this.#run.note({ begin: line("unknown", "the run ended during this change", null) });
    const making = make(this.#context, this.#reader, change, this.#options);
    const made = await making.catch((error: unknown) => this.#broken(change, error));
    const id = change.id ?? idOf(made.live);
    await this.#run.note({ end: { ...line(made.status, made.error, snapshot(change, made.live)), id } });
    if (made.status !== "done") this.hasFailed = true;
    if (made.failure !== undefined && fatal.has(made.failure.exit)) this.#ended ??= made.failure;
    return { change, status: made.status, error: made.error, failure: made.failure };
  }

  #broken({ kind }: Change, error: unknown): Made {
    if (!(error instanceof Failure)) throw error;
    if (fatal.has(error.exit) && !concernsOne(error, kind)) this.#ended = error;
    const status = error.details.outcome === "unknown" ? "unknown" : "failed";
    return { status, error: failureText(error), live: undefined, failure: error };
  }
}

/** Runs several sources concurrently and yields their results as they arrive. */
async function* concurrently<T, R>(
  items: readonly T[],
  act: (item: T) => AsyncGenerator<R>,
  concurrency: number,
): AsyncGenerator<R> {
  const waiting = [...items];
  const active = new Map<AsyncGenerator<R>, Promise<{ from: AsyncGenerator<R>; result: IteratorResult<R> }>>();
  const pull = (from: AsyncGenerator<R>) =>
    active.set(
      from,
      from.next().then((result) => ({ from, result })),
    );
  const fill = () => {
    while (active.size < concurrency && waiting.length > 0) pull(act(waiting.shift() as T));
  };
  for (fill(); active.size > 0; fill()) {
    const { from, result } = await Promise.race(active.values());
    active.delete(from);
    if (result.done) continue;
    pull(from);
    yield result.value;
  }
}
