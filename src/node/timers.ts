/** Waits so many milliseconds; rejects with the reason of the first of the signals that is aborted. */
export function pause(ms: number, ...signals: (AbortSignal | undefined)[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const heard = signals.filter((signal) => signal !== undefined);
    const aborted = heard.find((signal) => signal.aborted);
    if (aborted !== undefined) return reject(aborted.reason);
    const leave = () => {
      clearTimeout(timer);
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
    for (const signal of heard) signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** Calls `tick` every so many milliseconds until what it gives is called; by itself it keeps no process alive. */
export function every(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms);
  timer.unref();
  return () => clearInterval(timer);
}
