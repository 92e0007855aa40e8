import { secondsToWait, waitFlags } from "../../verbs/poll.ts";

/** How long an instance caches its settings (`3-settings-api: Limits`), with a margin. */
export const cacheSeconds = 90;

/** `--wait` of every command that changes settings. */
export function inForceFlags(what = "the settings") {
  return waitFlags(`Wait until ${what} are in force: an instance caches them`, cacheSeconds);
}

/** Seconds to wait until settings are in force; undefined without `--wait`. */
export function secondsInForce(input: Parameters<typeof secondsToWait>[0]): number | undefined {
  return secondsToWait(input, cacheSeconds);
}
