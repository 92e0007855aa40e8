/** Waits that many milliseconds; rejects on Ctrl-C. */
export type Pause = (ms: number) => Promise<void>;

/** An instance may answer reads from a copy of its database, which shows a change a second or two later. */
const pausesMs = [250, 750, 1500];

/** Looks until it is there, and again after pauses: what is not seen at first is no proof that it is not there. */
export async function lookAgain<T>(look: () => Promise<T>, isThere: (seen: T) => boolean, pause: Pause): Promise<T> {
  let seen = await look();
  for (const ms of pausesMs) {
    if (isThere(seen)) break;
    await pause(ms);
    seen = await look();
  }
  return seen;
}
