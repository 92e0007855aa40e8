import { getTag } from "../../../api/endpoints/registry.ts";
import { Failure, undefinedOn } from "../../../base/errors.ts";
import type { Context } from "../../../context.ts";
import { staleCode } from "../../../jobs/tally.ts";

/** A tag as it was judged; the digest is undefined if its name alone decided. */
interface Judged {
  readonly name: string;
  readonly digest?: string | null | undefined;
}

/**
 * Refuses to delete a tag that was pushed since the rules judged its image by time: with many tags, or a question, that
 * may be long ago. One that is gone is left to the deletion.
 */
export async function refuseMoved(
  context: Context,
  at: { project: string; repository_id: number },
  { name, digest }: Judged,
): Promise<void> {
  if (typeof digest !== "string") return;
  const now = await context.api.call(getTag, { ...at, tag_name: name }).catch(undefinedOn("notFound"));
  if (now !== undefined && now.digest !== digest)
    throw movedTag(now.digest, "run it again: the rules are applied to the new image");
}

/** The tag points at another image than the one that was to be deleted. */
export function movedTag(digest: string | null | undefined, hint: string): Failure {
  return new Failure(
    "conflict",
    `the tag points at another image by now (${digest ?? "unknown"}); it was not deleted`,
    { code: staleCode, hint, retryable: false },
  );
}
