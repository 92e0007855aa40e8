import type { Tones } from "../../base/tone.ts";
import { endpoint } from "../endpoint.ts";
import {
  array,
  boolean,
  date,
  eachSometimes,
  entity,
  id,
  integer,
  json,
  map,
  nullable,
  object,
  oneOf,
  required,
  string,
  timestamp,
  uncut,
} from "../field.ts";
import { selecting } from "./scope.ts";

const stateTones: Tones = {
  ...{ active: "good", blocked: "bad", ldap_blocked: "bad", banned: "bad" },
  ...{ deactivated: "doubtful", blocked_pending_approval: "doubtful" },
};

/**
 * The states of an account in which its user cannot sign in. A deactivated one is none of them: to sign in activates
 * it again.
 */
export const lockedStates: ReadonlySet<string> = new Set([
  "blocked",
  "blocked_pending_approval",
  "banned",
  "ldap_blocked",
]);

/** Fields that a list does not have for other users. */
const profile = eachSometimes({
  created_at: timestamp(),
  bio: nullable(string()),
  bot: boolean("A bot of the platform, a project, or a group"),
  location: nullable(string()),
  public_email: nullable(string()),
  skype: string(),
  linkedin: string(),
  twitter: string(),
  discord: string(),
  website_url: uncut(),
  organization: nullable(string()),
  job_title: nullable(string()),
  pronouns: nullable(string()),
  work_information: nullable(string()),
  followers: integer(),
  following: integer(),
  local_time: nullable(string()),
  is_followed: boolean(),
});

/** Fields that other users do not see, or only some editions have. */
const ofAdministrators = eachSometimes({
  email: string("Administrators only, like the fields below"),
  is_admin: boolean(),
  last_sign_in_at: nullable(timestamp()),
  confirmed_at: nullable(timestamp()),
  theme_id: nullable(integer()),
  last_activity_on: nullable(date()),
  color_scheme_id: integer(),
  projects_limit: integer(),
  current_sign_in_at: nullable(timestamp()),
  note: nullable(string()),
  identities: array(
    object({ provider: string(), extern_uid: string(), saml_provider_id: nullable(integer()) }),
    "Sign-in identities at other providers",
  ),
  can_create_group: boolean(),
  can_create_project: boolean(),
  two_factor_enabled: boolean(),
  external: boolean(),
  private_profile: boolean(),
  commit_email: string(),
  current_sign_in_ip: nullable(string()),
  last_sign_in_ip: nullable(string()),
  namespace_id: nullable(integer()),
  created_by: nullable(json("Null if the user signed up")),
  email_reset_offered_at: nullable(timestamp()),
  sign_in_count: integer(),
  plan: nullable(string()),
  trial: boolean(),
  shared_runners_minutes_limit: nullable(integer("Premium and Ultimate, like the fields below")),
  extra_shared_runners_minutes_limit: nullable(integer()),
  is_auditor: boolean(),
  using_license_seat: boolean(),
  provisioned_by_group_id: nullable(integer()),
  scim_identities: array(object({ extern_uid: string(), group_id: integer(), active: boolean() })),
});

/** A user as an administrator sees it; others see fewer fields (`2-collaboration-identity-api: User`). */
export const User = entity(
  "User",
  {
    id: required(id("User ID")),
    username: required(uncut("Sign-in name")),
    name: string("Full name"),
    state: string("active or blocked, among others", { tones: stateTones }),
    locked: boolean("Locked out after failed sign-ins", { tones: { yes: "bad" } }),
    avatar_url: nullable(uncut()),
    web_url: uncut(),
    ...profile,
    ...ofAdministrators,
    custom_attributes: array(object({ key: string(), value: string() }), "With --with-custom-attributes", {
      onlyWith: "with_custom_attributes",
    }),
  },
  {
    card: [
      "id",
      "username",
      "name",
      "state",
      "email",
      "is_admin",
      "external",
      "two_factor_enabled",
      "created_at",
      "last_sign_in_at",
      "last_activity_on",
      "web_url",
    ],
  },
);

const customAttributes = boolean("Include custom attributes (only administrators)");

/** Filters of `2-collaboration-identity-api: Users`. */
const regularFilters = {
  username: string("Exactly this username, ignoring case", { ...selecting, completes: "user" }),
  search: string("Part of a name or username (3 characters or more), or a complete e-mail address", selecting),
  active: boolean("Active users only"),
  external: boolean("External users only"),
  blocked: boolean("Blocked users only"),
  humans: boolean("Only humans: no bots and internal users"),
  exclude_active: boolean("Leave out active users"),
  exclude_external: boolean("Leave out external users"),
  exclude_humans: boolean("Leave out humans"),
  exclude_internal: boolean("Leave out alert and support bots"),
  without_project_bots: boolean("Leave out project and group bots"),
  extern_uid: string("With this external UID; needs --provider (only administrators)", selecting),
  provider: string("Identity provider of --extern-uid (only administrators)", selecting),
  with_custom_attributes: customAttributes,
};

/**
 * The filters that the documents restrict to administrators, and two that instances restrict too: for other users an
 * instance ignores them silently.
 */
export const droppedFilters = {
  created_after: timestamp("Created after this time"),
  created_before: timestamp("Created before this time"),
  order_by: oneOf(
    ["id", "name", "username", "created_at", "updated_at"],
    "Order by this field (only administrators; default id)",
  ),
  sort: oneOf(["asc", "desc"], "Sort direction (only administrators; default desc)"),
  two_factor: oneOf(["enabled", "disabled"], "With or without a second factor (only administrators)"),
  without_projects: boolean("Without a project (only administrators)"),
  admins: boolean("Users who are administrators (only administrators)"),
  auditors: boolean("Users who are auditors (only administrators; Premium, Ultimate)"),
  saml_provider_id: integer("Created by this SAML provider (only administrators; Premium, Ultimate)"),
  skip_ldap: boolean("Leave out LDAP users (only administrators; Premium, Ultimate)"),
  custom_attributes: map("Custom attribute with this value (only administrators)", {
    flag: "custom-attribute",
    placeholder: "key=value",
  }),
};

export const userFilters = { ...regularFilters, ...droppedFilters };

export const listUsers = endpoint({
  route: "GET /users",
  summary: "List users",
  params: { ...userFilters, pagination: oneOf(["keyset"], "Page by cursor: constant cost per page") },
  returns: User,
  page: "offset",
  cursor: "id",
  access: {},
});

export const getUser = endpoint({
  route: "GET /users/:user_id",
  summary: "Get a user",
  params: { user_id: id("User ID"), with_custom_attributes: customAttributes },
  returns: User,
  access: {},
});

export const getCurrentUser = endpoint({
  route: "GET /user",
  summary: "Get the user this token belongs to",
  params: { sudo: id("Act as this user (only administrators)", { placeholder: "user-id" }) },
  returns: User,
  access: {},
});
