import { isNotFound } from "../base/errors.ts";
import type { Api } from "./api.ts";

/** Part of what this holds is shown to some members alone (internal notes), and its issue may be hidden as well. */
const partlyShown = /\/(?:notes|discussions)\//;

/**
 * Whether a failure shows that what it asked for is gone, from a project or a group that exists: a missing or
 * invisible one answers 404 for all of its content too, and an instance without the request for everything. A tag of
 * the registry must not be listed either. If that cannot be found out, the error of the check is thrown.
 *
 * @param wasSeen the same token saw it before, in this run: without that, a note may only be invisible
 */
export async function provesGone(api: Api, error: unknown, wasSeen = false): Promise<boolean> {
  if (!isNotFound(error) || error.details.lacksRoute) return false;
  const { path = "", reason = "" } = error.details;
  if (/\b(?:project|group) not found/i.test(reason) || (partlyShown.test(path) && !wasSeen)) return false;
  const [, at, name = ""] = /\/api\/v4\/(projects|groups)\/([^/?]+)/.exec(path) ?? [];
  if (at === undefined) return true;
  const { readAround } = await import("./around.ts");
  const place = decodeURIComponent(name);
  await readAround(api, path, { at: at === "projects" ? "project" : "group", place });
  const [, repository, tag] = /\/registry\/repositories\/(\d+)\/tags\/([^/?]+)/.exec(path) ?? [];
  if (tag === undefined) return true;
  const listed = { project: place, repository_id: Number(repository) };
  const look = async () => (await goneTags(api, listed, [decodeURIComponent(tag)])).length === 1;
  // A run that deletes others may have moved it to a page that was read already, where the second look finds it.
  return (await look()) && (await look());
}

/**
 * Which of these tags are gone: the repository lists others, and not them. The details of a listed tag may be answered
 * with 404 (`registry-tag-search`), and a registry that restarts shows no tag at all.
 */
export async function goneTags(
  api: Api,
  at: { project: string; repository_id: number },
  names: readonly string[],
): Promise<string[]> {
  const { listTags } = await import("./endpoints/registry.ts");
  const gone = new Set(names);
  let isListing = false;
  for await (const { name } of api.list(listTags, at, { limit: undefined })) {
    isListing = true;
    if (gone.delete(name) && gone.size === 0) return [];
  }
  return isListing ? [...gone] : [];
}
