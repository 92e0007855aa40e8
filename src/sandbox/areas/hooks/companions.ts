import { randomUUID } from "node:crypto";
import { lineage } from "../../server/access.ts";
import { required, string } from "../../server/params.ts";
import { invalid, Problem, unprocessable } from "../../server/problem.ts";
import { created, noContent } from "../../server/reply.ts";
import type { Router } from "../../server/router.ts";
import { events } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { deliverEvent } from "./deliver.ts";
import { findHook, hookAccess, hookId, removeHeader, removeHook } from "./find.ts";
import { type HookEvent, hookEventsOf } from "./hook-events.ts";
import { deployedKinds, type GroupHook, type HookKind, kindNames } from "./model.ts";
import { payloadOf } from "./payload.ts";

/** Endpoints for group hooks that the service has and the API documents do not show. */
export function hookCompanions(router: Router): void {
  remove(router);
  headerRemoval(router);
  test(router);
}

function remove(router: Router): void {
  const options = { ...hookAccess, params: hookId };
  router.on("DELETE /groups/:id/hooks/:hook_id", options, ({ world, group, params }) => {
    removeHook(world, findHook(world, group, params.hook_id));
    return noContent();
  });
}

function headerRemoval(router: Router): void {
  const options = { ...hookAccess, params: { ...hookId, key: required(string()) } };
  router.on("DELETE /groups/:id/hooks/:hook_id/custom_headers/:key", options, ({ world, group, params }) => {
    removeHeader(world, findHook(world, group, params.hook_id), params.key);
    return noContent();
  });
}

function test(router: Router): void {
  const trigger = required(string());
  const options = { ...hookAccess, params: { ...hookId, trigger } };
  router.on("POST /groups/:id/hooks/:hook_id/test/:trigger", options, async ({ world, group, params }) => {
    const hook = findHook(world, group, params.hook_id);
    const kind = testableKind(world, params.trigger);
    const hookEvent = kind && lastEvent(world, hook, kind);
    if (kind === undefined || hookEvent === undefined)
      throw unprocessable(`Testing not available for this hook: nothing of ${params.trigger} happened`);
    const about = { kind, eventUuid: randomUUID(), payload: payloadOf(world, hookEvent) };
    const { response_status: status, response_body } = await deliverEvent(world, hook, about);
    // The receiver's answer is the message, even if it is empty.
    if (!/^2\d\d$/.test(status)) throw unprocessable(world.asDeployed ? response_body : response_body || status);
    return created({ message: "201 Created" });
  });
}

/** Kinds that real instances refuse to test, although hooks have them. */
const untestable: readonly string[] = ["repository_update", "subgroup", "member", "project"];

/** The kind that a trigger names; undefined for one of which nothing can happen here. Throws a 400 for any other. */
function testableKind({ asDeployed }: World, trigger: string): HookKind | undefined {
  const name = /^(\w+)_events$/.exec(trigger)?.[1] ?? "";
  const isRefused = asDeployed && untestable.includes(name);
  const kind = isRefused ? undefined : kindNames.find((each) => each === name);
  const isSilent = asDeployed && !isRefused && deployedKinds.some((each) => each === name);
  if (kind !== undefined || isSilent) return kind;
  if (asDeployed) throw new Problem(400, { error: "trigger does not have a valid value" });
  throw invalid({ trigger: ["does not have a valid value"] });
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
