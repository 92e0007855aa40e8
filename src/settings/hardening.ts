import { isObject } from "../base/is-object.ts";
import { sameValue } from "./compare.ts";

export type Severity = "low" | "medium" | "high";
export const severities: readonly Severity[] = ["low", "medium", "high"];

/** What a setting should be. Every part that is given must hold. */
export interface Expectation {
  readonly is?: unknown;
  readonly not?: unknown;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** A list has this item, or a text this part. */
  readonly has?: string;
  /** Neither null nor empty. */
  readonly given?: true;
}

/** One piece of hardening advice: data, so that a baseline file can add, change, and exempt rules. */
export interface Rule {
  readonly setting: string;
  readonly expect: Expectation;
  readonly severity: Severity;
  readonly why: string;
  /** The rule counts only while this setting has that value. */
  readonly when?: { readonly setting: string; readonly is: unknown };
  /** What to write to satisfy it, where `expect` alone does not say. */
  readonly fix?: unknown;
}

const on = (setting: string, severity: Severity, why: string, more: Partial<Rule> = {}): Rule => ({
  setting,
  expect: { is: true },
  severity,
  why,
  ...more,
});
const off = (setting: string, severity: Severity, why: string, more: Partial<Rule> = {}): Rule => ({
  setting,
  expect: { is: false },
  severity,
  why,
  ...more,
});

/** A key type has a least length in bits; -1 forbids it, and 0 takes any. */
const key = (setting: string, expect: Expectation, fix: number, why: string): Rule => ({
  setting,
  expect,
  severity: "medium",
  why,
  fix,
});

/** The platform's published hardening advice, in our own words, most harmful first within each subject. */
export const hardeningRules: readonly Rule[] = [
  // Who gets in.
  off("signup_enabled", "high", "anybody who reaches the instance can make an account"),
  on("require_admin_approval_after_user_signup", "high", "new accounts work before anybody has looked at them", {
    when: { setting: "signup_enabled", is: true },
  }),
  on("require_two_factor_authentication", "high", "a password alone opens every account"),
  on("require_admin_two_factor_authentication", "high", "a password alone opens an administrator's account"),
  {
    setting: "two_factor_grace_period",
    expect: { atMost: 72 },
    severity: "low",
    why: "setting up a second factor can be put off for days",
  },
  on("admin_mode", "medium", "an administrator's session can do everything without asking again"),
  {
    setting: "max_login_attempts",
    expect: { atLeast: 1, atMost: 10 },
    severity: "medium",
    why: "passwords can be guessed without end",
    fix: 10,
  },
  on("notify_on_unknown_sign_in", "low", "nobody is told of a sign-in from an unknown address"),
  {
    setting: "session_expire_delay",
    expect: { atLeast: 1, atMost: 10_080 },
    severity: "low",
    why: "a forgotten session stays open for more than a week",
    fix: 10_080,
  },
  on("email_restrictions_enabled", "low", "accounts can be made with any email address", {
    when: { setting: "signup_enabled", is: true },
  }),
  on("domain_denylist_enabled", "low", "throwaway mail domains are accepted at sign-up", {
    when: { setting: "signup_enabled", is: true },
  }),
  on("delete_unconfirmed_users", "low", "accounts that were never confirmed stay for ever"),
  on("user_default_external", "low", "new accounts see internal projects", {
    when: { setting: "signup_enabled", is: true },
  }),
  on("unique_ips_limit_enabled", "low", "one account can be used from any number of places at once"),

  // What is visible.
  {
    setting: "default_project_visibility",
    expect: { is: "private" },
    severity: "medium",
    why: "new projects are visible to more people than their members",
  },
  {
    setting: "default_group_visibility",
    expect: { is: "private" },
    severity: "medium",
    why: "new groups are visible to more people than their members",
  },
  {
    setting: "default_snippet_visibility",
    expect: { is: "private" },
    severity: "medium",
    why: "new snippets are visible to more people than their authors",
  },
  {
    setting: "restricted_visibility_levels",
    expect: { has: "public" },
    severity: "medium",
    why: "anybody can make a project public to the world",
    fix: ["public"],
  },
  on("user_defaults_to_private_profile", "low", "profiles of new users are open"),
  on("codesearch_public_only", "medium", "private code goes to an external search service", {
    when: { setting: "codesearch_enabled", is: true },
  }),
  off("package_registry_allow_anyone_to_pull_option", "low", "a project can open its packages to everybody"),

  // Keys and tokens.
  key("rsa_key_restriction", { atLeast: 2048 }, 3072, "short RSA keys can be broken"),
  key("dsa_key_restriction", { is: -1 }, -1, "DSA keys are broken"),
  key("ecdsa_key_restriction", { not: 0 }, 256, "ECDSA keys of any length are accepted"),
  key("ecdsa_sk_key_restriction", { not: 0 }, 256, "ECDSA_SK keys of any length are accepted"),
  key("ed25519_key_restriction", { not: 0 }, 256, "ED25519 keys of any length are accepted"),
  key("ed25519_sk_key_restriction", { not: 0 }, 256, "ED25519_SK keys of any length are accepted"),
  on("require_personal_access_token_expiry", "high", "a leaked token works for ever"),
  on("service_access_tokens_expiration_enforced", "medium", "tokens of service accounts work for ever"),
  {
    setting: "personal_access_token_prefix",
    expect: { given: true },
    severity: "low",
    why: "leaked tokens cannot be told from other text",
  },
  {
    setting: "container_registry_token_expire_delay",
    expect: { atMost: 15 },
    severity: "low",
    why: "registry tokens live longer than a push takes",
  },
  {
    setting: "runner_token_expiration_interval",
    expect: { given: true },
    severity: "low",
    why: "tokens of instance runners work for ever",
    fix: 2_592_000,
  },
  {
    setting: "inactive_resource_access_tokens_delete_after_days",
    expect: { atMost: 30 },
    severity: "low",
    why: "dead tokens of projects and groups are kept for more than a month",
  },
  off("user_oauth_applications", "medium", "every user can register applications that act for others"),

  // Where requests go.
  off("allow_local_requests_from_web_hooks_and_services", "high", "a webhook can reach services inside of the network"),
  off("allow_local_requests_from_system_hooks", "medium", "a system hook can reach services inside of the network"),
  {
    setting: "outbound_local_requests_whitelist",
    expect: { is: [] },
    severity: "low",
    why: "exceptions from the ban on local requests",
  },
  on("asset_proxy_enabled", "low", "images in texts tell others the addresses of readers"),
  off("usage_ping_enabled", "low", "usage figures leave the instance"),
  off("maven_package_requests_forwarding", "medium", "packages of the same name are taken from outside"),
  off("npm_package_requests_forwarding", "medium", "packages of the same name are taken from outside"),
  off("pypi_package_requests_forwarding", "medium", "packages of the same name are taken from outside"),

  // How much.
  on("throttle_unauthenticated_web_enabled", "medium", "pages can be asked for without end without signing in"),
  on("throttle_unauthenticated_api_enabled", "medium", "the API can be asked without end without signing in"),
  on("throttle_authenticated_web_enabled", "low", "one account can ask for pages without end"),
  on("throttle_authenticated_api_enabled", "low", "one account can ask the API without end"),
  on("throttle_unauthenticated_git_http_enabled", "low", "repositories can be fetched without end without signing in"),
  {
    setting: "max_import_size",
    expect: { atLeast: 1, atMost: 10_240 },
    severity: "low",
    why: "an import may fill the disk",
    fix: 5120,
  },
  {
    setting: "max_attachment_size",
    expect: { atLeast: 1, atMost: 1024 },
    severity: "low",
    why: "an upload may fill the disk",
    fix: 100,
  },

  // Who may do what.
  off("can_create_group", "low", "every user can make groups of their own"),
  off(
    "group_owners_can_manage_default_branch_protection",
    "low",
    "group owners can take the protection from default branches",
  ),
  on("default_project_deletion_protection", "low", "members can delete projects, not only administrators"),
  {
    setting: "deletion_adjourned_period",
    expect: { atLeast: 7 },
    severity: "low",
    why: "what was deleted by mistake is gone within a week",
  },
  on("enable_artifact_external_redirect_warning_page", "low", "pages of artifacts open without a warning"),
  on("secret_push_protection_available", "medium", "secrets in pushes are not looked for"),
];

/** Whether a value is as expected; undefined where there is none to judge. */
export function holds(expect: Expectation, value: unknown): boolean | undefined {
  const empty = value === null || value === undefined || value === "";
  if (empty && expect.given !== true) return undefined;
  if (expect.given && empty) return false;
  if ("is" in expect && !sameSet(expect.is, value)) return false;
  if ("not" in expect && sameValue(expect.not, value)) return false;
  if (expect.atLeast !== undefined && !(typeof value === "number" && value >= expect.atLeast)) return false;
  if (expect.atMost !== undefined && !(typeof value === "number" && value <= expect.atMost)) return false;
  return expect.has === undefined || has(value, expect.has);
}

function sameSet(a: unknown, b: unknown): boolean {
  return Array.isArray(a) && Array.isArray(b) ? sameValue(a.toSorted(), b.toSorted()) : sameValue(a, b);
}

function has(value: unknown, part: string): boolean {
  return Array.isArray(value) ? value.includes(part) : typeof value === "string" && value.includes(part);
}

/** `at most 10`, `true`, `has "public"`. */
export function expectedText(expect: Expectation): string {
  const parts = [
    ...("is" in expect ? [JSON.stringify(expect.is)] : []),
    ...("not" in expect ? [`not ${JSON.stringify(expect.not)}`] : []),
    ...(expect.atLeast === undefined ? [] : [`at least ${expect.atLeast}`]),
    ...(expect.atMost === undefined ? [] : [`at most ${expect.atMost}`]),
    ...(expect.has === undefined ? [] : [`has "${expect.has}"`]),
    ...(expect.given ? ["given"] : []),
  ];
  return parts.join(", ");
}

/** What to write so that a rule holds; undefined where that is somebody's to decide. */
export function fixOf({ expect, fix }: Rule): unknown {
  if (fix !== undefined) return fix;
  if ("is" in expect) return expect.is;
  return expect.atMost ?? expect.atLeast;
}

export function isExpectation(value: unknown): value is Expectation {
  const known = ["is", "not", "atLeast", "atMost", "has", "given"];
  return isObject(value) && Object.keys(value).length > 0 && Object.keys(value).every((name) => known.includes(name));
}
