import type { Timestamp } from "../../store/model.ts";
import { collection, type Row } from "../../store/store.ts";

/**
 * The kinds of events of a group hook (its event flags without `_events`), each with the event name in the delivery's
 * header and the trigger in its record (2-collaboration-identity-api: Group webhook, Events).
 */
export const hookKinds = {
  push: { event: "Push Hook", trigger: "push_hooks" },
  tag_push: { event: "Tag Push Hook", trigger: "tag_push_hooks" },
  merge_requests: { event: "Merge Request Hook", trigger: "merge_request_hooks" },
  repository_update: { event: "Repository Update Hook", trigger: "repository_update_hooks" },
  issues: { event: "Issue Hook", trigger: "issue_hooks" },
  confidential_issues: { event: "Confidential Issue Hook", trigger: "confidential_issue_hooks" },
  note: { event: "Note Hook", trigger: "note_hooks" },
  confidential_note: { event: "Confidential Note Hook", trigger: "confidential_note_hooks" },
  pipeline: { event: "Pipeline Hook", trigger: "pipeline_hooks" },
  wiki_page: { event: "Wiki Page Hook", trigger: "wiki_page_hooks" },
  job: { event: "Job Hook", trigger: "job_hooks" },
  deployment: { event: "Deployment Hook", trigger: "deployment_hooks" },
  feature_flag: { event: "Feature Flag Hook", trigger: "feature_flag_hooks" },
  releases: { event: "Release Hook", trigger: "release_hooks" },
  subgroup: { event: "Subgroup Hook", trigger: "subgroup_hooks" },
  emoji: { event: "Emoji Hook", trigger: "emoji_hooks" },
  resource_access_token: { event: "Resource Access Token Hook", trigger: "resource_access_token_hooks" },
  member: { event: "Member Hook", trigger: "member_hooks" },
} as const;

export type HookKind = keyof typeof hookKinds;

export const kindNames = Object.keys(hookKinds) as HookKind[];

/** The event flags of a hook; on real instances those of the confidential kinds are null if they were never given. */
export type HookFlags = { readonly [K in HookKind as `${K}_events`]: boolean | null };

/** Kinds that real instances have and the documents do not mention. Nothing of them happens in a sandbox. */
export const deployedKinds = ["milestone", "project", "vulnerability"] as const;
type DeployedFlags = { readonly [K in (typeof deployedKinds)[number] as `${K}_events`]?: boolean };

export const branchStrategies = ["wildcard", "regex", "all_branches"] as const;

interface Pair {
  readonly key: string;
  readonly value: string;
}

/** A hook of a group; it receives the events of the group's projects and those of its subgroups. */
export interface GroupHook extends Row, HookFlags, DeployedFlags {
  /** 0 for a hook of a project. */
  readonly group_id: number;
  /** The project of a hook that belongs to one; real instances have them, the documents do not mention them. */
  readonly project_id?: number;
  /** May contain `{name}` placeholders, filled from `url_variables` on delivery. */
  readonly url: string;
  readonly name: string;
  readonly description: string;
  readonly created_at: Timestamp;
  readonly push_events_branch_filter: string | null;
  readonly branch_filter_strategy: (typeof branchStrategies)[number];
  readonly enable_ssl_verification: boolean;
  /** Until then, only manual resends are delivered, by real instances only tests. */
  readonly disabled_until: Timestamp | null;
  readonly url_variables: readonly Pair[];
  readonly custom_webhook_template: string;
  readonly custom_headers: readonly Pair[];
  /** Sent with every delivery, never shown. */
  readonly token: string | null;
  readonly uuid: string;
}

/** One delivery: the request without secrets, and the response (2-collaboration-identity-api: Hook event record). */
export interface HookDelivery extends Row {
  readonly hook_id: number;
  readonly created_at: Timestamp;
  readonly url: string;
  /** The address behind the URL's placeholders, if it was recorded; never shown. */
  readonly address?: string;
  readonly trigger: string;
  readonly request_headers: Readonly<Record<string, string>>;
  readonly request_data: unknown;
  readonly response_headers: Readonly<Record<string, string>>;
  readonly response_body: string;
  /** Seconds. */
  readonly execution_duration: number;
  /** A status, or `internal error` without a response. */
  readonly response_status: string;
}

export const groupHooks = collection<GroupHook>("group_hooks");
export const hookDeliveries = collection<HookDelivery>("hook_deliveries");

/** The flags of the given kinds on, all others off. */
export function flagsOf(on: readonly HookKind[]): HookFlags {
  return Object.fromEntries(kindNames.map((kind) => [`${kind}_events`, on.includes(kind)])) as HookFlags;
}

/** Whether a hook is enabled: `disabled_until` is in the past, or was never set. */
export function isExecutable(hook: GroupHook, now: Timestamp): boolean {
  return hook.disabled_until === null || hook.disabled_until <= now;
}
