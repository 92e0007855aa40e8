import { Failure, type FailureDetails, reasonIn } from "../base/errors.ts";
import type { Context } from "../context.ts";

/** Code of a journal that could not be written: without it, nothing more is started. */
export const journalFailed = "journal_failed";

/** Code of a change that is not what the question named. */
export const staleCode = "stale";

/** The outcome of an item that did not succeed, and the reason, in the server's words or ours. */
export interface EndedRow {
  /**
   * `refused`: the server answered 4xx. `made` and `unknown`: the change was made, or may have been, and a later step
   * failed. `altered` and `not_taken`: the instance stored something else than was sent, or nothing. `stale`: it would
   * not be what the question named. `not_tried`: nothing was sent for it, since the run ended before its turn.
   */
  status: Wrong;
  error: string;
}

/** The outcomes that the summary counts on their own, and their words in it. */
const words = {
  made: "made, but not confirmed as complete",
  altered: "altered",
  not_taken: "not taken",
  stale: "stale",
  unknown: "unknown",
  not_tried: "not tried",
} as const;

/** The outcomes other than success. */
type Wrong = "failed" | "refused" | keyof typeof words;

/** The result of an attempt: what it returned, or how it ended otherwise. */
export type Attempt<R> =
  | { readonly done: R }
  | {
      readonly ended: EndedRow;
      /** What was thrown; undefined if it was not tried. */
      readonly error?: unknown;
    };

/**
 * Counts the items that did not succeed and determines the error of the whole run; shared by everything that processes
 * many items.
 */
export class Tally {
  readonly #context: Pick<Context, "redact" | "signal" | "closing">;
  readonly #total: number;
  readonly #counts = new Map<Wrong, number>();
  #skipped = 0;
  readonly #passed = new Map<string, number>();
  #only: Failure | undefined;
  /** A bug, or a journal that cannot be written: no further item is started. */
  #end: { error: unknown } | undefined;

  constructor(context: Pick<Context, "redact" | "signal" | "closing">, total: number) {
    this.#context = context;
    this.#total = total;
  }

  /** Whether no further item may be started. */
  get isOver(): boolean {
    return this.#end !== undefined || this.#context.signal.aborted;
  }

  /** Counts an item that this run skips, or whose outcome the caller knows. */
  count(status: Wrong): void {
    this.#counts.set(status, this.#count(status) + 1);
  }

  #count(status: Wrong): number {
    return this.#counts.get(status) ?? 0;
  }

  /** Counts an item that an earlier run has done. */
  skip(): void {
    this.#skipped += 1;
  }

  /** Counts an item that ended without a change, by its status: `waiting`. */
  pass(status: string): void {
    this.#passed.set(status, (this.#passed.get(status) ?? 0) + 1);
  }

  /** Runs the action of one item, unless the run is over, and counts its outcome. */
  async attempt<R>(act: () => Promise<R>): Promise<Attempt<R>> {
    if (this.isOver) return { ended: this.#notTried() };
    try {
      return { done: await act() };
    } catch (error) {
      return { ended: this.ended(error), error };
    }
  }

  #notTried(): EndedRow {
    this.count("not_tried");
    return { status: "not_tried", error: this.#end === undefined ? "interrupted" : "the run ended before its turn" };
  }

  ended(error: unknown): EndedRow {
    const interrupted = this.#context.signal.aborted;
    const isFailure = error instanceof Failure;
    if ((!isFailure && !interrupted) || (isFailure && error.code === journalFailed)) this.stop(error);
    if (isFailure) this.#only = error;
    const status = this.#statusOf(error);
    this.count(status);
    // A server's message may contain what was sent.
    const text = isFailure ? reasonOf(error) : String((error as Error)?.message ?? error);
    return { status, error: this.#context.redact(text) };
  }

  /** Prevents further items from being started; the run ends with this error. */
  stop(error: unknown): void {
    this.#end ??= { error };
  }

  #announce(): void {
    const total = this.#total;
    if (this.#skipped > 0 && this.#skipped === total) {
      this.#context.closing(`nothing was sent: ${total === 1 ? "it was" : `all ${total} were`} done before`);
    } else if (total > 1) {
      const passed = [...this.#passed].map(([status, count]) => `, ${count} ${status}`).join("");
      const skipped = this.#skipped === 0 ? "" : `, ${this.#skipped} skipped: done before`;
      const done = [...this.#passed.values()].reduce((left, count) => left - count, total - this.#skipped);
      this.#context.closing(`${done} of ${total} done${passed}${skipped}`);
    }
  }

  #statusOf(error: unknown): Wrong {
    // The program's own failure does not tell whether something was sent before it.
    if (!(error instanceof Failure)) return "unknown";
    const { outcome, status = 0 } = error.details;
    if (outcome !== undefined && Object.hasOwn(words, outcome)) return outcome as Wrong;
    if (error.code === journalFailed) return "not_tried";
    if (error.code === staleCode) return "stale";
    if (error.exit !== "interrupted") return status >= 400 && status < 500 ? "refused" : "failed";
    return "not_tried";
  }

  /**
   * Throws the error of the whole run, if anything went wrong: for a single item its own failure, otherwise exit 9, or
   * 130 if Ctrl-C left something undone.
   *
   * @param rest the command that completes the rest, or the items left to do
   */
  conclude(rest: Pick<FailureDetails, "hint" | "left"> = {}): void {
    if (this.#end !== undefined) throw completable(this.#end.error, rest);
    const wrong = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    if (wrong === 0) {
      this.#announce();
      return;
    }
    const without = this.#count("failed") + this.#count("refused");
    const others = Object.entries(words).flatMap(([status, word]) => {
      const count = this.#count(status as Wrong);
      return count === 0 ? [] : [`${count} ${word}`];
    });
    const undone = this.#count("unknown") + this.#count("not_tried");
    if (this.#context.signal.aborted && undone > 0) {
      const done = `${this.#total - wrong - this.#skipped} of ${this.#total} done`;
      const parts = [done, ...(without > 0 ? [`${without} failed`] : []), ...others];
      throw new Failure("interrupted", `interrupted: ${parts.join(", ")}`, {
        ...{ code: "interrupted", retryable: false },
        ...rest,
      });
    }
    if (this.#total === 1 && this.#only !== undefined) {
      // What is left of an inner command is no item of this one.
      throw this.#only.details.left === undefined ? this.#only : this.#only.with({ left: [], ...rest });
    }
    throw new Failure("partial", [`${without} of ${this.#total} failed`, ...others].join(", "), {
      code: "partial",
      ...rest,
    });
  }
}

/** Without a journal of its own, the command run again would do all of it again: what completes the rest is another. */
function completable(error: unknown, { hint }: Pick<FailureDetails, "hint">): unknown {
  const isJournals = error instanceof Failure && error.code === journalFailed && hint !== undefined;
  return isJournals ? error.with({ hint }) : error;
}

/** The server's own reason is enough; for a broken connection there is none. */
function reasonOf(failure: Failure): string {
  const { exit, message, details } = failure;
  const isBroken = exit === "network" && details.reason !== undefined;
  return isBroken ? `${message}; ${reasonIn(failure)}` : reasonIn(failure);
}
