export interface Timers {
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * Fires when a wait lasts too long. Waits come and go with every chunk, so one sleep serves many of them: it looks at
 * the clock when it wakes, and sleeps on for what is left.
 */
export class Watchdog {
  readonly #timers: Timers;
  readonly #timeoutMs: number;
  readonly #expired: () => void;
  readonly #stopped = new AbortController();
  #since: number | undefined;
  #running = false;

  constructor(timers: Timers, timeoutMs: number, expired: () => void) {
    this.#timers = timers;
    this.#timeoutMs = timeoutMs;
    this.#expired = expired;
  }

  /** A wait begins, or begins anew because something happened. */
  wait(): void {
    if (this.#stopped.signal.aborted) return;
    this.#since = this.#timers.now();
    if (this.#running) return;
    this.#running = true;
    void this.#watch();
  }

  /** Nothing is being waited for. */
  rest(): void {
    this.#since = undefined;
  }

  stop(): void {
    this.#since = undefined;
    this.#stopped.abort();
  }

  async #watch(): Promise<void> {
    let left = this.#timeoutMs;
    while (left > 0) {
      try {
        await this.#timers.sleep(left, this.#stopped.signal);
      } catch {
        return;
      }
      if (this.#since === undefined) break;
      left = this.#timeoutMs - (this.#timers.now() - this.#since);
    }
    this.#running = false;
    if (this.#since !== undefined) this.#expired();
  }
}
