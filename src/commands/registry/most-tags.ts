import type { Context } from "../../context.ts";

/** The most tags that instances count, and list without the API of the service's registry (`registry-most-tags`). */
export const mostTags = 10_000;

/** Warns if the names of a repository's tags may be only the first of them. */
export function warnOfMore(context: Pick<Context, "warn">, names: number, repository: string | number): void {
  if (names !== mostTags) return;
  context.warn(
    `repository ${repository}: 10,000 tags are listed, the most where the registry lacks the service's own API; there may be others`,
  );
}
