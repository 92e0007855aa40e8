import { cacheSeconds } from "../../state/runs/recent-writes.ts";
import { secondsToWait, waitFlags } from "../../verbs/poll.ts";

/** `--wait` of every command that changes settings. */
export function settingsWaitFlags(what = "the settings") {
  return waitFlags(
    `Wait until a read shows ${what}: the other processes of an instance may have the old ones for a minute`,
    cacheSeconds,
  );
}

/** Seconds to wait until settings have taken effect; undefined without `--wait`. */
export function settingsWaitSeconds(input: Parameters<typeof secondsToWait>[0]): number | undefined {
  return secondsToWait(input, cacheSeconds);
}
