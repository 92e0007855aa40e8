import type { Context } from "../../context.ts";

interface Limit {
  /** Most things in any stretch of `windowMs`. */
  most: number;
  windowMs: number;
  /** Whose limit it is, for the notice of a wait: "the instance takes 5 resends a minute for a hook". */
  why: string;
}

/**
 * Keeps to a limit that the instance counts, for things that are done one after another: gives a function that waits
 * until one more may be done, and does it. A thing counts from its end, so that the instance, which saw it earlier,
 * never counts more.
 */
export function throttle(context: Context, { most, windowMs, why }: Limit): <T>(act: () => Promise<T>) => Promise<T> {
  const ends: number[] = [];
  return async (act) => {
    // A dry run sends nothing that could count.
    if (context.config.dryRun) return act();
    const oldest = ends.at(-most);
    const wait = oldest === undefined ? 0 : oldest + windowMs - context.now().getTime();
    if (wait > 1000) context.notice(`waiting ${Math.ceil(wait / 1000)} s: ${why}`);
    if (wait > 0) await context.sleep(wait);
    try {
      return await act();
    } finally {
      ends.push(context.now().getTime());
    }
  };
}
