import { cacheSeconds } from "../../state/runs/recent-writes.ts";
import { secondsToWait, waitFlags } from "../../verbs/poll.ts";

/** `--wait` of every command that changes settings. */
export function settingsWaitFlags(what = "the settings") {
  return waitFlags(`Wait until ${what} have taken effect: an instance caches them`, cacheSeconds);
}

/** Seconds to wait until settings have taken effect; undefined without `--wait`. */
export function settingsWaitSeconds(input: Parameters<typeof secondsToWait>[0]): number | undefined {
  return secondsToWait(input, cacheSeconds);
}
