import type { Api } from "../../api/api.ts";
import { afterMade, mayBeSecond } from "../../api/outcome.ts";
import { Failure, isNotFound } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import { lookAgain } from "../../base/look-again.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import type { Journal } from "../../jobs/journal.ts";
import { madeOrVerified } from "../../verbs/lost-answer-check.ts";
import { type IdentityApi, movedOn, notShown } from "./identity-api.ts";
import { left, rolledBack, stored, waitsFor } from "./move-failures.ts";
import { keyOf, type Move, type Step, type Unit } from "./remap-plan.ts";

/** The outcome of a move; without an error it is done. */
export interface Outcome {
  readonly move: Move;
  readonly error: unknown;
}

/** Executes the units of a plan: each change is recorded, sent, and read back. */
export class Mover {
  readonly #context: Context;
  readonly #kind: IdentityApi;
  readonly #group: string;
  readonly #journal: Journal;
  readonly #units = new Map<Unit, Promise<Outcome[]>>();

  constructor(context: Context, kind: IdentityApi, group: string, journal: Journal) {
    this.#context = context;
    this.#kind = kind;
    this.#group = group;
    this.#journal = journal;
  }

  /** Executes a unit after those that it depends on; if one failed, all moves that depend on it fail. */
  run(unit: Unit): Promise<Outcome[]> {
    const running = this.#begin(unit);
    this.#units.set(unit, running);
    return running;
  }

  async #begin(unit: Unit): Promise<Outcome[]> {
    const [blocked] = unit.after === undefined ? [] : ((await this.#units.get(unit.after)) ?? []);
    if (this.#context.signal.aborted) return outcomes(unit, () => new Failure("interrupted", "interrupted"));
    if (blocked?.error !== undefined) return outcomes(unit, () => waitsFor(blocked.move));
    if (!unit.bound) return this.#alone(unit);
    try {
      return await this.#context.uninterrupted(() => this.#together(unit));
    } catch (error) {
      return outcomes(unit, () => error);
    }
  }

  async #alone(unit: Unit): Promise<Outcome[]> {
    const [step] = unit.steps as [Step];
    try {
      await this.#make(step);
      return outcomes(unit, () => undefined);
    } catch (error) {
      return outcomes(unit, () => error);
    }
  }

  /** Makes all steps; if one fails, the earlier ones are rolled back, so that no temporary UID remains. */
  async #together(unit: Unit): Promise<Outcome[]> {
    const now = new Map(unit.moves.map((move) => [move, move.from]));
    const made: Step[] = [];
    for (const step of unit.steps) {
      try {
        await this.#make(step);
      } catch (error) {
        const unsure = isKnown(error) ? await this.#rollBack(made, now) : undefined;
        if (!isKnown(error) && step.to !== step.move.pair.new) now.set(step.move, step.to);
        this.#warnOfTemporary(unit, now);
        return outcomes(unit, (move) => {
          const uid = now.get(move) ?? move.from;
          if (move === unsure) return left(uid, step.move, error);
          if (uid === move.pair.new) return undefined;
          if (move === step.move && (!isKnown(error) || uid === move.from)) return error;
          return uid === move.from ? rolledBack(step.move, error) : left(uid, step.move, error);
        });
      }
      made.push(step);
      now.set(step.move, step.to);
    }
    return outcomes(unit, () => undefined);
  }

  /** Stops at the first that fails. Returns the move of which it is then unknown whether it was rolled back. */
  async #rollBack(made: readonly Step[], now: Map<Move, string>): Promise<Move | undefined> {
    for (const { move, from, to } of made.toReversed()) {
      try {
        await this.#change(move.user, to, from);
      } catch (error) {
        return isKnown(error) ? undefined : move;
      }
      now.set(move, from);
      // Even if the journal cannot be written, the started changes are rolled back.
      await this.#journal.end(keyOf(move.pair), "taken_back", factsOf(move)).catch(() => undefined);
    }
    return undefined;
  }

  #warnOfTemporary({ moves }: Unit, now: ReadonlyMap<Move, string>): void {
    for (const move of moves) {
      const uid = now.get(move) ?? move.from;
      if (uid === move.pair.old || uid === move.pair.new) continue;
      const words = [...this.#kind.path, "update", uid, "--extern-uid", move.pair.old, "-g", this.#group];
      this.#context.warn(
        `user ${move.user} may be left with the temporary UID ${uid}: run the same command again, or restore the old ` +
          `one: forgectl ${commandLine(words)}`,
      );
    }
  }

  async #make(step: Step): Promise<void> {
    const { move, from, to } = step;
    const id = keyOf(move.pair);
    await this.#journal.begin(id, factsOf(move));
    try {
      await this.#change(move.user, from, to);
    } catch (error) {
      // A change whose outcome is unknown gets no end entry: the next run finds its start, and checks.
      if (isKnown(error)) await this.#journal.end(id, "failed", factsOf(move));
      throw error;
    }
    if (to !== move.pair.new) return;
    await this.#journal.end(id, "done", factsOf(move)).catch((error: unknown) => {
      throw error instanceof Failure ? error.with({ outcome: "made", retryable: false }) : error;
    });
  }

  async #change(user: number, from: string, to: string): Promise<void> {
    const { api } = this.#context;
    const look = () => this.#refuseOthers(api, user, from);
    await look();
    const change = () =>
      api
        .call(
          this.#kind.update,
          { group: this.#group, uid: from, extern_uid: to },
          { unchecked: true, afterWait: look },
        )
        .catch(unlessMade)
        .catch((error: unknown) => this.#unlessSentTwice(error, { user, from, to }));
    await madeOrVerified(this.#context, change, (api) => this.#isMade(api, { user, from, to }));
    await this.#readBack(user, to);
  }

  /** The request names no user: another one who has the UID by now, minutes after the plan, would get the new one. */
  async #refuseOthers(api: Api, user: number, uid: string): Promise<void> {
    const seen = await this.#seen(api, uid);
    if (isIdentity(seen, user, uid)) return;
    throw movedOn(user, uid, seen);
  }

  /** The user had the old UID right before, and has the new one in its place now. */
  async #unlessSentTwice(
    error: unknown,
    { user, from, to }: { user: number; from: string; to: string },
  ): Promise<void> {
    const { api } = this.#context;
    if (!mayBeSecond(error)) throw error;
    const has = (uid: string) => this.#has(api, user, uid).catch(() => undefined);
    if ((await has(to)) !== true || (await has(from)) !== false) throw error;
    api.noteMade(error);
  }

  /** True if the identity is found under the new UID; it must be found under one of the two. */
  async #isMade(api: Api, { user, from, to }: { user: number; from: string; to: string }): Promise<boolean> {
    if (await this.#has(api, user, to)) return true;
    if (await this.#has(api, user, from)) return false;
    throw new Failure("notFound", "the identity has neither UID");
  }

  async #readBack(user: number, uid: string): Promise<void> {
    const { signal, verifier, api, sleep } = this.#context;
    const look = () => this.#seen(signal.aborted ? verifier : api, uid);
    const pause = (ms: number) => sleep(ms).catch(() => undefined);
    const isThere = (seen: unknown) => isOf(seen, user) || signal.aborted;
    const seen = await lookAgain(look, isThere, pause).catch((error: unknown) => {
      throw afterMade(error);
    });
    if (isIdentity(seen, user, uid)) return;
    if (isOf(seen, user) && typeof seen.extern_uid === "string") {
      throw stored(uid, seen.extern_uid);
    }
    throw notShown(user, uid);
  }

  async #has(api: Api, user: number, uid: string): Promise<boolean> {
    return isIdentity(await this.#seen(api, uid), user, uid);
  }

  /** What the instance answers to a UID; undefined if it finds none. */
  async #seen(api: Api, uid: string): Promise<unknown> {
    try {
      return await api.call(this.#kind.get, { group: this.#group, uid });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}

function isOf(seen: unknown, user: number): seen is Readonly<Record<string, unknown>> {
  return isObject(seen) && seen.user_id === user;
}

function isIdentity(seen: unknown, user: number, uid: string): boolean {
  return isOf(seen, user) && seen.extern_uid === uid;
}

function outcomes({ moves }: Unit, errorOf: (move: Move) => unknown): Outcome[] {
  return moves.map((move) => ({ move, error: errorOf(move) }));
}

/** Whether the outcome of a change is known: then the changes before it can be rolled back. */
export function isKnown(error: unknown): boolean {
  return !(error instanceof Failure) || error.details.outcome === undefined || error.details.outcome === "none";
}

/** An unreadable answer to a change that was made is not an error: the check that follows verifies it. */
function unlessMade(error: unknown): void {
  if (!(error instanceof Failure && error.details.outcome === "made")) throw error;
}

/** What a later run needs to know about a pair. */
export function factsOf({ pair, user }: Move) {
  return { user_id: user, old: pair.old, new: pair.new };
}
