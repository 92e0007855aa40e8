import { oneByOne } from "../base/one-by-one.ts";
import type { Context } from "../context.ts";

/**
 * Runs `act` once the earlier ones of this object on this instance have ended: the lines of a batch run at once, and
 * what one reads and sends along may be what another has just changed. After Ctrl-C none begins that was waiting.
 */
export function inTurn<T>(context: Context, object: string, act: () => Promise<T>): Promise<T> {
  return oneByOne(`${context.config.baseUrl?.value ?? ""} ${object}`, async () => {
    await context.uninterrupted(async () => undefined);
    return act();
  });
}
