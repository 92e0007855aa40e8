import { randomUUID } from "node:crypto";
import { checkUnmodifiedSince } from "../call.ts";
import { deliverEvent } from "../hooks/deliver.ts";
import { groupHooks, type HookKind, hookDeliveries } from "../hooks/model.ts";
import { type Occasion, occasionsIn } from "../hooks/occasions.ts";
import { payloadOf } from "../hooks/payload.ts";
import { RateLimit } from "../limit.ts";
import { events, type Group } from "../model.ts";
import { integer, oneOf, required, string } from "../params.ts";
import { notFound, unprocessable } from "../problem.ts";
import { json, noContent } from "../reply.ts";
import type { Router } from "../router.ts";
import type { World } from "../world.ts";
import { findHook } from "./hooks.ts";

/** What a hook can be tested with. */
const testable = [
  "push",
  "tag_push",
  "issues",
  "confidential_issues",
  "note",
  "merge_requests",
  "job",
  "pipeline",
  "wiki_page",
  "releases",
  "emoji",
  "resource_access_token",
] as const satisfies readonly HookKind[];

const triggers = testable.map((kind) => `${kind}_events` as const);

/** Most tests of one user in one group in a minute. */
const MOST_TESTS = 5;

const served = { access: { group: "owner" }, tier: "premium" } as const;
const hookId = { hook_id: required(integer()) };

/** Beyond the documents: what else can be done with a group webhook. */
export function hookCompanions(router: Router): void {
  router.on("DELETE /groups/:id/hooks/:hook_id", { ...served, params: hookId }, (call) => {
    const { world, group, params } = call;
    const hook = findHook(world, group, params.hook_id);
    checkUnmodifiedSince(call, hook.created_at);
    world.store.table(groupHooks).delete(hook.id);
    const deliveries = world.store.table(hookDeliveries);
    for (const { id } of deliveries.where((each) => each.hook_id === hook.id)) deliveries.delete(id);
    return noContent();
  });
  const named = { ...hookId, key: required(string({ max: 255 })) };
  const header = "DELETE /groups/:id/hooks/:hook_id/custom_headers/:key";
  router.on(header, { ...served, params: named }, ({ world, group, params }) => {
    const hook = findHook(world, group, params.hook_id);
    const custom_headers = hook.custom_headers.filter(({ key }) => key !== params.key);
    if (custom_headers.length === hook.custom_headers.length) throw notFound("Custom header");
    world.store.table(groupHooks).update(hook.id, { custom_headers });
    return noContent();
  });
  testing(router);
}

function testing(router: Router): void {
  const limit = new RateLimit(MOST_TESTS);
  const params = { ...hookId, trigger: required(oneOf(triggers)) };
  const route = "POST /groups/:id/hooks/:hook_id/test/:trigger";
  router.on(route, { ...served, params }, async ({ world, group, user, params }) => {
    limit.take(world, `${user.id} ${group.id}`);
    const hook = findHook(world, group, params.hook_id);
    const kind = params.trigger.replace(/_events$/, "") as HookKind;
    const occasion = latest(world, group, kind);
    if (occasion === undefined)
      throw unprocessable(`Ensure that a project of the group has ${kind.replace("_", " ")}.`);
    const about = { kind, eventUuid: randomUUID(), payload: payloadOf(world, occasion) };
    const { response_status: status, response_body } = await deliverEvent(world, hook, about);
    if (!/^2\d\d$/.test(status)) throw unprocessable(`Hook execution failed: ${response_body || `HTTP ${status}`}`);
    return json(201, { message: "201 Created" });
  });
}

/** What happened last of a kind, in the group or below it. */
function latest(world: World, group: Group, kind: HookKind): Occasion | undefined {
  const happened = world.store.table(events).all().reverse();
  for (const event of happened) {
    const found = occasionsIn(world, group, event).find((occasion) => occasion.kind === kind);
    if (found !== undefined) return found;
  }
  return undefined;
}
