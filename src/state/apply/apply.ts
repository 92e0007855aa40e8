import { Failure } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { streamed } from "../../jobs/concurrently.ts";
import type { Change } from "../kind.ts";
import { concernsOne, type Readers, readerOf } from "../live/reader.ts";
import { isRemoval, listOf } from "../plan/plan.ts";
import type { OpenRun } from "../runs/runs.ts";
import type { ApplyOptions } from "./before-sending.ts";
import { ListChanges } from "./list-changes.ts";
import { narrows, phases, scopeKey, unpreparedIn } from "./phases.ts";
import { type Result, untouched } from "./result.ts";
import { RunJournal } from "./run-journal.ts";

/** The outcome of one change. */
export interface Outcome extends Result {
  readonly change: Change;
}

/** Failures that prevent all further changes. */
const fatal = new Set<Failure["exit"]>(["unauthenticated", "network", "interrupted"]);

/**
 * Makes the changes of a plan: settings without lockout risk, then groups, then projects, each scope independently and
 * several at once, then the settings that can lock users out, if all else succeeded. Each change is recorded, checked,
 * sent, and checked again. The outcomes of a list are yielded once its last change has been checked.
 */
export async function* applyPlan(
  context: Context,
  changes: readonly Change[],
  run: OpenRun,
  options: Omit<ApplyOptions, "run">,
): AsyncGenerator<Outcome> {
  const work = new Work(context, run, { options: { ...options, run: run.id }, unprepared: unpreparedIn(changes) });
  const planned = phases(changes);
  await work.plan(planned.flatMap(({ scopes }) => scopes.flat()));
  const isUnread = changes.some(({ action }) => action === "unreadable");
  for (const { scopes, onlyIfOthersSucceeded } of planned) {
    const left = onlyIfOthersSucceeded ? work.reasonToStop(isUnread) : undefined;
    const act = (scope: readonly Change[], emit: (outcome: Outcome) => void) => work.scope(scope, left, emit);
    yield* streamed(scopes, act, { limit: context.config.concurrency });
  }
  work.conclude();
}

interface Given {
  readonly options: ApplyOptions;
  readonly unprepared: ReadonlySet<string>;
}

class Work {
  #hasFailed = false;
  readonly #context: Context;
  readonly #journal: RunJournal;
  readonly #options: ApplyOptions;
  readonly #readers: Readers;
  /** What prevents all further changes. */
  #end: { readonly error: unknown } | undefined;
  /** Lists in which an addition failed: nothing is removed from them. */
  readonly #spoiled = new Set<string>();
  /** Scopes with an addition to their allowlists or links that failed: nothing takes access there. */
  readonly #unready = new Set<string>();

  /** Scopes with entries of these lists that could not be read or compared: nothing does there either. */
  readonly #unprepared: ReadonlySet<string>;

  constructor(context: Context, run: OpenRun, { options, unprepared }: Given) {
    this.#context = context;
    this.#journal = new RunJournal(context, run);
    this.#options = options;
    this.#unprepared = unprepared;
    this.#readers = {
      reader: readerOf(context.api, context.config),
      verifier: readerOf(context.verifier, context.config),
    };
  }

  plan(changes: readonly Change[]): Promise<void> {
    return this.#journal.plan(changes);
  }

  /** What becomes of changes that need the success of all others. */
  reasonToStop(isUnread: boolean): Result | undefined {
    if (isUnread) return untouched("not_tried", "something could not be read");
    return this.#hasFailed ? untouched("skipped", "changes before this one failed") : undefined;
  }

  /** The changes of one scope, list by list; with `left`, none of them is made. */
  async scope(changes: readonly Change[], left: Result | undefined, emit: (outcome: Outcome) => void): Promise<void> {
    for (const list of byList(changes)) {
      const outcomes = left === undefined ? await this.#list(list) : list.map((change) => ({ ...left, change }));
      for (const outcome of outcomes) this.#judge(outcome);
      await this.#keep(() => this.#journal.end(outcomes));
      for (const outcome of outcomes) emit(outcome);
    }
  }

  /** Throws what ended the run, if it is no failure of a change: a bug, or a journal that could not be written. */
  conclude(): void {
    if (this.#end !== undefined && !isFatal(this.#end.error)) throw this.#end.error;
  }

  #judge({ change, status }: Outcome): void {
    if (status === "done" || status === "unchanged") return;
    this.#hasFailed = true;
    if (isRemoval(change)) return;
    this.#spoiled.add(listOf(change));
    if (change.kind.gives) this.#unready.add(scopeKey(change));
  }

  async #list(changes: readonly [Change, ...Change[]]): Promise<Outcome[]> {
    const list = new ListChanges(this.#context, this.#readers, this.#options, changes);
    let closed: { readonly reason: Result | undefined } | undefined;
    const results = new Map<Change, Result>();
    for (const change of changes) {
      let result = this.#withheld(change);
      if (result === undefined) {
        closed ??= { reason: await list.open() };
        result = closed.reason ?? (await this.#make(list, change));
      }
      results.set(change, result);
      this.#endWith(result.failure, change);
      this.#options.made?.();
    }
    const corrected = await list.close().catch((error: unknown) => this.#stop(error));
    return changes.map((change) => {
      const result = this.#masked(corrected?.get(change) ?? (results.get(change) as Result));
      this.#endWith(result.failure, change);
      return { ...result, change };
    });
  }

  /** An instance may repeat the secret that it refuses. */
  #masked(result: Result): Result {
    return result.error === null ? result : { ...result, error: this.#context.redact(result.error) };
  }

  #endWith(failure: Failure | undefined, { kind }: Change): void {
    if (failure !== undefined && isFatal(failure) && !concernsOne(failure, kind)) this.#stop(failure);
  }

  /** Why a change is not made. */
  #withheld(change: Change): Result | undefined {
    if (this.#end !== undefined) return untouched("not_tried", wordsOf(this.#end.error));
    if (isRemoval(change) && this.#spoiled.has(listOf(change)))
      return untouched("skipped", "an addition to this list failed");
    if (!narrows(change)) return undefined;
    if (this.#unready.has(scopeKey(change))) return untouched("skipped", "an addition to one of its lists failed");
    if (this.#unprepared.has(scopeKey(change)))
      return untouched("skipped", "an entry of one of its lists could not be read or compared");
    return undefined;
  }

  async #make(list: ListChanges, change: Change): Promise<Result> {
    let begun = false;
    const begin = async () => {
      await this.#journal.begin(change);
      begun = true;
    };
    try {
      const result = this.#masked(await list.make(change, begin));
      if (begun) await this.#journal.end([{ ...result, change }]);
      return result;
    } catch (error) {
      this.#stop(error);
      const words = wordsOf(error);
      return begun ? { ...untouched("not_tried", words), status: "unknown" } : untouched("not_tried", words);
    }
  }

  async #keep(note: () => Promise<void>): Promise<void> {
    await note().catch((error: unknown) => this.#stop(error));
  }

  #stop(error: unknown): undefined {
    this.#end ??= { error };
  }
}

function isFatal(error: unknown): boolean {
  return error instanceof Failure && fatal.has(error.exit);
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The changes of each list together: additions and changes apart from removals, which they precede. */
function byList(changes: readonly Change[]): [Change, ...Change[]][] {
  const lists = new Map<string, [Change, ...Change[]]>();
  for (const change of changes) {
    const key = `${isRemoval(change)} ${listOf(change)}`;
    const list = lists.get(key);
    if (list === undefined) lists.set(key, [change]);
    else list.push(change);
  }
  return [...lists.values()];
}
