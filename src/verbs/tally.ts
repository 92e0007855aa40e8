import { Failure, type FailureDetails } from "../base/errors.ts";
import type { Context } from "../context.ts";

/** Code of a journal that could not be written: nothing more is begun without it. */
export const journalFailed = "journal_failed";

/** What became of a thing that did not end well, and why, in the server's words or ours. */
export interface EndedRow {
  /**
   * `made` and `unknown`: the change was made, or may have been, and what came after it failed. `not_begun`: nothing was
   * sent for it, since the run ended before its turn.
   */
  status: Wrong;
  error: string;
}

/** How a thing can end, other than well, and how the summary counts it. */
const words = {
  failed: "failed",
  made: "made, but not confirmed as complete",
  unknown: "unknown",
  interrupted: "under way",
  not_begun: "not begun",
} as const;

type Wrong = keyof typeof words;

/** Counts what did not end well, and says what the whole run ends with: the same for everything that does many things. */
export class Tally {
  readonly #context: Pick<Context, "redact" | "signal" | "notice">;
  readonly #total: number;
  readonly #counts: Record<Wrong, number> = { failed: 0, made: 0, unknown: 0, interrupted: 0, not_begun: 0 };
  /** Things that Ctrl-C ended and that were looked at: they were not made. */
  #stopped = 0;
  #only: Failure | undefined;
  /** A bug, or a journal that cannot be written: the things that are left are not begun. */
  #end: { error: unknown } | undefined;

  constructor(context: Pick<Context, "redact" | "signal" | "notice">, total: number) {
    this.#context = context;
    this.#total = total;
  }

  /** Whether nothing is to be begun any more. */
  get isOver(): boolean {
    return this.#end !== undefined || this.#context.signal.aborted;
  }

  /** Counts a thing that this run leaves alone, or whose end the caller knows. */
  count(status: Wrong): void {
    this.#counts[status] += 1;
  }

  notBegun(): EndedRow {
    this.count("not_begun");
    return { status: "not_begun", error: this.#end === undefined ? "interrupted" : "the run ended before its turn" };
  }

  ended(error: unknown): EndedRow {
    const interrupted = this.#context.signal.aborted;
    const isFailure = error instanceof Failure;
    if ((!isFailure && !interrupted) || (isFailure && error.code === journalFailed)) this.stop(error);
    if (isFailure) this.#only = error;
    const status = this.#statusOf(error, interrupted);
    this.count(status);
    // A server may put into its words what was sent.
    const text = isFailure ? reasonOf(error) : String((error as Error)?.message ?? error);
    return { status, error: this.#context.redact(text) };
  }

  /** Lets nothing more begin; the run ends with this. */
  stop(error: unknown): void {
    this.#end ??= { error };
  }

  #statusOf(error: unknown, interrupted: boolean): Wrong {
    if (!(error instanceof Failure)) return interrupted ? "unknown" : "failed";
    const { outcome } = error.details;
    if (outcome === "made" || outcome === "unknown") return outcome;
    if (error.code === journalFailed) return "not_begun";
    if (error.exit !== "interrupted") return "failed";
    if (outcome === undefined) return "not_begun";
    this.#stopped += 1;
    return "failed";
  }

  /**
   * Throws what the whole run ends with, if anything went wrong: of one thing its own failure, else exit 9, or 130 where
   * Ctrl-C left something undone.
   *
   * @param rest the command that does the rest, or what is left to do
   */
  conclude(rest: Pick<FailureDetails, "hint" | "left"> = {}): void {
    if (this.#end !== undefined) throw this.#end.error;
    const { failed, unknown, interrupted, not_begun } = this.#counts;
    const wrong = Object.values(this.#counts).reduce((sum, count) => sum + count, 0);
    if (wrong === 0) {
      if (this.#total > 1) this.#context.notice(`${this.#total} of ${this.#total} done`);
      return;
    }
    const others = (Object.keys(words) as Wrong[]).flatMap((status) =>
      status === "failed" || this.#counts[status] === 0 ? [] : [`${this.#counts[status]} ${words[status]}`],
    );
    if (this.#context.signal.aborted && unknown + interrupted + not_begun + this.#stopped > 0) {
      const done = `${this.#total - wrong} of ${this.#total} done`;
      const parts = [done, ...(failed > 0 ? [`${failed} failed`] : []), ...others];
      throw new Failure("interrupted", `interrupted: ${parts.join(", ")}`, {
        ...{ code: "interrupted", retryable: false },
        ...rest,
      });
    }
    if (this.#total === 1 && this.#only !== undefined) throw this.#only;
    throw new Failure("partial", [`${failed} of ${this.#total} failed`, ...others].join(", "), {
      code: "partial",
      ...rest,
    });
  }
}

/** The server's own reason says it all; a connection that broke has no words of the server's. */
function reasonOf({ exit, message, details: { reason } }: Failure): string {
  if (reason === undefined) return message;
  return exit === "network" ? `${message}; ${reason}` : reason;
}
