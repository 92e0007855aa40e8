import { isObject } from "../base/is-object.ts";
import { ownValue } from "../base/own-value.ts";
import { sameValue } from "./compare.ts";

export type Severity = "low" | "medium" | "high";
export const severities: readonly Severity[] = ["low", "medium", "high"];

export function isAtLeast(severity: Severity, least: Severity): boolean {
  return severities.indexOf(severity) >= severities.indexOf(least);
}

/** The expected value of a setting. All given conditions must hold. */
export interface Expectation {
  readonly is?: unknown;
  readonly not?: unknown;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** A list must contain this item, or a text this part. */
  readonly has?: string;
  /** Must be neither null nor empty. */
  readonly given?: true;
}

/** One piece of hardening advice: data, so that a baseline file can add, change, and exempt rules. */
export interface Rule {
  readonly setting: string;
  readonly expect: Expectation;
  readonly severity: Severity;
  readonly why: string;
  /** The rule applies only while this setting has that value. */
  readonly when?: { readonly setting: string; readonly is: unknown };
  /** A value that satisfies it, if `expect` does not determine one (see `fixOf`). */
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

/** The minimum length of a key type in bits; -1 forbids the type, and 0 allows any length. */
const key = (setting: string, expect: Expectation, fix: number, why: string): Rule => ({
  setting,
  expect,
  severity: "medium",
  why,
  fix,
});

/** The platform's published hardening advice, in our own words, most severe first within each subject. */
export const hardeningRules: readonly Rule[] = [
  // Access.
  off("signup_enabled", "high", "anyone who can reach the instance can create an account"),
  on("require_admin_approval_after_user_signup", "high", "new accounts are active without review", {
    when: { setting: "signup_enabled", is: true },
  }),
  on("require_two_factor_authentication", "high", "a password alone is enough to sign in to any account"),
  on("require_admin_two_factor_authentication", "high", "a password alone is enough to sign in as an administrator"),
  {
    setting: "two_factor_grace_period",
    expect: { atMost: 72 },
    severity: "low",
    why: "users can delay setting up a second factor for days",
  },
  on("admin_mode", "medium", "administrative actions need no re-authentication"),
  {
    setting: "max_login_attempts",
    expect: { atLeast: 1, atMost: 10 },
    severity: "medium",
    why: "passwords can be guessed without limit",
    fix: 10,
  },
  on("notify_on_unknown_sign_in", "low", "users are not notified of sign-ins from unknown addresses"),
  {
    setting: "session_expire_delay",
    expect: { atLeast: 1, atMost: 10_080 },
    severity: "low",
    why: "a forgotten session stays open for more than a week",
    fix: 10_080,
  },
  on("email_restrictions_enabled", "low", "accounts can be created with any email address", {
    when: { setting: "signup_enabled", is: true },
  }),
  on("domain_denylist_enabled", "low", "disposable email domains are accepted at sign-up", {
    when: { setting: "signup_enabled", is: true },
  }),
  on("delete_unconfirmed_users", "low", "unconfirmed accounts are kept forever"),
  on("user_default_external", "low", "new accounts see internal projects", {
    when: { setting: "signup_enabled", is: true },
  }),
  on("unique_ips_limit_enabled", "low", "one account can be used from any number of IP addresses at once"),

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
    why: "any user can make a project public",
  },
  on("user_defaults_to_private_profile", "low", "profiles of new users are public"),
  on("codesearch_public_only", "medium", "private code is sent to an external search service", {
    when: { setting: "codesearch_enabled", is: true },
  }),
  off("package_registry_allow_anyone_to_pull_option", "low", "a project can make its packages public"),

  // Keys and tokens.
  key("rsa_key_restriction", { atLeast: 2048 }, 3072, "short RSA keys are insecure"),
  key("dsa_key_restriction", { is: -1 }, -1, "DSA keys are insecure"),
  key("ecdsa_key_restriction", { not: 0 }, 256, "ECDSA keys of any length are accepted"),
  key("ecdsa_sk_key_restriction", { not: 0 }, 256, "ECDSA_SK keys of any length are accepted"),
  key("ed25519_key_restriction", { not: 0 }, 256, "ED25519 keys of any length are accepted"),
  key("ed25519_sk_key_restriction", { not: 0 }, 256, "ED25519_SK keys of any length are accepted"),
  on("require_personal_access_token_expiry", "high", "a leaked token never expires"),
  on("service_access_tokens_expiration_enforced", "medium", "tokens of service accounts never expire"),
  {
    setting: "personal_access_token_prefix",
    expect: { given: true },
    severity: "low",
    why: "leaked tokens cannot be recognized by a prefix",
  },
  {
    setting: "container_registry_token_expire_delay",
    expect: { atMost: 15 },
    severity: "low",
    why: "registry tokens are valid longer than a push takes",
  },
  {
    setting: "runner_token_expiration_interval",
    expect: { given: true },
    severity: "low",
    why: "tokens of instance runners never expire",
    fix: 2_592_000,
  },
  {
    setting: "inactive_resource_access_tokens_delete_after_days",
    expect: { atMost: 30 },
    severity: "low",
    why: "inactive tokens of projects and groups are kept for more than a month",
  },
  off("user_oauth_applications", "medium", "every user can register applications that act on behalf of others"),

  // Outgoing requests.
  off("allow_local_requests_from_web_hooks_and_services", "high", "a webhook can access services inside the network"),
  off("allow_local_requests_from_system_hooks", "medium", "a system hook can access services inside the network"),
  {
    setting: "outbound_local_requests_whitelist",
    expect: { is: [] },
    severity: "low",
    why: "the ban on local requests has exceptions",
  },
  on("asset_proxy_enabled", "low", "images in texts reveal readers' IP addresses to other servers"),
  off("usage_ping_enabled", "low", "usage data is sent from the instance"),
  off(
    "maven_package_requests_forwarding",
    "medium",
    "requests for missing packages are forwarded to a public registry",
  ),
  off("npm_package_requests_forwarding", "medium", "requests for missing packages are forwarded to a public registry"),
  off("pypi_package_requests_forwarding", "medium", "requests for missing packages are forwarded to a public registry"),

  // Limits.
  on("throttle_unauthenticated_web_enabled", "medium", "unauthenticated web requests are unlimited"),
  on("throttle_unauthenticated_api_enabled", "medium", "unauthenticated API requests are unlimited"),
  on("throttle_authenticated_web_enabled", "low", "web requests per account are unlimited"),
  on("throttle_authenticated_api_enabled", "low", "API requests per account are unlimited"),
  on("throttle_unauthenticated_git_http_enabled", "low", "unauthenticated Git requests are unlimited"),
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

  // Permissions.
  off("can_create_group", "low", "every user can create groups"),
  off(
    "group_owners_can_manage_default_branch_protection",
    "low",
    "group owners can remove the protection of default branches",
  ),
  on("default_project_deletion_protection", "low", "members can delete projects, not only administrators"),
  {
    setting: "deletion_adjourned_period",
    expect: { atLeast: 7 },
    severity: "low",
    why: "accidental deletions become permanent within a week",
  },
  on("enable_artifact_external_redirect_warning_page", "low", "artifact pages open without a warning"),
  on("secret_push_protection_available", "medium", "pushes are not scanned for secrets"),
];

/** Whether a value is as expected; undefined if there is no value. */
export function holds(expect: Expectation, value: unknown): boolean | undefined {
  const empty = value === null || value === undefined || value === "";
  if (empty && expect.given !== true) return undefined;
  if (expect.given && (empty || (Array.isArray(value) && value.length === 0))) return false;
  if ("is" in expect && !sameSet(expect.is, value)) return false;
  // A value of another type, such as a number in quotes, is not known to differ.
  if (typeof expect.not === "number" && typeof value !== "number") return false;
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
    ...("is" in expect ? [plainText(expect.is)] : []),
    ...("not" in expect ? [`not ${plainText(expect.not)}`] : []),
    ...(expect.atLeast === undefined ? [] : [`at least ${expect.atLeast}`]),
    ...(expect.atMost === undefined ? [] : [`at most ${expect.atMost}`]),
    ...(expect.has === undefined ? [] : [`has ${expect.has}`]),
    ...(expect.given ? ["given"] : []),
  ];
  return parts.join(", ");
}

/** A value as it is shown: a text without quotes, unless it is empty. */
function plainText(value: unknown): string {
  return typeof value === "string" && value !== "" ? value : JSON.stringify(value);
}

/** A condition of another type would hold always, or never. */
const isCondition: Readonly<Record<string, (given: unknown) => boolean>> = {
  is: () => true,
  not: () => true,
  atLeast: Number.isFinite,
  atMost: Number.isFinite,
  has: (given) => typeof given === "string",
  given: (given) => given === true,
};

/** Whether a value from a baseline file has only conditions of an Expectation, and at least one. */
export function isExpectation(value: unknown): value is Expectation {
  if (!isObject(value)) return false;
  const conditions = Object.entries(value);
  return conditions.length > 0 && conditions.every(([name, given]) => ownValue(isCondition, name)?.(given) === true);
}
