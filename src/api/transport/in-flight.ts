import type { Exchange } from "./exchange.ts";

/**
 * The exchanges in progress, to be aborted together. Not a Set: one with changing members leaves its old tables behind,
 * each referencing the next, and with them every former member until a full garbage collection.
 */
export class InFlight {
  readonly #exchanges: Exchange[] = [];

  add(exchange: Exchange): void {
    this.#exchanges.push(exchange);
  }

  delete(exchange: Exchange): void {
    const at = this.#exchanges.indexOf(exchange);
    if (at !== -1) this.#exchanges.splice(at, 1);
  }

  /** Resumes those that wait for a slow reader; each pauses again if more arrives. */
  resume(): void {
    for (const exchange of [...this.#exchanges]) exchange.resume();
  }

  abort(error: unknown): void {
    for (const exchange of [...this.#exchanges]) exchange.abort(error);
  }
}
