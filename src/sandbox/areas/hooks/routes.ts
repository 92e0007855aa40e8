import { randomUUID } from "node:crypto";
import { RateLimit } from "../../server/limit.ts";
import { page, pageParams } from "../../server/pagination.ts";
import { fallback, integer, required, string } from "../../server/params.ts";
import { invalid, notFound, unprocessable } from "../../server/problem.ts";
import { created, ok } from "../../server/reply.ts";
import type { Area, Router } from "../../server/router.ts";
import { DAY_MS } from "../../store/time.ts";
import type { Activity, World } from "../../store/world.ts";
import { given, givenAsDeployed } from "./change.ts";
import { hookCompanions } from "./companions.ts";
import { deliverAgain, deliverEvent } from "./deliver.ts";
import { findHook, hookAccess, hookId } from "./find.ts";
import { hookEventsOf, hooksFor } from "./hook-events.ts";
import {
  flagsOf,
  type GroupHook,
  groupHooks,
  type HookDelivery,
  hookDeliveries,
  isExecutable,
  kindNames,
} from "./model.ts";
import { checkHook, hookParams } from "./params.ts";
import { payloadOf } from "./payload.ts";
import { seedHooks } from "./seed.ts";

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
    return page(call, rows, (hook) => view(call.world, hook));
  });
  router.on("GET /groups/:id/hooks/:hook_id", { ...hookAccess, params: hookId }, (call) =>
    ok(view(call.world, findHook(call.world, call.group, call.params.hook_id))),
  );
}

function createHook(router: Router): void {
  router.on("POST /groups/:id/hooks", { ...hookAccess, params: hookParams }, ({ world, group, params }) => {
    const strategy = params.branch_filter_strategy ?? "wildcard";
    checkHook(world, params, strategy);
    const hook = world.store.table(groupHooks).insert({
      group_id: group.id,
      created_at: world.timestamp(),
      name: "",
      description: "",
      // The documents have no default; real instances turn on push events.
      ...flagsOf(["push"]),
      push_events_branch_filter: null,
      branch_filter_strategy: strategy,
      enable_ssl_verification: true,
      disabled_until: null,
      url_variables: [],
      custom_webhook_template: "",
      custom_headers: [],
      token: null,
      uuid: randomUUID(),
      ...given(params),
      url: params.url,
    });
    return created(view(world, hook));
  });
}

function updateHook(router: Router): void {
  const params = { ...hookParams, ...hookId };
  router.on("PUT /groups/:id/hooks/:hook_id", { ...hookAccess, params }, ({ world, group, params }) => {
    const { hook_id, ...values } = params;
    const hook = findHook(world, group, hook_id);
    const strategy = values.branch_filter_strategy ?? hook.branch_filter_strategy;
    const filter = values.push_events_branch_filter ?? hook.push_events_branch_filter ?? undefined;
    checkHook(world, { ...values, push_events_branch_filter: filter }, strategy);
    const changed = world.asDeployed ? givenAsDeployed(hook, values) : given(values);
    return ok(view(world, world.store.table(groupHooks).update(hook.id, changed)));
  });
}

function listDeliveries(router: Router): void {
  const per_page = fallback(integer({ min: 1, max: MAX_PER_PAGE }), MAX_PER_PAGE);
  const params = { ...pageParams, ...hookId, per_page, status: string() };
  router.on("GET /groups/:id/hooks/:hook_id/events", { ...hookAccess, params }, (call) => {
    const hook = findHook(call.world, call.group, call.params.hook_id);
    const wanted = statusTest(call.params.status);
    const rows = history(call.world, hook).filter((delivery) => wanted(delivery.response_status));
    return page(call, rows.reverse(), viewDelivery);
  });
}

const categories: Readonly<Record<string, RegExp>> = {
  successful: /^2\d\d$/,
  client_failure: /^4\d\d$/,
  server_failure: /^5\d\d$/,
};

/** Matches a status code or a category of them. */
function statusTest(status: string | undefined): (status: string) => boolean {
  if (status === undefined) return () => true;
  const category = Object.hasOwn(categories, status) ? categories[status] : undefined;
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
    const { response_status: status, response_body } = await deliverAgain(world, hook, delivery);
    if (!/^\d+$/.test(status)) throw unprocessable(`The event was not delivered: ${response_body}`);
    return created({ response_status: Number(status) });
  });
}

/** The deliveries of a hook that are still visible, oldest first. */
function history(world: World, hook: GroupHook): HookDelivery[] {
  const since = new Date(world.now().getTime() - HISTORY_MS).toISOString();
  return world.store.table(hookDeliveries).where((row) => row.hook_id === hook.id && row.created_at >= since);
}

/** The token and the values of custom headers and URL variables are never shown. */
function view(world: World, hook: GroupHook): Record<string, unknown> {
  const executable = isExecutable(hook, world.timestamp());
  const keys = (pairs: GroupHook["custom_headers"]) => pairs.map(({ key }) => ({ key }));
  return {
    id: hook.id,
    url: hook.url,
    name: hook.name,
    description: hook.description,
    created_at: hook.created_at,
    group_id: hook.group_id,
    ...Object.fromEntries(kindNames.map((kind) => [`${kind}_events`, hook[`${kind}_events`]])),
    push_events_branch_filter: hook.push_events_branch_filter,
    branch_filter_strategy: hook.branch_filter_strategy,
    enable_ssl_verification: hook.enable_ssl_verification,
    alert_status: executable ? "executable" : "temporarily_disabled",
    disabled_until: executable ? null : hook.disabled_until,
    url_variables: keys(hook.url_variables),
    custom_webhook_template: hook.custom_webhook_template,
    custom_headers: keys(hook.custom_headers),
  };
}

function viewDelivery({ id, hook_id: _, created_at: __, ...shown }: HookDelivery): Record<string, unknown> {
  return { id, ...shown };
}
