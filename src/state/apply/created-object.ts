import { namesItsId } from "../keys.ts";
import type { Change, Live } from "../kind.ts";
import { idOf } from "../live/compare.ts";
import type { Comparison } from "../plan/live-comparison.ts";
import { type Result, unknown } from "./result.ts";

/**
 * A creation, with the ID that the answer to it gave: from then on that is its object, even if the instance stored its
 * name or its address otherwise.
 */
export function identified(change: Change, answered: Live | undefined): Change {
  const { kind, action, desired } = change;
  const id = idOf(answered);
  if (action !== "create" || desired === undefined || id === null) return change;
  const values = { ...desired.values, id };
  return namesItsId(kind, values) ? { ...change, id, desired: { ...desired, values } } : change;
}

/** What was answered with success, but no list has shown yet: it was made, unless the instance has dropped it. */
export function unlisted({ action }: Change, seen: Comparison, answered: Live | undefined): Result | undefined {
  if (seen.live !== undefined || (action !== "create" && action !== "replace")) return undefined;
  const id = idOf(answered);
  const made = id === null ? "it was made" : `it was made with the ID ${id}`;
  return { ...unknown(`the instance answered that ${made}, but does not list it`), live: answered };
}
