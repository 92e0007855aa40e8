import { cacheSeconds } from "../../state/recent-writes.ts";
import { secondsToWait, waitFlags } from "../../verbs/poll.ts";

/** `--wait` of every command that changes settings. */
export function inForceFlags(what = "the settings") {
  return waitFlags(`Wait until ${what} are in force: an instance caches them`, cacheSeconds);
}

/** Seconds to wait until settings are in force; undefined without `--wait`. */
export function secondsInForce(input: Parameters<typeof secondsToWait>[0]): number | undefined {
  return secondsToWait(input, cacheSeconds);
}
