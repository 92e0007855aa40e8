import { unseenGroup } from "../../api/unseen-targets.ts";
import type { Change } from "../kind.ts";
import type { Places } from "../live/places.ts";

/** Whether it removes a group's entry, which may be added again only by who sees the group. */
function removesGroup({ action, kind }: Change): boolean {
  return action === "delete" && kind.target === "group";
}

/** Looks up the groups of entries that are removed: of one that this token does not see, the removal says so. */
export function withUnseen(places: Places, changes: readonly Change[]): Promise<Change[]> {
  const looked = async (change: Change) => {
    const isUnseen = removesGroup(change) && (await places.of({ at: "group", name: String(change.id) })) === undefined;
    return isUnseen ? { ...change, reason: unseenGroup } : change;
  };
  return Promise.all(changes.map(looked));
}

/** A row of a saved plan as it was looked up for it. */
export function asLookedUp(change: Change, reason: string | null): Change {
  return removesGroup(change) && reason === unseenGroup ? { ...change, reason } : change;
}
