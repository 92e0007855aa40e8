export interface Timers {
  /** Waits so many milliseconds; rejects with the reason of the first of the signals that is aborted. */
  pause(ms: number, ...signals: (AbortSignal | undefined)[]): Promise<void>;
  /** From here on no pause keeps the process alive: what a command gave up waiting for must not hold back its end. */
  release(): void;
}

export function nodeTimers(): Timers {
  const running = new Set<NodeJS.Timeout>();
  let released = false;
  return {
    pause: (ms, ...signals) =>
      new Promise((resolve, reject) => {
        const heard = signals.filter((signal) => signal !== undefined);
        const aborted = heard.find((signal) => signal.aborted);
        if (aborted !== undefined) return reject(aborted.reason);
        const leave = () => {
          clearTimeout(timer);
          running.delete(timer);
          for (const signal of heard) signal.removeEventListener("abort", onAbort);
        };
        const onAbort = (event: Event) => {
          leave();
          reject((event.target as AbortSignal).reason);
        };
        const timer = setTimeout(() => {
          leave();
          resolve();
        }, ms);
        running.add(timer);
        if (released) timer.unref();
        for (const signal of heard) signal.addEventListener("abort", onAbort, { once: true });
      }),
    release: () => {
      released = true;
      for (const timer of running) timer.unref();
    },
  };
}

/** Calls `act` in so many milliseconds, unless what it gives is called before; by itself it keeps no process alive. */
export function after(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms);
  timer.unref();
  return () => clearTimeout(timer);
}

/** Calls `tick` every so many milliseconds until what it gives is called; by itself it keeps no process alive. */
export function every(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms);
  timer.unref();
  return () => clearInterval(timer);
}
