import { randomUUID } from "node:crypto";
import type { World } from "../../store/world.ts";
import { deployedKinds, flagsOf, type GroupHook, groupHooks } from "./model.ts";
import { checkHook, type HookValues } from "./params.ts";

const undocumented: readonly string[] = deployedKinds.map((kind) => `${kind}_events`);

/** Only the given values. An empty token means none. */
function given({ asDeployed }: World, values: HookValues): Partial<GroupHook> {
  // Real instances do not let groups subscribe to updates of repositories, although hooks have the flag.
  const isDropped = (name: string) => (asDeployed ? name === "repository_update_events" : undocumented.includes(name));
  const present = Object.entries(values).filter(([name, value]) => value !== undefined && !isDropped(name));
  return { ...Object.fromEntries(present), ...(values.token !== undefined && { token: values.token || null }) };
}

/** Where every branch is delivered, real instances keep no filter, whether the request gives it or the hook had one. */
function unfiltered({ asDeployed }: World, strategy: string): Partial<GroupHook> {
  return asDeployed && strategy === "all_branches" ? { push_events_branch_filter: null } : {};
}

/**
 * A hook's secrets after a change on a real instance: headers are set one by one, and a new URL removes them all, the
 * URL's variables too, and the token unless the request includes it.
 */
function givenAsDeployed(world: World, hook: GroupHook, values: HookValues): Partial<GroupHook> {
  const changed = given(world, values);
  if (values.url !== hook.url) {
    return { ...changed, custom_headers: [], url_variables: [], token: changed.token ?? null };
  }
  if (values.custom_headers === undefined) return changed;
  const set = new Map([...hook.custom_headers, ...values.custom_headers].map(({ key, value }) => [key, value]));
  return { ...changed, custom_headers: [...set].map(([key, value]) => ({ key, value })) };
}

/** Flags of which real instances have no value until they are given. */
const unknownFlags = { confidential_issues_events: null, confidential_note_events: null } as const;

/** Adds a hook to a group or a project. */
export function newHook(
  world: World,
  owner: Pick<GroupHook, "group_id" | "project_id">,
  values: HookValues,
): GroupHook {
  const strategy = values.branch_filter_strategy ?? "wildcard";
  checkHook(world, values, strategy);
  return world.store.table(groupHooks).insert({
    ...owner,
    created_at: world.timestamp(),
    name: "",
    description: "",
    // The documents have no default; real instances turn on push events.
    ...flagsOf(["push"]),
    ...(world.asDeployed && unknownFlags),
    push_events_branch_filter: null,
    branch_filter_strategy: strategy,
    enable_ssl_verification: true,
    disabled_until: null,
    url_variables: [],
    custom_webhook_template: "",
    custom_headers: [],
    token: null,
    uuid: randomUUID(),
    ...given(world, values),
    ...unfiltered(world, strategy),
    url: values.url,
  });
}

export function changeHook(world: World, hook: GroupHook, values: HookValues): GroupHook {
  const strategy = values.branch_filter_strategy ?? hook.branch_filter_strategy;
  const filter = values.push_events_branch_filter ?? hook.push_events_branch_filter ?? undefined;
  checkHook(world, { ...values, push_events_branch_filter: filter }, strategy);
  const changed = world.asDeployed ? givenAsDeployed(world, hook, values) : given(world, values);
  return world.store.table(groupHooks).update(hook.id, { ...changed, ...unfiltered(world, strategy) });
}
