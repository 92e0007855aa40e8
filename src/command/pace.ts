import type { Context } from "../context.ts";

interface Pace {
  /** Most that are let through in any stretch of `windowMs`. */
  most: number;
  windowMs: number;
  /** Whose limit it is, for the notice of a wait: "the instance takes 5 resends a minute for a hook". */
  why: string;
}

/**
 * Keeps to a limit that the instance counts: gives a function that does one thing after another, and waits where too
 * many were done of late. A thing counts from its end, so that the instance, which saw it earlier, never counts more.
 */
export function paced(context: Context, { most, windowMs, why }: Pace): <T>(act: () => Promise<T>) => Promise<T> {
  const ends: number[] = [];
  let before: Promise<unknown> = Promise.resolve();
  const inTurn = async <T>(act: () => Promise<T>): Promise<T> => {
    const oldest = ends.at(-most);
    const wait = oldest === undefined || ends.length < most ? 0 : oldest + windowMs - context.now().getTime();
    if (wait > 0) {
      if (wait > 1000) context.notice(`waiting ${Math.ceil(wait / 1000)} s: ${why}`);
      await context.sleep(wait);
    }
    try {
      return await act();
    } finally {
      ends.push(context.now().getTime());
    }
  };
  return (act) => {
    // A dry run sends nothing that could count.
    if (context.config.dryRun) return act();
    const mine = before.then(() => inTurn(act));
    before = mine.catch(() => undefined);
    return mine;
  };
}
