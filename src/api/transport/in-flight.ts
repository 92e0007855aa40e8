import type { Exchange } from "./exchange.ts";

/** The exchanges in progress, to be aborted together. */
export class InFlight {
  readonly #exchanges = new Set<Exchange>();

  add(exchange: Exchange): void {
    this.#exchanges.add(exchange);
  }

  delete(exchange: Exchange): void {
    this.#exchanges.delete(exchange);
  }

  /** Resumes those that wait for a slow reader; each pauses again if more arrives. */
  resume(): void {
    for (const exchange of [...this.#exchanges]) exchange.resume();
  }

  abort(error: unknown): void {
    for (const exchange of [...this.#exchanges]) exchange.abort(error);
  }
}
