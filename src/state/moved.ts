import { getGroup, getProject } from "../api/endpoints/places.ts";
import { Failure, UsageError } from "../base/errors.ts";
import { concurrently } from "../jobs/concurrently.ts";
import type { Change, Scope } from "./kind.ts";
import type { Reader } from "./reader.ts";

/**
 * Refuses scopes whose path has changed: an instance redirects reads of the old path, and refuses writes. If it cannot
 * look paths up, the first write fails.
 */
export async function refuseMoved(reader: Reader, changes: readonly Change[], concurrency: number): Promise<void> {
  const named = changes.map(({ scope }) => scope).filter(({ at, name }) => at !== "instance" && !/^\d+$/.test(name));
  const scopes = [...new Map(named.map((scope) => [`${scope.at}:${scope.name}`, scope])).values()];
  for await (const { scope, path } of concurrently(scopes, (each) => pathOf(reader, each), {
    limit: concurrency,
    ordered: true,
  })) {
    refuseOther(scope, path);
  }
}

/** Refuses a scope whose path on the instance differs from the one in the file. */
export function refuseOther({ at, name }: Scope, path: unknown): void {
  if (typeof path !== "string" || /^\d+$/.test(name) || path.toLowerCase() === name.toLowerCase()) return;
  throw new UsageError(`the ${at} ${name} has moved to ${path}`, {
    code: "moved",
    reason: "nothing was sent",
    hint: `write ${path} in the file`,
  });
}

async function pathOf(reader: Reader, scope: Scope): Promise<{ scope: Scope; path: unknown }> {
  try {
    const { at, name } = scope;
    const found = await reader.call(at === "group" ? getGroup : getProject, { [at]: name });
    return {
      scope,
      path: "full_path" in found ? found.full_path : (found as Record<string, unknown>).path_with_namespace,
    };
  } catch (error) {
    if (error instanceof Failure && (error.exit === "notFound" || error.exit === "forbidden")) {
      return { scope, path: undefined };
    }
    throw error;
  }
}
