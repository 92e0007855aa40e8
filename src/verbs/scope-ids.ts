import { getGroup, getProject } from "../api/endpoints/places.ts";
import { Failure } from "../base/errors.ts";
import type { Context } from "../context.ts";
import { concurrently } from "../jobs/concurrently.ts";

/**
 * The IDs of projects and groups, by `project acme/docs` or `group acme`: names of one are one, `7`, `acme/storefront`,
 * and `ACME/Storefront`. What the instance does not show is left out.
 */
export async function scopeIds(context: Context, scopes: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  const look = async (scope: string) => {
    const space = scope.indexOf(" ");
    const id = scope === "" ? undefined : await idOf(context, scope.slice(0, space), scope.slice(space + 1));
    return [scope, id] as const;
  };
  for await (const [scope, id] of concurrently(scopes, look, { limit: context.config.concurrency })) {
    if (id !== undefined) ids.set(scope, `${scope.slice(0, scope.indexOf(" "))} ${id}`);
  }
  return ids;
}

async function idOf({ api }: Context, kind: string, name: string): Promise<number | undefined> {
  try {
    const found =
      kind === "group" ? await api.call(getGroup, { group: name }) : await api.call(getProject, { project: name });
    return typeof found.id === "number" ? found.id : undefined;
  } catch (error) {
    if (error instanceof Failure && ["notFound", "forbidden", "refused"].includes(error.exit)) return undefined;
    throw error;
  }
}
