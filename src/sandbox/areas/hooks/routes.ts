import { randomUUID } from "node:crypto";
import { ownValue } from "../../own-value.ts";
import { RateLimit } from "../../server/limit.ts";
import { page, pageParams } from "../../server/pagination.ts";
import { fallback, integer, required, string } from "../../server/params.ts";
import { invalid, notFound, unprocessable } from "../../server/problem.ts";
import { created, ok } from "../../server/reply.ts";
import type { Area, Router } from "../../server/router.ts";
import { DAY_MS } from "../../store/time.ts";
import type { Activity, World } from "../../store/world.ts";
import { changeHook, newHook } from "./change.ts";
import { hookCompanions } from "./companions.ts";
import { deliverAgain, deliverEvent, hasMoved } from "./deliver.ts";
import { findHook, hookAccess, hookId } from "./find.ts";
import { hookEventsOf, hooksFor } from "./hook-events.ts";
import { type GroupHook, groupHooks, type HookDelivery, hookDeliveries, isExecutable } from "./model.ts";
import { hookParams } from "./params.ts";
import { payloadOf } from "./payload.ts";
import { projectHooks } from "./project-hooks.ts";
import { seedHooks } from "./seed.ts";
import { viewDelivery, viewHook } from "./view.ts";

/** How long deliveries of a hook remain visible (2-collaboration-identity-api: Limits). */
const HISTORY_MS = 7 * DAY_MS;
/** Larger pages of deliveries are refused, as on some instances: a delivery may have megabytes. */
const MAX_PER_PAGE = 20;
/** The maximum resends per minute by one user for one hook (2-collaboration-identity-api: Limits). */
const MAX_RESENDS = 5;

/** Group webhooks: 2-collaboration-identity-api: Group webhooks. */
export const hooksArea: Area = {
  name: "hooks",
  seed: seedHooks,
  onEvent: notifyHooks,
  routes(router) {
    readHooks(router);
    createHook(router);
    updateHook(router);
    listDeliveries(router);
    resend(router);
    hookCompanions(router);
    projectHooks(router);
  },
};

/** Delivers an event in the background to the hooks that subscribe to it. */
function notifyHooks(world: World, event: Activity): void {
  if (!world.has("premium")) return;
  for (const hookEvent of hookEventsOf(world, event)) {
    const hooks = hooksFor(world, hookEvent).filter((hook) => isExecutable(hook, world.timestamp()));
    if (hooks.length === 0) continue;
    const about = { kind: hookEvent.kind, eventUuid: randomUUID(), payload: payloadOf(world, hookEvent) };
    for (const hook of hooks) {
      deliverEvent(world, hook, about).catch((error: unknown) => {
        if (!world.signal.aborted) world.log(`hook ${hook.id} could not be notified: ${String(error)}`);
      });
    }
  }
}

function readHooks(router: Router): void {
  router.on("GET /groups/:id/hooks", { ...hookAccess, params: pageParams }, (call) => {
    const rows = call.world.store.table(groupHooks).where((hook) => hook.group_id === call.group.id);
    return page(call, rows, (hook) => viewHook(call.world, hook));
  });
  router.on("GET /groups/:id/hooks/:hook_id", { ...hookAccess, params: hookId }, (call) =>
    ok(viewHook(call.world, findHook(call.world, call.group, call.params.hook_id))),
  );
}

function createHook(router: Router): void {
  router.on("POST /groups/:id/hooks", { ...hookAccess, params: hookParams }, ({ world, group, params }) =>
    created(viewHook(world, newHook(world, { group_id: group.id }, params))),
  );
}

function updateHook(router: Router): void {
  const params = { ...hookParams, ...hookId };
  router.on("PUT /groups/:id/hooks/:hook_id", { ...hookAccess, params }, ({ world, group, params }) => {
    const { hook_id, ...values } = params;
    return ok(viewHook(world, changeHook(world, findHook(world, group, hook_id), values)));
  });
}

function listDeliveries(router: Router): void {
  const per_page = fallback(integer({ min: 1, max: MAX_PER_PAGE }), MAX_PER_PAGE);
  const params = { ...pageParams, ...hookId, per_page, status: string() };
  router.on("GET /groups/:id/hooks/:hook_id/events", { ...hookAccess, params }, (call) => {
    const hook = findHook(call.world, call.group, call.params.hook_id);
    const wanted = statusTest(call.world, call.params.status);
    const rows = history(call.world, hook).filter((delivery) => wanted(delivery.response_status));
    return page(call, rows.reverse(), (delivery) => viewDelivery(call.world, delivery));
  });
}

/** For real instances, no answer at all is a failure of the server too. */
const deployedServerFailure = /^(?:5\d\d|internal error)$/;
const categories: Readonly<Record<string, RegExp>> = {
  successful: /^2\d\d$/,
  client_failure: /^4\d\d$/,
  server_failure: /^5\d\d$/,
};

/** Matches a status code or a category of them. */
function statusTest({ asDeployed }: World, status: string | undefined): (status: string) => boolean {
  if (status === undefined) return () => true;
  if (asDeployed && status === "server_failure") return (text) => deployedServerFailure.test(text);
  const category = ownValue(categories, status);
  if (category !== undefined) return (text) => category.test(text);
  if (!/^[1-5]\d\d$/.test(status)) throw invalid({ status: ["does not have a valid value"] });
  return (text) => text === status;
}

function resend(router: Router): void {
  const limit = new RateLimit(MAX_RESENDS);
  const params = { ...hookId, hook_event_id: required(integer()) };
  const route = "POST /groups/:id/hooks/:hook_id/events/:hook_event_id/resend";
  router.on(route, { ...hookAccess, params }, async ({ world, group, user, params }) => {
    const hook = findHook(world, group, params.hook_id);
    limit.take(world, `${hook.id} ${user.id}`);
    const delivery = history(world, hook).find(({ id }) => id === params.hook_event_id);
    if (delivery === undefined) throw notFound("Hook Event");
    if (world.asDeployed && hasMoved(hook, delivery)) {
      throw unprocessable("The hook URL has changed, and this log entry cannot be retried");
    }
    if (world.asDeployed && !isExecutable(hook, world.timestamp())) throw unprocessable("Hook disabled");
    const { response_status: status, response_body } = await deliverAgain(world, hook, delivery);
    if (!/^\d+$/.test(status)) {
      throw unprocessable(world.asDeployed ? response_body : `The event was not delivered: ${response_body}`);
    }
    return created({ response_status: Number(status) });
  });
}

/** The deliveries of a hook that are still visible, oldest first. */
function history(world: World, hook: GroupHook): HookDelivery[] {
  const since = new Date(world.now().getTime() - HISTORY_MS).toISOString();
  return world.store.table(hookDeliveries).where((row) => row.hook_id === hook.id && row.created_at >= since);
}
