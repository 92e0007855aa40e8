import { findKind } from "../kinds/index.ts";
import { cacheSeconds } from "../runs/recent-writes.ts";
import type { Run, RunEntry } from "../runs/runs.ts";

/** For how long after a run a read may still show the state before it. */
const lagMs = 10_000;

/** For how long an instance may still be at work on a change whose answer was lost. */
const openMs = 60_000;

/** What may still happen to the changes of a run, by the time since it last wrote to its journal. */
export function sinceLastWrite(run: Run, now: Date) {
  const sinceMs = now.getTime() - lastWritten(run);
  return {
    /** A read may show the state before the run. */
    mayLag: !(sinceMs > lagMs),
    /**
     * When to look again, if the instance may still make a change: the object is as before it, or it is cached, so that
     * a read does not tell, and it may be restored too early.
     */
    openFor: ({ status, kind }: RunEntry, isRestored: boolean): string | undefined => {
      const isCached = findKind(kind)?.cached !== undefined;
      // What was made at the end of the minute, a read shows only once the copy of before it has expired.
      const endMs = isCached ? openMs + cacheSeconds * 1000 : openMs;
      if (sinceMs > endMs || status !== "unknown" || (isRestored && !isCached)) return undefined;
      return isCached ? "in three minutes" : "in a minute";
    },
  };
}

/** In ms since the epoch; a run that was killed, perhaps after an hour, has no end. */
function lastWritten({ started, ended, entries }: Run): number {
  const times = entries.flatMap(({ time }) => (time === undefined ? [] : [Date.parse(time)]));
  return times.reduce((latest, time) => Math.max(latest, time), Date.parse(ended ?? started));
}
