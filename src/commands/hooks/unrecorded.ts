import type { Delivery } from "./deliveries.ts";
import { type DisabledHook, isDisabled } from "./disabled-hook.ts";

/** The failures in a row that disable a hook (`hook-disabled-unrecorded`); a redirect is none. */
const failuresInARow = 4;

/** Why the deliveries of a hook that is or was disabled are not all of its events. */
export const unrecordedWords =
  "events while a hook is disabled are neither sent nor recorded, so that they are in no list and cannot be resent";

/**
 * Whether a hook is disabled, or was in the time of these deliveries as far as they show it. Events of that time are
 * missing among them.
 *
 * @param deliveries all of the hook, newest first
 */
export function hasUnrecorded(hook: DisabledHook, deliveries: readonly Delivery[], now: Date): boolean {
  // The time is kept until a delivery succeeds, past or not.
  if (isDisabled(hook, now) === true || typeof hook.disabled_until === "string") return true;
  let inARow = 0;
  return deliveries.some(({ status }) => {
    inARow = /^[23]\d\d$/.test(status) ? 0 : inARow + 1;
    return inARow === failuresInARow;
  });
}
