import { type PlaceKind, readPlace } from "../api/place.ts";
import { undefinedOn } from "../base/errors.ts";
import type { Context } from "../context.ts";
import { concurrently } from "../jobs/concurrently.ts";

/**
 * The IDs of projects and groups, by `project acme/docs` or `group acme`: names of one are one, `7`, `acme/storefront`,
 * and `ACME/Storefront`. What the instance does not show is left out.
 */
export async function scopeIds(context: Context, scopes: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  const look = async (scope: string) => {
    if (scope === "") return [scope, undefined] as const;
    const [at = "", ...name] = scope.split(" ");
    const place = readPlace(context.api, at as PlaceKind, name.join(" "));
    return [scope, (await place.catch(undefinedOn("notFound", "forbidden", "refused")))?.id] as const;
  };
  for await (const [scope, id] of concurrently(scopes, look, { limit: context.config.concurrency })) {
    if (id !== undefined) ids.set(scope, `${scope.slice(0, scope.indexOf(" "))} ${id}`);
  }
  return ids;
}
