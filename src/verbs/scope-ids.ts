import { type PlaceKind, readPlace } from "../api/place.ts";
import { Failure, undefinedOn } from "../base/errors.ts";
import type { Context } from "../context.ts";
import { concurrently } from "../jobs/concurrently.ts";

/**
 * The IDs of projects and groups, by `project acme/docs` or `group acme`: names of one are one, `7`, `acme/storefront`,
 * and `ACME/Storefront`. What the instance does not show is left out.
 *
 * @param isShared whether other machines look up the same, and have to find the same: what fails (5xx) is then an error
 */
export async function scopeIds(
  context: Context,
  scopes: Iterable<string>,
  isShared = false,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  const look = async (scope: string) => {
    if (scope === "") return [scope, undefined] as const;
    const [at = "", ...name] = scope.split(" ");
    const place = readPlace(context.api, at as PlaceKind, name.join(" "));
    const unlessFailed = (error: unknown) => {
      if (isShared && error instanceof Failure && (error.details.status ?? 0) >= 500) throw error;
      return undefinedOn("notFound", "forbidden", "refused")(error);
    };
    return [scope, (await place.catch(unlessFailed))?.id] as const;
  };
  for await (const [scope, id] of concurrently(scopes, look, { limit: context.config.concurrency })) {
    if (id !== undefined) ids.set(scope, `${scope.slice(0, scope.indexOf(" "))} ${id}`);
  }
  return ids;
}
