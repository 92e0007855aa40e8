import { Failure, reasonIn } from "../base/errors.ts";
import type { Context } from "../context.ts";

/**
 * Warns before a link is added to a group that has none, from which on instances remove members
 * (links-remove-members), or whose links cannot be read.
 *
 * @param links those that the group has
 */
export async function warnOfFirstLink(context: Context, links: AsyncIterable<object>, text: string): Promise<void> {
  try {
    for await (const _ of links) return;
  } catch (error) {
    if (!(error instanceof Failure) || error.exit === "interrupted") throw error;
    context.warn(`the links of the group were not read (${reasonIn(error)}): ${text}`);
    return;
  }
  context.warn(text);
}
