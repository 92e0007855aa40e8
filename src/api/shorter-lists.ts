import type { PageSource } from "./pages.ts";

/** The warning about a list that became shorter. */
export const shorterList =
  "entries left a list while it was read, so that one of the others may be missing: run the command again";

/**
 * Notices if the instance counts fewer rows than in a page before: what leaves a list by page numbers moves the rest
 * forward, so that the first row of a page may become the last one of the page that was read. Not after a deletion of
 * this run, which may be why.
 */
export function watchingTotal<T>(source: PageSource<T>, made: readonly string[], onShorter: () => void): PageSource<T> {
  let most = 0;
  const byNumber = async (number: number) => {
    // Pages are requested ahead: only what was counted before this request is counted again by its answer.
    const known = most;
    const page = await source.byNumber(number);
    const { total = known } = page;
    if (total < known && !made.some((change) => change.startsWith("DELETE "))) onShorter();
    most = Math.max(most, total);
    return page;
  };
  return { ...source, byNumber };
}
