import { canonical } from "../fields/normal.ts";
import { findKind } from "../kinds/index.ts";
import { cacheSeconds } from "../runs/recent-writes.ts";
import type { Run, RunEntry } from "../runs/runs.ts";

/** For how long after a run a read may still show the state before it. */
const lagMs = 10_000;

/** For how long an instance may still be at work on a change whose answer was lost. */
const openMs = 60_000;

/**
 * What reads may not show, and what may still become of a run's changes, by the time since it wrote its last line.
 *
 * @param isForeign another machine made the run, so that its user's reads may show what those of this one do not yet
 */
export function sinceLastWrite(run: Run, now: Date, isForeign = false) {
  const sinceMs = now.getTime() - lastWritten(run);
  const isCached = ({ kind }: RunEntry) => findKind(kind)?.cached !== undefined;
  return {
    /** A read may not show what was changed after the run on another machine. */
    mayHideLater: !(sinceMs > cacheSeconds * 1000) && run.entries.some(isCached),
    /** A read may show the state before the run. */
    mayLag: !(sinceMs > lagMs),
    /**
     * When to look again, if the instance may still make a change: the object is as before it, or it is cached, so that
     * a read does not tell, and it may be restored too early. One that was sent twice may be made again.
     */
    openFor: (entry: RunEntry, isRestored: boolean): string | undefined => {
      // What was made at the end of the minute, a read shows only once the copy of before it has expired.
      const endMs = isCached(entry) ? openMs + cacheSeconds * 1000 : openMs;
      const isLost = entry.status === "unknown" && (!isRestored || isCached(entry));
      if (sinceMs > endMs || !(isLost || entry.open)) return undefined;
      return isCached(entry) ? "in three minutes" : "in a minute";
    },
    /** Whether a read may not show yet what the instance has accepted: the object is as before it. */
    isUnseen: (entry: RunEntry, isRestored: boolean): boolean => {
      if (sinceMs > openMs || isRestored) return false;
      return entry.status === "not_taken" || (isForeign && entry.status === "done" && !isAsBefore(entry));
    },
  };
}

/** In ms since the epoch; a run that was killed, perhaps after an hour, has no end. */
function lastWritten({ started, ended, entries }: Run): number {
  const times = entries.flatMap(({ time }) => (time === undefined ? [] : [Date.parse(time)]));
  return times.reduce((latest, time) => Math.max(latest, time), Date.parse(ended ?? started));
}

/** Whether the run changed nothing that a read shows, such as a secret. */
function isAsBefore({ before, after }: RunEntry): boolean {
  return canonical(before) === canonical(after);
}
