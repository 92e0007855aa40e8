import type { Api } from "./api.ts";
import { getGroup, getProject } from "./endpoints/places.ts";

export type PlaceKind = "project" | "group";

/**
 * Looks up a project or group by its ID or full path. What is answered for an earlier path has the current one. The ID
 * is undefined if it is none that a request could name.
 */
export async function readPlace(
  api: Pick<Api, "call">,
  at: PlaceKind,
  name: string,
): Promise<{ readonly id: number | undefined; readonly path: string }> {
  if (at === "group") {
    const { id, full_path: path } = await api.call(getGroup, { group: name });
    return { id: usable(id), path };
  }
  const { id, path_with_namespace: path } = await api.call(getProject, { project: name });
  return { id: usable(id), path };
}

function usable(id: unknown): number | undefined {
  return typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
