import { integer, required } from "../../server/params.ts";
import { notFound } from "../../server/problem.ts";
import type { Group } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { type GroupHook, groupHooks, hookDeliveries } from "./model.ts";

/** The access that hooks require, and the parameter that names one. */
export const hookAccess = {
  access: { group: "owner" },
  tier: "premium",
  deployed: { authenticates: true },
} as const;
export const hookId = { hook_id: required(integer()) };

export function findHook(world: World, group: Group, id: number): GroupHook {
  const hook = world.store.table(groupHooks).get(id);
  if (hook?.group_id !== group.id) throw notFound("Hook");
  return hook;
}

/** Deletes a hook and its deliveries. */
export function removeHook(world: World, hook: GroupHook): void {
  const deliveries = world.store.table(hookDeliveries);
  for (const { id } of deliveries.where((row) => row.hook_id === hook.id)) deliveries.delete(id);
  world.store.table(groupHooks).delete(hook.id);
}

/** Removes a custom header of a hook. */
export function removeHeader(world: World, hook: GroupHook, key: string): void {
  const custom_headers = hook.custom_headers.filter((header) => header.key !== key);
  if (custom_headers.length === hook.custom_headers.length) throw notFound("Custom header");
  world.store.table(groupHooks).update(hook.id, { custom_headers });
}
