import type { Context } from "../../context.ts";

/** `--until` in milliseconds since 1970. All that is listed is from before a time to come, also what has no time. */
export function untilOf(time: string | undefined, now: Date): number | undefined {
  const until = time === undefined ? Number.NaN : Date.parse(time);
  return until < now.getTime() ? until : undefined;
}

/**
 * Counts the deliveries that `--until` leaves out although they may be from before then: those without an answer, which
 * have no time, between the last one that is later and the first one that is not.
 */
export class Undated {
  readonly #until: number | undefined;
  #count = 0;
  #isPast = false;

  constructor(until: number | undefined) {
    this.#until = until;
  }

  /** Of a list that is newest first: each delivery's time, and whether it is wanted but for that. */
  see(date: string | null, isWanted: boolean): void {
    if (this.#until === undefined || this.#isPast) return;
    if (date === null) this.#count += isWanted ? 1 : 0;
    else if (Date.parse(date) < this.#until) this.#isPast = true;
    else this.#count = 0;
  }

  warn(context: Pick<Context, "warn">): void {
    if (this.#count === 0) return;
    context.warn(`--until left out ${this.#count} without an answer, which have no time and may be from before then`);
  }
}
