export interface Timers {
  /** Waits that many milliseconds; rejects with the reason of the first signal that is aborted. */
  pause(ms: number, ...signals: (AbortSignal | undefined)[]): Promise<void>;
  /** From now on no pause keeps the process alive, so that abandoned waits do not delay its end. */
  release(): void;
}

/** 24 days: a timer of Node that is longer ends at once. */
const maxMs = 2 ** 31 - 1;

/** Timers on Node; a pending pause keeps the process alive until `release` is called. */
export function nodeTimers(): Timers {
  const running = new Set<NodeJS.Timeout>();
  let released = false;
  return {
    pause: (ms, ...signals) =>
      new Promise((resolve, reject) => {
        const given = signals.filter((signal) => signal !== undefined);
        const aborted = given.find((signal) => signal.aborted);
        if (aborted !== undefined) return reject(aborted.reason);
        const leave = () => {
          clearTimeout(timer);
          running.delete(timer);
          for (const signal of given) signal.removeEventListener("abort", onAbort);
        };
        const onAbort = (event: Event) => {
          leave();
          reject((event.target as AbortSignal).reason);
        };
        const timer = setTimeout(
          () => {
            leave();
            resolve();
          },
          Math.min(ms, maxMs),
        );
        running.add(timer);
        if (released) timer.unref();
        for (const signal of given) signal.addEventListener("abort", onAbort, { once: true });
      }),
    release: () => {
      released = true;
      for (const timer of running) timer.unref();
    },
  };
}

/**
 * Calls `act` after that many milliseconds, unless the returned function cancels it; does not keep the process alive.
 */
export function after(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, Math.min(ms, maxMs));
  timer.unref();
  return () => clearTimeout(timer);
}

/** Calls `tick` every `ms` milliseconds until the returned function is called; does not keep the process alive. */
export function every(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms);
  timer.unref();
  return () => clearInterval(timer);
}
