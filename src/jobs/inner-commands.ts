import { saysGone } from "../api/outcome.ts";
import { exitCodes, Failure, UsageError } from "../base/errors.ts";
import type { Context, InnerCommand } from "../context.ts";
import { type Collected, collect } from "../terminal/collect.ts";
import { failureObject } from "../terminal/failure.ts";
import { attemptWhole, resultsOf } from "./job.ts";
import { isOpen, type Journal, openJournal } from "./journal.ts";
import { type EndedRow, Tally } from "./tally.ts";
import { withUniqueIds } from "./unique-ids.ts";

/** One unit of a job: a command on a scope, a line of a batch. */
export interface Task {
  /** Identifies it in the journal, the same in every run; equal tasks may share one. */
  readonly id: string;
}

/** How a task ended. */
export interface Ended {
  /** Exit code of the command; null if it was not started. */
  readonly exit: number | null;
  readonly status: "done" | EndedRow["status"];
  /** After a failure, the partial result. */
  readonly result: unknown;
  /** Information about the rows of the result, from its view. */
  readonly about?: Collected["about"];
  /** The error's JSON form; null if there is none. */
  readonly error: Readonly<Record<string, unknown>> | null;
}

/** The commands that use the terminal or run others, and so cannot run inside another command. */
const unfit = new Set(["auth", "profiles", "sandbox", "batch", "each", "completion", "__complete", "state", "doctor"]);

const unfitVerbs = new Set(["hooks listen", "files edit", "settings edit"]);

/** Refuses a command that cannot run inside another one. */
export function refuseUnfit({ path, globals }: InnerCommand, inside: string): void {
  const [group = ""] = path;
  if (unfit.has(group) || unfitVerbs.has(path.join(" "))) {
    throw new UsageError(`${path.join(" ")} cannot be run by ${inside}`, { code: "unfit_command" });
  }
  const others = globals.filter((name) => name !== "yes" && name !== "header");
  if (others.length === 0) return;
  const flags = others.map((name) => `--${name.replaceAll("_", "-")}`).join(", ");
  throw new UsageError(`${flags}: give this to ${inside}, not to the command that it runs`, {
    hint: `put it before: forgectl ${inside} ${flags} ...`,
  });
}

interface Run {
  readonly journal: string | undefined;
  readonly command: string;
  readonly yes: boolean;
}

type Scope = Readonly<Record<string, string>>;

/** The command of a task. */
interface Prepared {
  readonly command: InnerCommand;
  /** What is filled in. */
  readonly scope?: Scope;
}

interface Started extends Required<Prepared> {
  /** An earlier run started it and did not record its end. */
  readonly started: boolean;
}

/** Runs tasks, each recorded before and after if there is a journal. After a bug or Ctrl-C, no other is started. */
export class Runner<T extends Task> {
  readonly #context: Context;
  readonly #journal: Journal | undefined;
  readonly #yes: boolean;
  readonly #tally: Tally;
  /** What earlier runs have not completed. */
  readonly #todo: Iterable<T>;
  readonly #count: number;

  private constructor(context: Context, journal: Journal | undefined, yes: boolean, tasks: Iterable<T>) {
    this.#context = context;
    this.#journal = journal;
    this.#yes = yes;
    this.#todo = left(tasks, journal);
    this.#count = sizeOf(this.#todo);
    this.#tally = new Tally(context, this.#count);
    const total = sizeOf(tasks);
    if (this.#count < total) context.notice(`${total - this.#count} of ${total} are already done`);
  }

  /**
   * Opens the journal of a run, if one was asked for, and leaves out what it records as done.
   *
   * @param tasks iterated more than once: thousands of them need not be in memory
   */
  static async open<T extends Task>(context: Context, { journal: path, command, yes }: Run, tasks: Iterable<T>) {
    const head = { command: context.redact(command), instance: context.config.baseUrl?.value ?? "" };
    const journal = path === undefined ? undefined : await openJournal(context, path, head);
    return new Runner(context, journal, yes, tasks);
  }

  /**
   * Runs the tasks and yields their results with progress; closes the journal after the last, and throws the error of
   * the whole run, if any.
   *
   * @param prepare the command of a task, and the scope that is filled in
   * @param again the same command: with a journal it completes the rest
   */
  results(prepare: (task: T) => Promise<Prepared>, { ordered, again }: { ordered: boolean; again: string }) {
    return resultsOf<T, { task: T; ended: Ended }>(this.#context, {
      items: this.#todo,
      progress: { label: "running", count: this.#count },
      ordered,
      act: async (task, emit) => emit({ task, ended: await this.#run(task, await prepare(task)) }),
      close: async () => this.#journal?.close(),
      conclude: () => {
        const hint = this.#journal === undefined ? "with --journal <file>, a repeated run does only the rest" : again;
        this.#tally.conclude({ hint });
      },
    });
  }

  async #run({ id }: T, { command, scope = {} }: Prepared): Promise<Ended> {
    const before = this.#journal?.seen.get(id);
    const started = isOpen(before);
    const attempt = await attemptWhole(this.#context, this.#tally, async () => {
      if (started && !command.repeatable) throw openBefore(before?.status);
      return this.#noted(id, { command, scope, started });
    });
    return "done" in attempt ? attempt.done : this.#shown(attempt.ended, attempt.error);
  }

  async #noted(id: string, attempt: Started): Promise<Ended> {
    await this.#journal?.begin(id);
    const ended = await this.#attempt(attempt);
    // A change that may have been made gets no end entry: the next run finds only its start.
    if (ended.status !== "unknown") {
      await this.#journal?.end(id, ended.status).catch((error: unknown) => this.#tally.stop(error));
    }
    return ended;
  }

  async #attempt({ command, scope, started }: Started): Promise<Ended> {
    const rows: object[] = [];
    try {
      const view = await command.run({ scope, yes: this.#yes });
      const { result, exit, about } = await collect(view, tooMuch, rows);
      return { exit, status: "done", result, error: null, ...(about && { about }) };
    } catch (error) {
      // The earlier run deleted it, so "not found" is a success.
      const isGone = started && error instanceof Failure && error.details.method === "DELETE" && saysGone(error);
      if (isGone) return { exit: 0, status: "done", result: null, error: null };
      return this.#fail(rows.length > 0 ? madeInPart(error) : error, rows);
    }
  }

  #fail(error: unknown, rows: readonly object[]): Ended {
    return this.#shown(this.#tally.ended(error), error, rows);
  }

  #shown({ status, error: message }: EndedRow, error: unknown, rows: readonly object[] = []): Ended {
    if (status === "not_tried") return { exit: null, status, result: null, error: null };
    const result = rows.length === 0 ? null : rows;
    if (!(error instanceof Failure)) return { exit: exitCodes.bug, status, result, error: { code: "bug", message } };
    return { exit: exitCodes[error.exit], status, result, error: this.#redacted(error) };
  }

  /** A server's message may contain what was sent. */
  #redacted(error: Failure): Record<string, unknown> {
    const text = JSON.stringify(failureObject(error), (_, value: unknown) =>
      typeof value === "string" ? this.#context.redact(value) : value,
    );
    return JSON.parse(text) as Record<string, unknown>;
  }
}

/** The tasks that a journal does not record as done. */
function left<T extends Task>(tasks: Iterable<T>, journal: Journal | undefined): Iterable<T> {
  if (journal === undefined) return tasks;
  return {
    *[Symbol.iterator]() {
      for (const task of withUniqueIds(tasks, journal.seen))
        if (journal.seen.get(task.id)?.status !== "done") yield task;
    },
  };
}

function sizeOf(tasks: Iterable<unknown>): number {
  let size = 0;
  for (const _ of tasks) size += 1;
  return size;
}

/** Ctrl-C in the middle of several changes: the first of them were made. */
function madeInPart(error: unknown): unknown {
  const isOpen = error instanceof Failure && error.exit === "interrupted" && error.details.outcome === undefined;
  return isOpen ? error.with({ outcome: "made" }) : error;
}

/** The reason for a change with a start entry in the journal and no end entry. */
export const startedBefore = "an earlier run started it and did not record its end: it may have been made";

function openBefore(status: string | undefined): Failure {
  if (status === "made") {
    const message = "an earlier run made it, and did not confirm it as complete";
    return new Failure("notReady", message, { code: "made", outcome: "made", retryable: false });
  }
  return new Failure("notReady", startedBefore, { code: "unknown", outcome: "unknown", retryable: false });
}

function tooMuch(): Failure {
  return new UsageError("the result is more than a short text", { hint: "save it to a file with -O" });
}
