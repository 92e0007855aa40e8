import { exitCodes, Failure, UsageError } from "../base/errors.ts";
import type { Context, InnerCommand } from "../context.ts";
import { type Collected, collect } from "../terminal/collect.ts";
import { failureObject } from "../terminal/failure.ts";
import { type Journal, openJournal } from "./journal.ts";
import { saysGone } from "./lost.ts";

/** One thing that a job does: a command on a scope, a line of a batch. */
export interface Task {
  /** Names it in the journal, the same in every run. */
  readonly id: string;
  readonly command: InnerCommand;
  readonly scope: Readonly<Record<string, string>>;
}

/** How a task ended. */
export interface Ended {
  /** Exit code of the command by itself; null where it was not begun. */
  readonly exit: number | null;
  readonly status: "done" | "failed" | "unknown" | "not_begun";
  readonly result: unknown;
  /** What its view says of the rows of the result. */
  readonly about?: Collected["about"];
  /** As errors are in JSON; null where there is none. */
  readonly error: Readonly<Record<string, unknown>> | null;
}

/** The commands that keep the terminal, or run others: they are no part of another command. */
const unfit = new Set(["auth", "profiles", "sandbox", "batch", "each", "completion", "__complete", "state", "doctor"]);

const unfitVerbs = new Set(["hooks listen", "files edit", "settings edit"]);

/** Refuses a command that cannot run inside of another one. */
export function refuseUnfit({ path, globals }: InnerCommand, inside: string): void {
  const [group = ""] = path;
  if (unfit.has(group) || unfitVerbs.has(path.join(" "))) {
    throw new UsageError(`${path.join(" ")} cannot be run by ${inside}`, { code: "unfit_command" });
  }
  const others = globals.filter((name) => name !== "yes" && name !== "header");
  if (others.length === 0) return;
  const flags = others.map((name) => `--${name.replaceAll("_", "-")}`).join(", ");
  throw new UsageError(`${flags}: belongs to ${inside}, not to the command that it runs`, {
    hint: `put it before: forgectl ${inside} ${flags} ...`,
  });
}

/** Runs tasks, each noted before and after where there is a journal. A bug, or Ctrl-C, lets no other begin. */
export class Runner {
  readonly #context: Context;
  readonly #journal: Journal | undefined;
  readonly #yes: boolean;
  #bug: unknown;
  failed = 0;
  done = 0;
  left = 0;

  constructor(context: Context, journal: Journal | undefined, yes: boolean) {
    this.#context = context;
    this.#journal = journal;
    this.#yes = yes;
  }

  /** Opens the journal of a run, if one was asked for. */
  static async open(context: Context, how: { journal: string | undefined; command: string; yes: boolean }) {
    const instance = context.config.baseUrl?.value ?? "";
    const head = { command: how.command, instance };
    const journal = how.journal === undefined ? undefined : await openJournal(context, how.journal, head);
    return new Runner(context, journal, how.yes);
  }

  /** Whether the journal has it as done. */
  isDone({ id }: Task): boolean {
    return this.#journal?.seen.get(id)?.status === "done";
  }

  async run(task: Task): Promise<Ended> {
    if (this.#context.signal.aborted || this.#bug !== undefined) {
      this.left += 1;
      return { exit: null, status: "not_begun", result: null, error: null };
    }
    const before = this.#journal?.seen.get(task.id);
    if (before?.event === "begin" && !task.command.repeatable) return this.#count(unknownBefore());
    await this.#journal?.begin(task.id);
    const ended = await this.#attempt(task, before?.event === "begin");
    // What was cut off has no end: the next run finds its beginning.
    if (ended.status !== "unknown") await this.#journal?.end(task.id, ended.status);
    return this.#count(ended);
  }

  #count(ended: Ended): Ended {
    if (ended.status === "done") this.done += 1;
    else this.failed += 1;
    return ended;
  }

  /** @param begun an earlier run began it, and did not note its end */
  async #attempt({ command, scope }: Task, begun: boolean): Promise<Ended> {
    try {
      const view = await command.run({ scope, yes: this.#yes });
      const { result, exit, about } = await collect(view, tooMuch);
      return { exit, status: "done", result, error: null, ...(about && { about }) };
    } catch (error) {
      if (!(error instanceof Failure)) {
        this.#bug ??= error;
        return { exit: exitCodes.bug, status: "failed", result: null, error: { code: "bug", message: String(error) } };
      }
      // What the earlier run deleted is gone, as it should be.
      if (begun && error.details.method === "DELETE" && saysGone(error))
        return { exit: 0, status: "done", result: null, error: null };
      const status = error.details.outcome === "unknown" ? "unknown" : "failed";
      return { exit: exitCodes[error.exit], status, result: null, error: failureObject(error) };
    }
  }

  async close(): Promise<void> {
    await this.#journal?.close();
  }

  /**
   * What the whole run ends with: a bug, Ctrl-C, or exit 9 where some failed. `again` is the same command: with a journal
   * it does the rest.
   */
  conclude(total: number, noun: string, again: string): void {
    const hint = this.#journal === undefined ? "with --journal <file>, only the rest is run again" : again;
    if (this.#bug !== undefined) throw this.#bug;
    if (this.#context.signal.aborted) {
      const message = `interrupted: ${this.done} of ${total} ${noun} done, ${this.left} not begun`;
      throw new Failure("interrupted", message, { code: "interrupted", hint });
    }
    if (this.failed > 0) {
      throw new Failure("partial", `${this.failed} of ${total} ${noun} failed`, { code: "partial", hint });
    }
  }
}

/** What is known of a change that a journal has the beginning of, and no end. */
export const begunBefore = "an earlier run began it and has no end of it: it may have been made";

function unknownBefore(): Ended {
  const error = { code: "unknown", message: begunBefore, outcome: "unknown" };
  return { exit: null, status: "unknown", result: null, error };
}

function tooMuch(): Failure {
  return new UsageError("the result is more than a short text", { hint: "save it to a file with -O" });
}
