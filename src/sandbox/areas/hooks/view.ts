import type { World } from "../../store/world.ts";
import { deployedKinds, type GroupHook, type HookDelivery, isExecutable, kindNames } from "./model.ts";

/** The token and the values of custom headers and URL variables are never shown. */
export function viewHook(world: World, hook: GroupHook): Record<string, unknown> {
  const executable = isExecutable(hook, world.timestamp());
  const keys = (pairs: GroupHook["custom_headers"]) => pairs.map(({ key }) => ({ key }));
  return {
    id: hook.id,
    url: hook.url,
    name: hook.name,
    description: hook.description,
    created_at: hook.created_at,
    ...(hook.project_id === undefined ? { group_id: hook.group_id } : { project_id: hook.project_id }),
    ...Object.fromEntries(kindNames.map((kind) => [`${kind}_events`, hook[`${kind}_events`]])),
    ...(world.asDeployed && undocumented(hook)),
    push_events_branch_filter: hook.push_events_branch_filter,
    branch_filter_strategy: hook.branch_filter_strategy,
    enable_ssl_verification: hook.enable_ssl_verification,
    alert_status: executable ? "executable" : "temporarily_disabled",
    // Real instances show the time until a delivery succeeds.
    disabled_until: executable && !world.asDeployed ? null : hook.disabled_until,
    url_variables: keys(hook.url_variables),
    custom_webhook_template: hook.custom_webhook_template,
    custom_headers: keys(hook.custom_headers),
  };
}

/** A delivery as it is shown: real instances show its time, too. */
export function viewDelivery(
  { asDeployed }: World,
  { id, hook_id: _, created_at, address: __, ...shown }: HookDelivery,
): Record<string, unknown> {
  return { id, ...shown, ...(asDeployed && { created_at }) };
}

/** What real instances show besides; tokens that sign deliveries cannot be set in a sandbox. */
function undocumented(hook: GroupHook): Record<string, boolean> {
  return {
    ...Object.fromEntries(deployedKinds.map((kind) => [`${kind}_events`, hook[`${kind}_events`] ?? false])),
    token_present: hook.token !== null,
    signing_token_present: false,
  };
}
