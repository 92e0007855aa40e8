import { provesGone } from "../api/absence.ts";
import { exitCodes, Failure, type FailureDetails, UsageError } from "../base/errors.ts";
import { unlessHidden } from "../base/shell-words.ts";
import type { Context, InnerCommand } from "../context.ts";
import { type Collected, collect, type Kept } from "../terminal/collect.ts";
import { failureObject } from "../terminal/failure-text.ts";
import {
  hidden,
  isMissing,
  madeInPart,
  openBefore,
  recordOf,
  type Status,
  settle,
  unplaced,
  unproven,
} from "./begun-changes.ts";
import { attemptWhole, resultsOf } from "./job.ts";
import { isOpen, type Journal } from "./journal.ts";
import { elsewhere } from "./same-place.ts";
import { type EndedRow, Tally } from "./tally.ts";
import { type NamedId, placed, recordNames, type Task } from "./task-ids.ts";
import { withUniqueIds } from "./unique-ids.ts";

/** How a task ended. */
export interface Ended {
  /** Exit code of the command; null if it was not started. */
  readonly exit: number | null;
  /** `skipped`: an earlier run has done it. */
  readonly status: Status;
  /** After a failure, the partial result: the rows before it, or a record that is not what was asked for. */
  readonly result: unknown;
  /** Information about the rows of the result, from its view. */
  readonly about?: Collected["about"];
  /** Secrets of the result are shown, since its command asked for them. */
  readonly reveal?: boolean;
  /** The error's JSON form; null if there is none. */
  readonly error: Readonly<Record<string, unknown>> | null;
  /** When an earlier run has done it, ISO 8601. */
  readonly doneAt?: string | undefined;
}

interface Recorded {
  /** Undefined if nothing is recorded. */
  readonly journal: Journal | undefined;
  /** What the names lead to, also of what is left to other shards, or is named twice. */
  readonly names: Iterable<NamedId>;
  /** Removes the record, if no one named it. */
  remove?(): Promise<void>;
}

type Scope = Readonly<Record<string, string>>;

/** The command of a task. */
interface Prepared {
  readonly command: InnerCommand;
  /** What is filled in. */
  readonly scope?: Scope;
  /** Files and folders that it writes, in place of those typed. */
  readonly outputs?: Scope | undefined;
  /** Answers its question, if it was asked before the job began. */
  readonly answer?: Context["answer"];
}

type Watch = (made: readonly string[]) => void;

interface Noted {
  readonly ended: Ended;
  /** What a later run goes by. */
  readonly record: Status;
}

interface Started extends Prepared {
  readonly scope: Scope;
  /** An earlier run started it and did not record its end. */
  readonly started: boolean;
}

/** Runs tasks, each recorded before and after if there is a journal. After a bug or Ctrl-C, no other is started. */
export class Runner<T extends Task> {
  readonly #context: Context;
  readonly #recorded: Recorded;
  readonly #yes: boolean;
  readonly #tally: Tally;
  readonly #tasks: Iterable<T>;
  readonly #count: number;
  /** Tasks that are not done: those that the next run does, and those that it does not repeat. */
  #left = 0;
  #open = 0;
  /** Tasks whose lists were cut short: their own notice is not shown. */
  #cut = 0;
  /** Names are recorded before the first task is begun. */
  #named: Promise<void> | undefined;

  /**
   * @param tasks iterated more than once: thousands of them need not be in memory
   */
  constructor(context: Context, recorded: Recorded, tasks: Iterable<T>, { yes }: { yes: boolean }) {
    this.#context = context;
    this.#recorded = recorded;
    this.#yes = yes;
    this.#tasks = recorded.journal === undefined ? tasks : numbered(tasks, recorded.journal);
    this.#count = sizeOf(tasks);
    this.#tally = new Tally(context, this.#count);
  }

  /**
   * Runs the tasks and yields their results with progress; closes the journal after the last, and throws the error of
   * the whole run, if any. A task that an earlier run has done is skipped.
   *
   * @param prepare the command of a task, and what is filled in
   * @param rest completes what is left: the command, or the names of the tasks
   */
  results(
    prepare: (task: T) => Promise<Prepared>,
    { ordered, rest }: { ordered: boolean; rest: Pick<FailureDetails, "hint"> },
  ) {
    const { journal, remove } = this.#recorded;
    if (rest.hint !== undefined) this.#context.ifCutOff(rest.hint);
    return resultsOf<T, { task: T; ended: Ended }>(this.#context, {
      items: this.#tasks,
      progress: { label: "running", count: this.#count },
      ordered,
      act: async (task, emit) => {
        const before = task.id === undefined ? undefined : journal?.seen.get(task.id);
        const ended = before?.status === "done" ? this.#skip(before.at) : await this.#run(task, await prepare(task));
        emit({ task, ended });
      },
      close: async () => journal?.close(),
      conclude: () => {
        const which = this.#count === 1 ? "the list is" : `the lists of ${this.#cut} of ${this.#count} are`;
        if (this.#cut > 0) this.#context.closing(`${which} cut short: --limit all in the command for the rest`);
        this.#tally.conclude(this.#settled ? { hint: settle } : rest);
        return remove?.();
      },
    });
  }

  #skip(doneAt: string | undefined): Ended {
    this.#tally.skip();
    return { exit: null, status: "skipped", result: null, error: null, doneAt };
  }

  async #run(task: T, { command, scope = {}, outputs, answer }: Prepared): Promise<Ended> {
    const { id, named, isUnplaced, isHidden, moved } = task;
    const before = id === undefined ? undefined : this.#recorded.journal?.seen.get(id);
    const started = isOpen(before);
    const attempt = await attemptWhole(this.#context, this.#tally, async () => {
      if (moved !== undefined) throw elsewhere({ id: moved.now, named }, moved.before);
      if (isUnplaced && !command.repeatable) throw unplaced();
      if (started && !command.repeatable) throw openBefore(before?.status);
      if (isHidden) throw hidden();
      return this.#noted(id, { command, scope, outputs, started, answer });
    });
    const { ended, record } = "done" in attempt ? attempt.done : asShown(this.#shown(attempt.ended, attempt.error));
    if (ended.status !== "done") this.#note(record, id !== undefined && !command.repeatable && !isUnplaced);
    return ended;
  }

  /** @param isOnce whether the next run leaves a begun change as it is */
  #note(record: Status, isOnce: boolean): void {
    if (isOnce && (record === "unknown" || record === "made")) this.#open += 1;
    else this.#left += 1;
  }

  /** The same again would do nothing: all that is left was begun, and must not be repeated. */
  get #settled(): boolean {
    return this.#recorded.journal !== undefined && this.#open > 0 && this.#left === 0;
  }

  async #noted(id: string | undefined, attempt: Started): Promise<Noted> {
    const { journal } = this.#recorded;
    if (id === undefined || journal === undefined) return asShown(await this.#attempt(attempt));
    let made: readonly string[] = [];
    this.#named ??= recordNames(this.#recorded.names, journal);
    await this.#named;
    await journal.begin(id);
    const ended = await this.#attempt(attempt, (changes) => {
      made = changes;
    });
    const record = recordOf(ended.status, attempt.command.repeatable ? [] : made);
    // A change that may have been made gets no end entry: the next run finds only its start.
    if (record !== "unknown") {
      await journal.end(id, record).catch((error: unknown) => this.#tally.stop(error));
    }
    return { ended, record };
  }

  async #attempt({ command, scope, outputs, started, answer }: Started, watch?: Watch): Promise<Ended> {
    const kept: Kept = {};
    let made: readonly string[] = [];
    let isAnswered = false;
    try {
      const watched = (changes: readonly string[]) => {
        made = changes;
        watch?.(changes);
      };
      const more = { ...{ scope, outputs, yes: this.#yes }, ...(answer && { answer }), watch: watched };
      const { result, exit, cut, ...described } = await command.run(more, (view) => {
        isAnswered = view !== undefined && "bytes" in view;
        return collect(view, tooMuch, kept);
      });
      if (cut !== undefined) this.#cut += 1;
      return { exit, status: "done", result, error: null, ...described };
    } catch (error) {
      if (started && isMissing(error)) {
        // The earlier run deleted it, so "not found" is a success; if that cannot be proven, nothing is known of it.
        const isGone = await provesGone(command.api, error).catch(() => false);
        if (isGone) return { exit: 0, status: "done", result: null, error: null };
        return this.#fail(unproven(error), kept);
      }
      return this.#fail(madeInPart(error, { rows: kept.rows ?? [], made, isAnswered }), kept);
    }
  }

  #fail(error: unknown, kept: Kept): Ended {
    return this.#shown(this.#tally.ended(error), error, kept);
  }

  #shown({ status, error: message }: EndedRow, error: unknown, { rows = [], record, ...described }: Kept = {}): Ended {
    if (status === "not_tried") return { exit: null, status, result: null, error: null };
    const result = record ?? (rows.length === 0 ? null : rows);
    const shown = { result, ...(result !== null && described) };
    if (!(error instanceof Failure)) return { exit: exitCodes.bug, status, ...shown, error: { code: "bug", message } };
    return { exit: exitCodes[error.exit], status, ...shown, error: this.#redacted(error) };
  }

  /** A server's message may contain what was sent. */
  #redacted(error: Failure): Record<string, unknown> {
    const { redact } = this.#context;
    const shown = (name: string, text: string) => (name === "hint" ? unlessHidden(text, redact) : redact(text));
    const each = (name: string, value: unknown) => (typeof value === "string" ? shown(name, value) : value);
    return JSON.parse(JSON.stringify(failureObject(error), each)) as Record<string, unknown>;
  }
}

/** Tasks with unique IDs, as the journal has them; those without an ID are not recorded. */
function numbered<T extends Task>(tasks: Iterable<T>, { seen }: Journal): Iterable<T> {
  return { [Symbol.iterator]: () => withUniqueIds(placed(tasks, seen), seen) };
}

function sizeOf(tasks: Iterable<unknown>): number {
  let size = 0;
  for (const _ of tasks) size += 1;
  return size;
}

const asShown = (ended: Ended): Noted => ({ ended, record: ended.status });

const tooMuch = () => new UsageError("the result is more than a short text", { hint: "save it to a file with -O" });
