import { exitCodes, Failure, UsageError } from "../base/errors.ts";
import type { Context, InnerCommand } from "../context.ts";
import { type Collected, collect } from "../terminal/collect.ts";
import { failureObject } from "../terminal/failure.ts";
import { type Journal, openJournal } from "./journal.ts";
import { saysGone } from "./lost.ts";

/** One thing that a job does: a command on a scope, a line of a batch. */
export interface Task {
  /** Identifies it in the journal, the same in every run. */
  readonly id: string;
  readonly command: InnerCommand;
  readonly scope: Readonly<Record<string, string>>;
}

/** How a task ended. */
export interface Ended {
  /** Exit code of the command; null if it was not started. */
  readonly exit: number | null;
  readonly status: "done" | "failed" | "unknown" | "not_begun";
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

/** Runs tasks, each recorded before and after if there is a journal. After a bug or Ctrl-C, no other is started. */
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

  /** Opens the journal of a run, if requested. */
  static async open(context: Context, how: { journal: string | undefined; command: string; yes: boolean }) {
    const instance = context.config.baseUrl?.value ?? "";
    const head = { command: how.command, instance };
    const journal = how.journal === undefined ? undefined : await openJournal(context, how.journal, head);
    return new Runner(context, journal, how.yes);
  }

  /** Whether the journal records it as done. */
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
    // An interrupted task has no end entry: the next run finds its start entry.
    if (ended.status !== "unknown") await this.#journal?.end(task.id, ended.status);
    return this.#count(ended);
  }

  #count(ended: Ended): Ended {
    if (ended.status === "done") this.done += 1;
    else this.failed += 1;
    return ended;
  }

  /** @param begun an earlier run started it and did not record its end */
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
      // The earlier run deleted it, so "not found" is a success.
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
   * Throws the error of the whole run: a bug, Ctrl-C, or exit 9 if some failed. `again` is the same command: with a journal
   * it does the rest.
   */
  conclude(total: number, noun: string, again: string): void {
    const hint = this.#journal === undefined ? "with --journal <file>, a repeated run does only the rest" : again;
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

/** The reason for a change with a start entry in the journal and no end entry. */
export const begunBefore = "an earlier run started it and did not record its end: it may have been made";

function unknownBefore(): Ended {
  const error = { code: "unknown", message: begunBefore, outcome: "unknown" };
  return { exit: null, status: "unknown", result: null, error };
}

function tooMuch(): Failure {
  return new UsageError("the result is more than a short text", { hint: "save it to a file with -O" });
}
