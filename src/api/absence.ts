import { Failure } from "../base/errors.ts";
import type { Api } from "./api.ts";

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
  const { readPlace } = await import("./place.ts");
  await readPlace(api, at === "projects" ? "project" : "group", decodeURIComponent(name));
  return true;
}
