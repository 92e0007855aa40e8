import { type User, users } from "../../store/model.ts";
import type { World } from "../../store/world.ts";

/** The caller to whom a user is shown, and the address for links. */
interface Viewing {
  readonly world: World;
  readonly origin: string;
  /** Administrators see all fields of all users. */
  readonly administrator: boolean;
  readonly withCustomAttributes: boolean;
}

/** The public fields of a user in lists, as an author, and so on (2-collaboration-identity-api: User). */
export function briefUser(user: User, origin: string): Record<string, unknown> {
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    state: user.state,
    locked: user.locked,
    avatar_url: user.has_avatar ? `${origin}/uploads/-/system/user/avatar/${user.id}/avatar.png` : null,
    web_url: `${origin}/${user.username}`,
  };
}

/** A user beside something else on real instances, as their notes show its author. */
export function basicUser(user: User, origin: string): Record<string, unknown> {
  return { ...briefUser(user, origin), public_email: user.public_email };
}

/**
 * Whether real instances show a user's profile to the caller: since when the account exists, its followers, and its
 * events.
 */
export function showsProfile(user: User, caller: User): boolean {
  const isOpen = !user.private_profile && user.confirmed_at !== null && !/^(?:blocked|banned)/.test(user.state);
  return isOpen || caller.id === user.id || caller.admin;
}

/** A row of `GET /users`: brief, and everything for administrators. */
export function listedUser(user: User, viewing: Viewing): Record<string, unknown> {
  return viewing.administrator ? singleUser(user, viewing) : briefUser(user, viewing.origin);
}

/** The answer of `GET /users/:id`. */
export function singleUser(user: User, viewing: Viewing): Record<string, unknown> {
  return {
    ...briefUser(user, viewing.origin),
    ...profile(user, viewing.world.now()),
    ...(viewing.administrator && { ...account(user), ...administration(user, viewing), ...paid(user, viewing.world) }),
    ...(viewing.withCustomAttributes && { custom_attributes: user.custom_attributes }),
  };
}

/** The answer of `GET /user`: the caller's own account. */
export function currentUser(user: User, viewing: Omit<Viewing, "withCustomAttributes">): Record<string, unknown> {
  return {
    ...briefUser(user, viewing.origin),
    ...profile(user, viewing.world.now()),
    ...account(user),
    ...(viewing.administrator && administration(user, viewing)),
    ...paid(user, viewing.world),
  };
}

function profile(user: User, now: Date): Record<string, unknown> {
  const local = new Date(now.getTime() + user.utc_offset * 60_000);
  const hours = local.getUTCHours();
  const minutes = String(local.getUTCMinutes()).padStart(2, "0");
  return {
    created_at: user.created_at,
    bio: user.bio,
    bot: user.kind !== "human",
    location: user.location,
    public_email: user.public_email,
    skype: "",
    linkedin: user.linkedin,
    twitter: "",
    discord: "",
    website_url: user.website_url,
    organization: user.organization,
    job_title: user.job_title,
    pronouns: user.pronouns,
    work_information: [user.job_title, user.organization].filter((part) => part !== "").join(" at ") || null,
    followers: user.followers,
    following: user.following,
    local_time: `${hours % 12 || 12}:${minutes} ${hours < 12 ? "AM" : "PM"}`,
    is_followed: false,
  };
}

/** Fields visible to the user and to administrators. */
function account(user: User): Record<string, unknown> {
  return {
    email: user.email,
    commit_email: user.email,
    last_sign_in_at: user.last_sign_in_at,
    current_sign_in_at: user.current_sign_in_at,
    confirmed_at: user.confirmed_at,
    last_activity_on: user.last_activity_on,
    theme_id: 1,
    color_scheme_id: 1,
    projects_limit: 100_000,
    identities: user.identities,
    can_create_group: !user.external,
    can_create_project: !user.external,
    two_factor_enabled: user.two_factor_enabled,
    external: user.external,
    private_profile: user.private_profile,
  };
}

function administration(user: User, { world, origin }: Pick<Viewing, "world" | "origin">): Record<string, unknown> {
  const creator = user.created_by_id === null ? undefined : world.store.table(users).get(user.created_by_id);
  return {
    is_admin: user.admin,
    note: user.note,
    current_sign_in_ip: user.current_sign_in_at === null ? null : `198.51.100.${user.id % 256}`,
    last_sign_in_ip: user.last_sign_in_at === null ? null : `198.51.100.${(user.id * 7) % 256}`,
    namespace_id: user.namespace_id,
    created_by: creator === undefined ? null : briefUser(creator, origin),
    email_reset_offered_at: null,
    sign_in_count: user.sign_in_count,
    ...(world.has("premium") && { plan: world.tier, trial: false }),
  };
}

function paid(user: User, world: World): Record<string, unknown> {
  if (!world.has("premium")) return {};
  return {
    shared_runners_minutes_limit: null,
    extra_shared_runners_minutes_limit: null,
    is_auditor: user.auditor,
    using_license_seat: user.kind === "human" && user.state === "active",
    provisioned_by_group_id: user.provisioned_by_group_id,
    scim_identities: user.scim_identities,
  };
}
