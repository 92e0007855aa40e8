import { getHook } from "../../api/endpoints/hooks.ts";
import { Failure } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import type { Delivery, HookPlace } from "./deliveries.ts";
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

/** What a failing resend or test is for an instance, in words (`hook-disabled-unrecorded`). */
export const failuresCount =
  `each one that fails is a failure of the hook, which instances disable after ${failuresInARow} in a row: ` +
  "for a time, older ones for good if the receiver answered 4xx";

/** A resend that was sent, and that the receiver did not answer. */
export function isUndelivered(error: unknown): boolean {
  return error instanceof Failure && error.details.code === "not_delivered";
}

/** After resends of which one failed: whether the instance has disabled the hook. */
export async function warnIfDisabled(context: Context, place: HookPlace): Promise<void> {
  const hook = await context.api.call(getHook, place).catch(() => undefined);
  if (hook === undefined || isDisabled(hook, context.now()) !== true) return;
  const until = typeof hook.disabled_until === "string" ? ` until ${context.shownTime(hook.disabled_until)}` : "";
  context.warn(
    `hook ${place.hook_id} is disabled now${until}, after these failures too: ${unrecordedWords}; ${enables}`,
  );
}

const enables = "a test that is delivered enables it: forgectl hooks test";
