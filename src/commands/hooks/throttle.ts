import type { Context } from "../../context.ts";

interface Limit {
  /** Maximum number of actions in any period of `windowMs`. */
  max: number;
  windowMs: number;
  /** The source of the limit, for the notice of a wait: "the instance accepts 5 resends per minute and hook". */
  why: string;
}

/**
 * Throttles sequential actions to an instance's rate limit: the returned function waits until one more is allowed, and
 * runs it. An action counts from its end, so that the instance, which received it earlier, never counts more.
 */
export function throttle(context: Context, { max, windowMs, why }: Limit): <T>(act: () => Promise<T>) => Promise<T> {
  const ends: number[] = [];
  return async (act) => {
    // A dry run sends nothing that counts.
    if (context.config.dryRun) return act();
    const oldest = ends.at(-max);
    const wait = oldest === undefined ? 0 : oldest + windowMs - context.elapsedMs();
    if (wait > 1000) context.notice(`waiting ${Math.ceil(wait / 1000)} s: ${why}`);
    if (wait > 0) await context.sleep(wait);
    try {
      return await act();
    } finally {
      ends.push(context.elapsedMs());
    }
  };
}
