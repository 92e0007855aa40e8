export interface Clock {
  /** See `TransportOptions`. */
  elapsedMs(): number;
  /** See `TransportOptions`. */
  after(ms: number, act: () => void): () => void;
}

/**
 * Fires when a wait exceeds its limit. Waits start and end with every chunk, so one timer serves many of them: it
 * checks the clock when it fires, and is rescheduled for the remaining time.
 */
export class Watchdog {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #expired: () => void;
  #since: number | undefined;
  #cancel: (() => void) | undefined;
  #stopped = false;

  constructor(clock: Clock, timeoutMs: number, expired: () => void) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#expired = expired;
  }

  /** Starts a wait, or restarts it after progress. */
  wait(): void {
    if (this.#stopped) return;
    this.#since = this.#clock.elapsedMs();
    this.#cancel ??= this.#clock.after(this.#timeoutMs, () => this.#check());
  }

  /** Ends the wait. */
  rest(): void {
    this.#since = undefined;
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  #check(): void {
    this.#cancel = undefined;
    if (this.#since === undefined) return;
    const left = this.#timeoutMs - (this.#clock.elapsedMs() - this.#since);
    if (left > 0) this.#cancel = this.#clock.after(left, () => this.#check());
    else this.#expired();
  }
}
