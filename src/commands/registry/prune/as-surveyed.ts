import { getTag } from "../../../api/endpoints/registry.ts";
import { Failure, undefinedOn } from "../../../base/errors.ts";
import type { Context } from "../../../context.ts";
import { staleCode } from "../../../jobs/tally.ts";
import { needsTimes, type Rules } from "./selection.ts";

/** A tag of a repository, as a request names it. */
interface TagPlace {
  readonly project: string;
  readonly repository_id: number;
  readonly tag_name: string;
}

interface Image {
  readonly digest?: unknown;
  readonly created_at?: unknown;
}

/** The image whose time decided on a tag: its digest, or its time if that is not shown; undefined if its name did. */
export function decisive(rules: Rules, tag: Image): string | undefined {
  return needsTimes(rules) ? imageOf(tag) : undefined;
}

function imageOf({ digest, created_at }: Image): string {
  return String(digest ?? created_at);
}

/**
 * Throws if a tag points at another image than the one that was decided on: what was pushed since, the rules may keep.
 * Whether it is gone, the deletion says.
 */
export async function refuseMoved(context: Context, tag: TagPlace, image: string | undefined): Promise<void> {
  if (image === undefined) return;
  const now = await context.api.call(getTag, tag).catch(undefinedOn("notFound"));
  if (now !== undefined && imageOf(now) !== image) throw stale(now.digest ?? undefined, "run the command again");
}

export function stale(digest = "unknown", hint: string): Failure {
  return new Failure("conflict", `the tag points at another image by now (${digest}); it was not deleted`, {
    code: staleCode,
    hint,
    retryable: false,
  });
}
