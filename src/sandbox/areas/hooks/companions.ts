import { randomUUID } from "node:crypto";
import { lineage } from "../../server/access.ts";
import { oneOf, required, string } from "../../server/params.ts";
import { notFound, unprocessable } from "../../server/problem.ts";
import { created, noContent } from "../../server/reply.ts";
import type { Router } from "../../server/router.ts";
import { events } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { deliverEvent } from "./deliver.ts";
import { findHook, hookAccess, hookId } from "./find.ts";
import { type HookEvent, hookEventsOf } from "./hook-events.ts";
import { type GroupHook, groupHooks, type HookKind, hookDeliveries, kindNames } from "./model.ts";
import { payloadOf } from "./payload.ts";

/** Endpoints for group hooks that the service has and the API documents do not show. */
export function hookCompanions(router: Router): void {
  remove(router);
  removeHeader(router);
  test(router);
}

function remove(router: Router): void {
  const options = { ...hookAccess, params: hookId };
  router.on("DELETE /groups/:id/hooks/:hook_id", options, ({ world, group, params }) => {
    const hook = findHook(world, group, params.hook_id);
    const deliveries = world.store.table(hookDeliveries);
    for (const { id } of deliveries.where((row) => row.hook_id === hook.id)) deliveries.delete(id);
    world.store.table(groupHooks).delete(hook.id);
    return noContent();
  });
}

function removeHeader(router: Router): void {
  const options = { ...hookAccess, params: { ...hookId, key: required(string()) } };
  router.on("DELETE /groups/:id/hooks/:hook_id/custom_headers/:key", options, ({ world, group, params }) => {
    const hook = findHook(world, group, params.hook_id);
    const custom_headers = hook.custom_headers.filter(({ key }) => key !== params.key);
    if (custom_headers.length === hook.custom_headers.length) throw notFound("Custom header");
    world.store.table(groupHooks).update(hook.id, { custom_headers });
    return noContent();
  });
}

function test(router: Router): void {
  const trigger = required(oneOf(kindNames.map((kind) => `${kind}_events` as const)));
  const options = { ...hookAccess, params: { ...hookId, trigger } };
  router.on("POST /groups/:id/hooks/:hook_id/test/:trigger", options, async ({ world, group, params }) => {
    const hook = findHook(world, group, params.hook_id);
    const kind = params.trigger.slice(0, -"_events".length) as HookKind;
    const hookEvent = lastEvent(world, hook, kind);
    if (hookEvent === undefined)
      throw unprocessable(`Testing not available for this hook: nothing of ${kind} happened`);
    const about = { kind, eventUuid: randomUUID(), payload: payloadOf(world, hookEvent) };
    const { response_status: status, response_body } = await deliverEvent(world, hook, about);
    if (!/^2\d\d$/.test(status)) throw unprocessable(response_body || status);
    return created({ message: "201 Created" });
  });
}

/** The last event of a kind that the hook would receive. */
function lastEvent(world: World, hook: GroupHook, kind: HookKind): HookEvent | undefined {
  for (const event of world.store.table(events).all().reverse()) {
    const hookEvent = hookEventsOf(world, event).find((each) => each.kind === kind && isInside(world, hook, each));
    if (hookEvent !== undefined) return hookEvent;
  }
  return undefined;
}

function isInside(world: World, hook: GroupHook, { place }: HookEvent): boolean {
  const inside = "namespace_id" in place ? place.namespace_id : place.id;
  return lineage(world, inside).some(({ id }) => id === hook.group_id);
}
