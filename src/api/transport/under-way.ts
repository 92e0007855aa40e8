import type { Exchange } from "./exchange.ts";

/**
 * The exchanges under way, to be ended together. No Set: one whose members come and go leaves its outgrown tables behind,
 * each holding the next, and with them every member of old until a full collection.
 */
export class UnderWay {
  readonly #exchanges: Exchange[] = [];

  add(exchange: Exchange): void {
    this.#exchanges.push(exchange);
  }

  delete(exchange: Exchange): void {
    const at = this.#exchanges.indexOf(exchange);
    if (at !== -1) this.#exchanges.splice(at, 1);
  }

  abort(error: unknown): void {
    for (const exchange of [...this.#exchanges]) exchange.abort(error);
  }
}
