import { targetWord } from "../../api/endpoints/event-words.ts";
import { UsageError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";

/** What instances record under a type of its own, which no filter finds (events-of-other-types), and what does. */
const unfound: Readonly<Record<string, { types: readonly string[]; instead: string }>> = {
  note: { types: ["DiffNote", "DiscussionNote"], instead: "--action commented finds these too" },
  issue: { types: ["WorkItem"], instead: "without --target-type they are listed too" },
};

/** Refuses a kind of target that no filter finds, and warns of those that a filter may not find. */
export function checkTargetType(context: Context, typed: string | undefined): void {
  if (typed === undefined) return;
  const word = targetWord(typed);
  for (const [known, { types, instead }] of Object.entries(unfound)) {
    const type = types.find((each) => targetWord(each) === word);
    if (type !== undefined) {
      throw new UsageError(`--target-type ${type}: an instance does not select these by their type`, { hint: instead });
    }
    if (word === known) context.warn(`an instance may not find ${types.join(" and ")} as ${known}: ${instead}`);
  }
}
