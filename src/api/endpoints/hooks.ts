import { statusTones } from "../../base/tone.ts";
import { endpoint } from "../endpoint.ts";
import {
  array,
  boolean,
  entity,
  id,
  integer,
  json,
  map,
  nullable,
  object,
  oneOf,
  required,
  seconds,
  string,
  timestamp,
  uncut,
} from "../field.ts";
import { group } from "./scope.ts";

/** The events of a hook; `--events` takes these names without `_events`. */
export const eventFlags = {
  push_events: boolean("Pushes to branches"),
  tag_push_events: boolean("Tags created and deleted"),
  merge_requests_events: boolean("Merge requests"),
  repository_update_events: boolean("Changes of a repository, once per push"),
  issues_events: boolean("Issues"),
  confidential_issues_events: boolean("Confidential issues"),
  note_events: boolean("Comments"),
  confidential_note_events: boolean("Comments on confidential issues, and internal ones"),
  pipeline_events: boolean("Pipelines"),
  wiki_page_events: boolean("Wiki pages"),
  job_events: boolean("Jobs"),
  deployment_events: boolean("Deployments"),
  feature_flag_events: boolean("Feature flags"),
  releases_events: boolean("Releases"),
  subgroup_events: boolean("Subgroups created and removed"),
  emoji_events: boolean("Emoji reactions"),
  resource_access_token_events: boolean("Access tokens of projects and groups about to expire"),
  member_events: boolean("Members of the group"),
};

/** Undocumented kinds that instances have (hook-flags). */
export const beyondEventFlags = {
  milestone_events: boolean("Milestones (undocumented)", { beyond: true }),
  project_events: boolean("Projects created and removed (undocumented)", { beyond: true }),
  vulnerability_events: boolean("Vulnerabilities (undocumented)", { beyond: true }),
};

/** Flags that instances may ignore if they are sent as a part of `all` (hook-flags). */
export const ignorableFlags: readonly string[] = ["repository_update_events", ...Object.keys(beyondEventFlags)];

export const strategies = ["wildcard", "regex", "all_branches"] as const;

export const alertTones = { executable: "good", temporarily_disabled: "doubtful", disabled: "bad" } as const;

/** Other objects have an ID and an address too. */
export const provesHook = ["enable_ssl_verification", "push_events", "alert_status"] as const;

/** A webhook of a group (`2-collaboration-identity-api: Group webhook`). The secret token is never returned. */
export const Hook = entity(
  "Hook",
  {
    id: required(id("Hook ID")),
    group_id: id("Group that it belongs to"),
    url: required(uncut()),
    name: nullable(string()),
    description: nullable(string()),
    created_at: timestamp(),
    ...eventFlags,
    // Null where an instance has never stored it.
    confidential_issues_events: nullable(eventFlags.confidential_issues_events),
    confidential_note_events: nullable(eventFlags.confidential_note_events),
    ...beyondEventFlags,
    push_events_branch_filter: nullable(string()),
    branch_filter_strategy: string("wildcard, regex, or all_branches"),
    enable_ssl_verification: boolean(),
    alert_status: string("executable, among others", { tones: alertTones }),
    disabled_until: nullable(timestamp("No deliveries before this time")),
    url_variables: array(object({ key: required(string()) }), "Values are not returned"),
    custom_webhook_template: nullable(json("Body that replaces the default one")),
    custom_headers: array(object({ key: required(string()) }), "Values are not returned"),
  },
  { proof: provesHook },
);

/** One delivery of a hook, kept for seven days (`2-collaboration-identity-api: Hook event record`). */
export const HookEvent = entity("HookEvent", {
  id: required(id("Hook event ID")),
  trigger: string("push_hooks, among others"),
  url: required(uncut()),
  response_status: string("Status of the receiver's answer, or why there was none", { tones: statusTones }),
  execution_duration: seconds(),
  request_headers: map(),
  request_data: json(),
  response_headers: map(),
  response_body: json("The receiver's answer, as text"),
});

export const hookId = id("Hook, by ID or unique name", { placeholder: "hook-id", completes: "hook", names: "hook" });
const access = { role: "owner", tier: "premium" } as const;

/** What can be set of a hook. */
export const hookAttributes = {
  url: required(string("Address that receives the deliveries")),
  name: string("Name"),
  description: string("Description"),
  ...eventFlags,
  ...beyondEventFlags,
  more_events: json("Kinds that only this instance knows, by the names of their flags", { entries: true }),
  push_events_branch_filter: string("Only pushes to matching branches"),
  branch_filter_strategy: oneOf(strategies, "How the branch filter is interpreted (default wildcard)"),
  enable_ssl_verification: boolean("Check the receiver's certificate"),
  token: string("Secret that is sent with each delivery, for the receiver to verify", { secret: true }),
  custom_webhook_template: string("Body that replaces the default one"),
  custom_headers: array(
    object({ key: required(string()), value: required(string("", { secret: true })) }),
    "Sent with each delivery",
    {
      answered: { form: "keys" },
    },
  ),
};

export const listHooks = endpoint({
  route: "GET /groups/:group/hooks",
  summary: "List the webhooks of a group",
  params: { group },
  returns: Hook,
  page: "offset",
  access,
});

export const getHook = endpoint({
  route: "GET /groups/:group/hooks/:hook_id",
  summary: "Get a group webhook",
  params: { group, hook_id: hookId },
  returns: Hook,
  access,
});

export const createHook = endpoint({
  route: "POST /groups/:group/hooks",
  summary: "Create a group webhook",
  params: { group, ...hookAttributes },
  returns: Hook,
  access,
});

/**
 * Attributes that are not given are unchanged, except that the API requires `url` each time. Whether stored secrets are
 * kept differs between instances: src/commands/hooks/stored-secrets.ts.
 */
export const updateHook = endpoint({
  route: "PUT /groups/:group/hooks/:hook_id",
  summary: "Change a group webhook",
  params: { group, hook_id: hookId, ...hookAttributes },
  returns: Hook,
  access,
});

const categories = ["successful", "client_failure", "server_failure"];

export const listHookEvents = endpoint({
  route: "GET /groups/:group/hooks/:hook_id/events",
  summary: "List the deliveries of a group webhook",
  params: { group, hook_id: hookId, status: string("A status code, or a category", { suggests: categories }) },
  returns: HookEvent,
  page: "offset",
  access: { ...access, since: "17.3" },
});

/** 5 per minute for a hook and a user (`2-collaboration-identity-api: Limits`). */
export const resendHookEvent = endpoint({
  route: "POST /groups/:group/hooks/:hook_id/events/:hook_event_id/resend",
  summary: "Send a delivery of a group webhook again",
  params: { group, hook_id: hookId, hook_event_id: id("Hook event ID", { completes: "delivery" }) },
  returns: entity("HookResend", { response_status: integer("What the receiver answered", { tones: statusTones }) }),
  access: { ...access, since: "17.4" },
});

// Undocumented.

export const deleteHook = endpoint({
  route: "DELETE /groups/:group/hooks/:hook_id",
  summary: "Delete a group webhook",
  params: { group, hook_id: hookId },
  returns: "nothing",
  access,
  beyond: true,
});

/** The kinds for which instances can send no test delivery. */
const untestable: ReadonlySet<string> = new Set([
  "subgroup_events",
  "member_events",
  "repository_update_events",
  "project_events",
]);

const allFlags = Object.keys({ ...eventFlags, ...beyondEventFlags });

/** The kinds of events by their flags' names for which an instance can send a test delivery. */
export const hookTriggers = allFlags.filter((flag) => !untestable.has(flag));

/** Delivers a test event of one kind now; 422 if the receiver does not answer with success. */
export const testHook = endpoint({
  route: "POST /groups/:group/hooks/:hook_id/test/:trigger",
  summary: "Send a test delivery of a group webhook",
  params: { group, hook_id: hookId, trigger: oneOf(hookTriggers, "The kind of event, by the name of its flag") },
  returns: "status",
  access,
  beyond: true,
});

export const removeHookHeader = endpoint({
  route: "DELETE /groups/:group/hooks/:hook_id/custom_headers/:key",
  summary: "Remove a custom header of a group webhook",
  params: { group, hook_id: hookId, key: string("Name of the header") },
  returns: "nothing",
  cutNames: { showing: getHook, within: "custom_headers", instead: "remove it on the webhook's page" },
  access: {
    ...access,
    notFound: "if the instance lacks this request, the headers given with --header are the whole list",
  },
  beyond: true,
});
