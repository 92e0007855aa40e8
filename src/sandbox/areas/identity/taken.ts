import type { World } from "../../store/world.ts";

/** Whether a UID stands in the way of a new one: real instances pass over case there. */
export function isTaken(world: World, uid: string | undefined, wanted: string): boolean {
  return world.asDeployed ? uid?.toLowerCase() === wanted.toLowerCase() : uid === wanted;
}
