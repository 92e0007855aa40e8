import { setTimeout as sleep } from "node:timers/promises";

/** The result of `running`, or `otherwise` if it takes more than `ms` milliseconds: then it continues unobserved. */
export async function withTimeout<T>(running: Promise<T>, ms: number, otherwise: T): Promise<T> {
  const ended = new AbortController();
  const timeout = sleep(ms, otherwise, { signal: ended.signal });
  try {
    return await Promise.race([running, timeout]);
  } finally {
    ended.abort();
    await timeout.catch(() => undefined);
  }
}
