import type { Setting } from "../setting.ts";
import { array, boolean, integer, number, object, string, text } from "./define.ts";

/** Signing in, two-factor authentication, tokens, keys, and where requests may come from. */
export const accessSettings: readonly Setting[] = [
  boolean("admin_mode", "Require administrators to re-authenticate for administrative tasks", { lockout: true }),
  boolean("password_authentication_enabled_for_web", "Allow signing in to the web interface with a password", {
    lockout: true,
  }),
  string("signin_enabled", "Allow signing in with a password", {
    deprecated: { use: ["password_authentication_enabled_for_web"] },
    sameAs: "password_authentication_enabled_for_web",
    shownAs: "boolean",
    lockout: true,
  }),
  object("sign_in_restrictions", "Sign-in restrictions", { lockout: true }),
  boolean("notify_on_unknown_sign_in", "Notify a user of a sign-in from an unknown IP address"),
  integer("session_expire_delay", "How long a session lasts"),
  string("after_sign_out_path", "Where to redirect after signing out", { nullable: true }),
  string("home_page_url", "The home page's URL", { nullable: true }),
  integer("max_login_attempts", "How many times signing in may fail", { lockout: true }),
  integer("failed_login_attempts_unlock_period_in_minutes", "How long an account stays locked after failed sign-ins", {
    unit: "minutes",
    lockout: true,
  }),

  boolean("require_two_factor_authentication", "Require two-factor authentication of all users", {
    typeInferred: true,
    lockout: true,
  }),
  boolean("require_admin_two_factor_authentication", "Require two-factor authentication of administrators", {
    lockout: true,
  }),
  integer("two_factor_grace_period", "How long users may put off setting up two-factor authentication", {
    unit: "hours",
    requiredBy: "require_two_factor_authentication",
    lockout: true,
  }),

  boolean("unique_ips_limit_enabled", "Limit from how many IP addresses one user may sign in", { lockout: true }),
  integer("unique_ips_limit_per_user", "How many IP addresses one user may sign in from", {
    requiredBy: "unique_ips_limit_enabled",
    lockout: true,
  }),
  integer("unique_ips_limit_time_window", "For how long an IP address counts toward the limit", {
    unit: "seconds",
    requiredBy: "unique_ips_limit_enabled",
    lockout: true,
  }),
  string("globally_allowed_ips", "IP addresses that are always allowed", { nullable: true, lockout: true }),

  boolean("external_authorization_service_enabled", "Use an external service to authorize users", {
    lockout: true,
  }),
  string("external_authorization_service_url", "The external authorization service's URL", {
    nullable: true,
    lockout: true,
  }),
  string(
    "external_authorization_service_default_label",
    "The default label sent to the external authorization service",
    {
      nullable: true,
      lockout: true,
    },
  ),
  number("external_authorization_service_timeout", "When to give up on the external authorization service", {
    lockout: true,
  }),

  boolean("disable_personal_access_tokens", "Disable personal access tokens", {
    typeInferred: true,
    tier: "premium",
    lockout: true,
  }),
  string("personal_access_token_prefix", "Prefix of all personal access tokens", { nullable: true }),
  boolean("require_personal_access_token_expiry", "Require an expiry date of personal access tokens"),
  boolean("service_access_tokens_expiration_enforced", "Whether token expiry may be optional for service accounts"),
  integer("inactive_resource_access_tokens_delete_after_days", "When inactive resource access tokens are deleted", {
    unit: "days",
  }),
  boolean("user_oauth_applications", "Let users register OAuth applications (group-level ones are not affected)"),

  integer("rsa_key_restriction", "Restriction on RSA keys", { lockout: true, min: -1 }),
  integer("dsa_key_restriction", "Restriction on DSA keys", { lockout: true, min: -1 }),
  integer("ecdsa_key_restriction", "Restriction on ECDSA keys", { lockout: true, min: -1 }),
  integer("ed25519_key_restriction", "Restriction on Ed25519 keys", { lockout: true, min: -1 }),
  integer("ecdsa_sk_key_restriction", "Restriction on ECDSA security keys", { lockout: true, min: -1 }),
  integer("ed25519_sk_key_restriction", "Restriction on Ed25519 security keys", { lockout: true, min: -1 }),

  boolean("allow_group_owners_to_manage_ldap", "Let group owners manage LDAP", { tier: "premium" }),
  boolean("lock_memberships_to_saml", "Lock memberships to SAML", { typeInferred: true, tier: "premium" }),

  boolean("enforce_terms", "Require users to accept the terms of service", { lockout: true }),
  text("terms", "The terms of service, in Markdown", { requiredBy: "enforce_terms", nullable: true }),

  boolean("allow_local_requests_from_hooks_and_services", "Let hooks and services send requests to the local network", {
    sameAs: "allow_local_requests_from_web_hooks_and_services",
  }),
  boolean(
    "allow_local_requests_from_web_hooks_and_services",
    "Let webhooks and services send requests to the local network",
  ),
  boolean("allow_local_requests_from_system_hooks", "Let system hooks send requests to the local network"),
  array("outbound_local_requests_whitelist", "Local addresses that outbound requests may access"),
];
