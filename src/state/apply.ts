import { mayHaveBeenMade } from "../api/fate.ts";
import { DryRunStop } from "../api/types.ts";
import { Failure } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import type { Context } from "../context.ts";
import { waitFor } from "../verbs/poll.ts";
import { fieldOf, writableValues } from "./compare.ts";
import { type Change, isReference, type Live, type Step, type Values } from "./kind.ts";
import { judge, type Look, look, snapshot } from "./look.ts";
import { phases } from "./order.ts";
import { isWrite, listOf } from "./plan.ts";
import { type Reader, readerOf } from "./reader.ts";
import { requireReference } from "./references.ts";
import { addressOfChange, preimageOf } from "./row.ts";
import type { OpenRun, RunEntry, Status } from "./runs.ts";

/** One change as it came out. */
export interface Outcome {
  readonly change: Change;
  readonly status: Status;
  readonly error: string | null;
  /** What a failure of this change alone exits with. */
  readonly failure: Failure | undefined;
}

export interface ApplyOptions {
  /** Waits until a read of the settings agrees with what was written; they are cached. Seconds. */
  readonly waitSeconds: number | undefined;
}

/** How long a change may take to show. */
const settleMs = 5000;
const settleStepMs = 250;

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

/** The requests that the changes would become, in order; ends as a dry run does. */
export async function planRequests(context: Context, changes: readonly Change[]): Promise<never> {
  for (const { scopes } of phases(changes.filter(isWrite))) {
    for (const change of scopes.flat()) {
      for (const step of change.kind.steps(change)) await dryRun(context, step);
    }
  }
  throw new DryRunStop();
}

async function dryRun(context: Context, { endpoint, input }: Step): Promise<void> {
  try {
    await context.api.call(endpoint, shownInput(input) as never);
  } catch (error) {
    if (!(error instanceof DryRunStop)) throw error;
  }
}

/** A secret need not be there to be shown. */
function shownInput(value: unknown): unknown {
  if (isReference(value)) return value.reference === "env" ? `$${value.name}` : `file ${value.name}`;
  if (Array.isArray(value)) return value.map(shownInput);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shownInput(each)]));
}

/** Checks that every secret that would be sent is there; nothing is sent for it. */
export async function requireSecrets(context: Context, changes: readonly Change[]): Promise<void> {
  for (const change of changes.filter(isWrite)) {
    for (const step of change.kind.steps(change)) await withSecrets(context, change, step.input);
  }
}

async function withSecrets(context: Context, change: Change, input: Values): Promise<Values> {
  const resolve = async (value: unknown, name: string): Promise<unknown> => {
    if (isReference(value)) return requireReference(context, value, fieldOf(change.kind, name));
    if (Array.isArray(value)) return Promise.all(value.map((each) => resolve(each, name)));
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(async ([key, each]) => [key, await resolve(each, key)] as const);
    return Object.fromEntries(await Promise.all(entries));
  };
  return (await resolve(input, "")) as Values;
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
    for (const change of changes) {
      const removal = change.desired === undefined;
      if (this.#ended !== undefined) yield this.leave(change, "not_tried", this.#ended.message);
      else if (removal && this.#spoiled.has(listOf(change))) {
        yield this.leave(change, "skipped", "an addition to this list failed");
      } else {
        const outcome = await this.#make(change);
        if (outcome.status !== "done" && !removal) this.#spoiled.add(listOf(change));
        yield outcome;
      }
    }
  }

  leave(change: Change, status: Status, error: string): Outcome {
    this.troubled = true;
    return { change, status, error, failure: undefined };
  }

  async #make(change: Change): Promise<Outcome> {
    const before = snapshot(change, change.live);
    const note = (status: Status, error: string | null, after: Values | null): RunEntry => ({
      address: addressOfChange(change),
      at: change.scope.at,
      scope: change.scope.name,
      kind: change.kind.name,
      key: change.key,
      id: change.id,
      action: change.action,
      status,
      error,
      before,
      after,
    });
    await this.#run.note({ begin: note("unknown", "the run ended in the middle of it", null) });
    const made = await this.#attempt(change).catch((error: unknown) => this.#broken(error));
    await this.#run.note({ end: note(made.status, made.error, snapshot(change, made.live)) });
    if (made.status !== "done") this.troubled = true;
    return { change, status: made.status, error: made.error, failure: made.failure };
  }

  #broken(error: unknown): Made {
    if (!(error instanceof Failure)) throw error;
    if (fatal.has(error.exit)) this.#ended = error;
    const status = error.details.outcome === "unknown" ? "unknown" : "failed";
    return { status, error: words(error), live: undefined, failure: error };
  }

  async #attempt(change: Change): Promise<Made> {
    const first = await look(this.#reader, change);
    if ("unreadable" in first)
      return { status: "failed", error: first.unreadable, live: undefined, failure: undefined };
    if (first.wanted && !sendsBlind(change))
      return { status: "done", error: null, live: first.live, failure: undefined };
    if (!first.before) return stale(first.live);
    // What was removed must not stay away because somebody lost patience.
    const answer = await this.#context.unbroken(() => this.#send(change));
    return this.#verify(change, answer);
  }

  /** Sends the requests; after a lost answer it looks, and sends once more what was not made. */
  async #send(change: Change): Promise<unknown> {
    let answer: unknown;
    for (const [index, step] of change.kind.steps(change).entries()) {
      const input = await withSecrets(this.#context, change, step.input);
      try {
        answer = await this.#context.api.call(step.endpoint, input as never);
      } catch (error) {
        if (error instanceof Failure && error.details.outcome === "made") continue;
        if (change.action === "replace" && index > 0) await this.#putBack(change, error);
        if (!mayHaveBeenMade(error)) throw error;
        const seen = await look(this.#reader, change);
        if ("unreadable" in seen) throw error;
        if (seen.wanted) continue;
        if (!seen.before) throw error;
        answer = await this.#context.api.call(step.endpoint, input as never);
      }
    }
    return answer;
  }

  /** The old entry again, where the new one was refused; the change has failed all the same. */
  async #putBack(change: Change, why: unknown): Promise<void> {
    if (!(why instanceof Failure) || why.details.outcome === "unknown" || change.live === undefined) return;
    const old = {
      ...change,
      action: "create" as const,
      desired: {
        ...(change.desired ?? { origin: { file: "", line: 0 } }),
        values: writableValues(change.kind, change.live.values),
      },
    };
    const reason = why.details.reason ?? why.message;
    try {
      for (const step of change.kind.steps(old)) await this.#context.api.call(step.endpoint, step.input as never);
    } catch (error) {
      const lost = error instanceof Failure ? (error.details.reason ?? error.message) : String(error);
      throw why.with({
        reason: `${reason}; the old one could not be put back: ${lost}`,
      });
    }
    throw why.with({ reason: `${reason}; the old one was put back` });
  }

  async #verify(change: Change, answer: unknown): Promise<Made> {
    // Settings are cached: the answer says what was stored.
    if (change.kind.at === "instance" && isObject(answer)) {
      const origin = change.desired?.origin ?? { file: "", line: 0 };
      const section = {
        scope: change.scope,
        kind: change.kind,
        entries: change.desired ? [change.desired] : [],
        origin,
      };
      const narrow = narrowed(change);
      const seen = judge(narrow, { ...section, entries: narrow.desired ? [narrow.desired] : [] }, [
        { values: answer as Values },
      ]);
      if (seen.wanted && this.#options.waitSeconds !== undefined) await this.#waitForCache(narrow);
      return madeOf(change, seen);
    }
    const end = this.#context.now().getTime() + settleMs;
    while (true) {
      const seen = await look(this.#reader, change);
      if ("unreadable" in seen) {
        return {
          status: "unknown",
          error: `it was sent, and could not be read again: ${seen.unreadable}`,
          live: undefined,
          failure: undefined,
        };
      }
      if (seen.wanted || this.#context.now().getTime() >= end) return madeOf(change, seen);
      await this.#context.sleep(settleStepMs);
    }
  }

  #waitForCache(change: Change): Promise<true> {
    return waitFor(this.#context, {
      label: "waiting until the settings take effect",
      limitSeconds: this.#options.waitSeconds ?? 0,
      resume: "settings get",
      look: async () => {
        const seen = await look(this.#reader, change);
        return "wanted" in seen && seen.wanted ? { done: true as const } : undefined;
      },
    });
  }
}

/** Why it failed, with what a 400 says of each field. */
function words({ message, details: { reason, fields } }: Failure): string {
  const each = Object.entries(fields ?? {}).map(([name, texts]) => `${name}: ${texts.join(", ")}`);
  return each.length > 0 ? each.join("; ") : (reason ?? message);
}

interface Made {
  readonly status: Status;
  readonly error: string | null;
  readonly live: Live | undefined;
  readonly failure: Failure | undefined;
}

function stale(live: Live | undefined): Made {
  const error = "it is no longer as the plan saw it";
  const failure = new Failure("conflict", error, { code: "stale", hint: "plan again, and apply that" });
  return { status: "stale", error, live, failure };
}

function madeOf(change: Change, { live, wanted, before, others }: Look): Made {
  if (wanted) return { status: "done", error: null, live, failure: undefined };
  if (before && preimageOf(change, live?.values) !== undefined) {
    return { status: "not_taken", error: "the instance accepted it, and nothing changed", live, failure: undefined };
  }
  const [, field, kept] = /^(.*?) as (.*)$/s.exec(others[0] ?? "") ?? [];
  const error =
    field === undefined
      ? "the instance accepted it, and shows something else"
      : `the instance keeps ${others.join(", ")}: write ${field}: ${kept} in the file`;
  return { status: "altered", error, live, failure: undefined };
}

/** A split change is judged by the fields that it writes. */
function narrowed(change: Change): Change {
  if (change.desired === undefined) return change;
  const names = change.write.filter((name) => name in (change.desired?.values ?? {}));
  const values = Object.fromEntries(names.map((name) => [name, change.desired?.values[name]]));
  return { ...change, desired: { ...change.desired, values } };
}

/** What cannot be compared is sent because it was asked for, not because something differs. */
function sendsBlind({ kind, write, desired }: Change): boolean {
  return write.some(
    (name) => fieldOf(kind, name).blind || isReference(desired?.values[name]) || fieldOf(kind, name).form === "keys",
  );
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
