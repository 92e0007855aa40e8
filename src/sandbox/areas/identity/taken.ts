import type { World } from "../../store/world.ts";

/** Whether a UID conflicts with an existing one: real instances ignore case. */
export function isTaken(world: World, uid: string | undefined, wanted: string): boolean {
  return world.asDeployed ? uid?.toLowerCase() === wanted.toLowerCase() : uid === wanted;
}
