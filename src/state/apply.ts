import { Failure } from "../base/errors.ts";
import type { Context } from "../context.ts";
import type { Change, Values } from "./kind.ts";
import { snapshot } from "./look.ts";
import { type ApplyOptions, failureText, type Made, make } from "./make.ts";
import { phases, restricts } from "./order.ts";
import { isWrite, listOf } from "./plan.ts";
import { concernsOne, type Reader, readerOf } from "./reader.ts";
import { addressOfChange } from "./row.ts";
import type { OpenRun, RunEntry, Status } from "./runs.ts";

/** One change as it came out. */
export interface Outcome {
  readonly change: Change;
  readonly status: Status;
  readonly error: string | null;
  /** What a failure of this change alone exits with. */
  readonly failure: Failure | undefined;
}

/** Failures after which no other change can be made either. */
const fatal = new Set<Failure["exit"]>(["unauthenticated", "network", "interrupted"]);

/**
 * Makes the changes of a plan: settings that lock nobody out, then groups, then projects, each scope on its own and
 * several at once, then the settings that can lock people out, if all else went well. Each change is noted, looked at,
 * sent, and looked at again. Outcomes come as they are known.
 */
export async function* applyPlan(
  context: Context,
  changes: readonly Change[],
  run: OpenRun,
  options: ApplyOptions,
): AsyncGenerator<Outcome> {
  const work = new Work(context, run, options);
  for (const { scopes, onlyIfAllWell } of phases(changes.filter(isWrite))) {
    if (onlyIfAllWell && work.troubled) {
      for (const change of scopes.flat()) yield work.leave(change, "skipped", "changes before this one failed");
      continue;
    }
    yield* sideBySide(scopes, (scope) => work.scope(scope), context.config.concurrency);
  }
}

class Work {
  troubled = false;
  readonly #context: Context;
  readonly #run: OpenRun;
  readonly #options: ApplyOptions;
  readonly #reader: Reader;
  /** Set by a failure after which nothing else can be made. */
  #ended: Failure | undefined;
  /** Lists in which an addition failed: nothing is taken out of them. */
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
      } else if (!allowed && restricts(change)) {
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
    this.troubled = true;
    return { change, status, error, failure: undefined };
  }

  /** Makes a change between two lines of the journal. */
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
      secrets: change.fields
        .filter(({ path, secret }) => secret && change.write.includes(path))
        .map(({ path }) => path),
    });
    await this.#run.note({ begin: line("unknown", "the run ended in the middle of it", null) });
    const making = make(this.#context, this.#reader, change, this.#options);
    const made = await making.catch((error: unknown) => this.#broken(change, error));
    await this.#run.note({ end: line(made.status, made.error, snapshot(change, made.live)) });
    if (made.status !== "done") this.troubled = true;
    return { change, status: made.status, error: made.error, failure: made.failure };
  }

  #broken({ kind }: Change, error: unknown): Made {
    if (!(error instanceof Failure)) throw error;
    if (fatal.has(error.exit) && !concernsOne(error, kind)) this.#ended = error;
    const status = error.details.outcome === "unknown" ? "unknown" : "failed";
    return { status, error: failureText(error), live: undefined, failure: error };
  }
}

/** Runs several sources at once and gives what they give as it comes. */
async function* sideBySide<T, R>(
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
