import { Failure } from "../base/errors.ts";
import type { Api } from "./types.ts";

/**
 * Whether a failure shows that what it asked for is gone, from a project or a group that exists: a missing or
 * invisible one answers 404 for all of its content too. If that cannot be found out, the error of the check is thrown.
 */
export async function provesGone(api: Api, error: unknown): Promise<boolean> {
  if (!(error instanceof Failure) || error.details.status !== 404) return false;
  const { path = "", reason = "" } = error.details;
  if (/\b(?:project|group) not found/i.test(reason)) return false;
  const [, at, name = ""] = /\/api\/v4\/(projects|groups)\/([^/?]+)/.exec(path) ?? [];
  if (at === undefined) return true;
  const { getGroup, getProject } = await import("./endpoints/places.ts");
  if (at === "projects") await api.call(getProject, { project: decodeURIComponent(name) });
  else await api.call(getGroup, { group: decodeURIComponent(name) });
  return true;
}
