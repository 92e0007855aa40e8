import { Failure } from "../base/errors.ts";
import type { PageSource } from "./pages.ts";

const code = "shorter_list";
const why = "entries left a list while it was read, so that one of the others may be missing";

/** The warning about a list that became shorter. */
export const shorterList = `${why}: run the command again`;

/** The error, where nothing may be said of what is missing. */
export function shorter(): Failure {
  return new Failure("partial", why, { code, hint: "run the command again", retryable: true });
}

export function isShorter(error: unknown): boolean {
  return error instanceof Failure && error.code === code;
}

/**
 * Calls `onShorter` if the instance counts fewer rows than in a page before: what leaves a list by page numbers moves
 * the rest forward, so that the first row of a page may become the last one of the page that was read. Not after a
 * deletion of this run, which may be why.
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
