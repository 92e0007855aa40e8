import { collection, type Row } from "./store.ts";

/** Access levels by role name, as used in memberships and tokens. */
export const roles = {
  guest: 10,
  planner: 15,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
} as const;

export type Role = keyof typeof roles;
export type Visibility = "private" | "internal" | "public";

/** A time in the API's format: ISO 8601 in UTC with milliseconds. */
export type Timestamp = string;

export interface User extends Row {
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly public_email: string | null;
  readonly state: "active" | "blocked" | "deactivated" | "banned" | "blocked_pending_approval";
  readonly locked: boolean;
  /** The kind of account; all kinds but `human` are bots. */
  readonly kind: "human" | "service" | "project_bot" | "alert_bot" | "support_bot";
  readonly admin: boolean;
  readonly auditor: boolean;
  readonly external: boolean;
  readonly has_avatar: boolean;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
  readonly confirmed_at: Timestamp | null;
  readonly last_sign_in_at: Timestamp | null;
  readonly current_sign_in_at: Timestamp | null;
  /** A date without a time. */
  readonly last_activity_on: string | null;
  readonly sign_in_count: number;
  readonly two_factor_enabled: boolean;
  readonly private_profile: boolean;
  readonly bio: string;
  readonly location: string;
  readonly organization: string;
  readonly job_title: string;
  readonly pronouns: string | null;
  readonly website_url: string;
  readonly linkedin: string;
  /** Minutes from UTC. */
  readonly utc_offset: number;
  readonly followers: number;
  readonly following: number;
  readonly note: string | null;
  readonly identities: readonly Identity[];
  readonly scim_identities: readonly {
    readonly extern_uid: string;
    readonly group_id: number;
    readonly active: boolean;
  }[];
  readonly provisioned_by_group_id: number | null;
  readonly custom_attributes: readonly { readonly key: string; readonly value: string }[];
  readonly created_by_id: number | null;
  readonly namespace_id: number;
}

interface Identity {
  readonly provider: string;
  readonly extern_uid: string;
  readonly saml_provider_id: number | null;
}

export interface Group extends Row {
  readonly name: string;
  readonly path: string;
  readonly full_path: string;
  readonly full_name: string;
  readonly parent_id: number | null;
  readonly description: string;
  readonly visibility: Visibility;
  readonly created_at: Timestamp;
}

export interface Project extends Row {
  readonly name: string;
  readonly path: string;
  readonly path_with_namespace: string;
  readonly name_with_namespace: string;
  readonly namespace_id: number;
  readonly description: string;
  readonly visibility: Visibility;
  readonly default_branch: string;
  readonly topics: readonly string[];
  readonly star_count: number;
  readonly created_at: Timestamp;
  readonly last_activity_at: Timestamp;
  /** Former full paths: requests for them are answered with a 301. */
  readonly former_paths: readonly string[];
  readonly container_registry_access_level: "enabled" | "private" | "disabled";
  readonly archived?: boolean;
  /** A date: the project will be deleted some days later. */
  readonly marked_for_deletion_on?: string;
}

/** A project that a group has access to without containing it. */
export interface Share extends Row {
  readonly project_id: number;
  readonly group_id: number;
  /** The highest level of the group's members there, developer by default. */
  readonly access_level?: number;
}

/** A direct membership; memberships of a group also apply to everything below it. */
export interface Member extends Row {
  readonly user_id: number;
  readonly source_type: "group" | "project";
  readonly source_id: number;
  readonly access_level: number;
}

export type Scope = "api" | "read_api" | "read_user" | "read_repository" | "granular";

export interface Token extends Row {
  readonly token: string;
  readonly kind: "personal" | "job";
  /** The name given by its owner. */
  readonly name?: string;
  readonly user_id: number;
  readonly scopes: readonly Scope[];
  /** What a fine-grained token may do, instead of scopes. */
  readonly permissions?: readonly string[];
  readonly expires_at: Timestamp | null;
  readonly revoked: boolean;
  /** For a job token: the project whose pipeline runs the job. */
  readonly project_id: number | null;
  /** For a job token: the job; the token works only while it runs. */
  readonly job_id: number | null;
}

/** An event of the activity feed; see 2-collaboration-identity-api: Event. */
export interface ActivityEvent extends Row {
  readonly project_id: number | null;
  readonly author_id: number;
  readonly action_name: string;
  readonly target_id: number | null;
  readonly target_iid: number | null;
  readonly target_type: string | null;
  readonly target_title: string | null;
  readonly created_at: Timestamp;
  readonly push_data?: PushData;
  readonly note?: EventNote;
  /** Only group hooks of the confidential kinds receive it. */
  readonly confidential?: boolean;
  /** The group, if the event belongs to no project. */
  readonly group_id?: number;
}

export interface PushData {
  readonly commit_count: number;
  readonly action: "created" | "pushed" | "removed";
  readonly ref_type: "branch" | "tag";
  readonly commit_from: string | null;
  readonly commit_to: string | null;
  readonly ref: string;
  readonly commit_title: string | null;
}

export interface EventNote {
  readonly id: number;
  readonly body: string;
  readonly created_at: Timestamp;
  readonly noteable_id: number;
  readonly noteable_type: string;
  readonly noteable_iid: number | null;
}

export const users = collection<User>("users");
export const groups = collection<Group>("groups");
export const projects = collection<Project>("projects");
export const shares = collection<Share>("project_shares");
export const members = collection<Member>("members");
export const tokens = collection<Token>("tokens");
export const events = collection<ActivityEvent>("events");
