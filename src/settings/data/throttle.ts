import type { Setting } from "../setting.ts";
import { boolean, integer, string } from "./define.ts";

const replacements = (rest: string) => [`throttle_unauthenticated_web_${rest}`, `throttle_unauthenticated_api_${rest}`];

/** The documents say only "conditionally" on the requirements of the two Git limits. */
const conditional =
  "period and requests per period may be required when it is enabled; the documents say conditionally, and give both a default";

/** Rate limits on requests. */
export const throttleSettings: readonly Setting[] = [
  boolean("throttle_authenticated_api_enabled", "Limit authenticated API requests"),
  integer("throttle_authenticated_api_period_in_seconds", "Period of the limit on authenticated API requests", {
    unit: "seconds",
    requiredBy: "throttle_authenticated_api_enabled",
  }),
  integer("throttle_authenticated_api_requests_per_period", "Authenticated API requests per period and user", {
    requiredBy: "throttle_authenticated_api_enabled",
  }),
  boolean("throttle_authenticated_git_http_enabled", "Limit authenticated Git HTTP requests", {
    default: false,
    conditional,
  }),
  integer(
    "throttle_authenticated_git_http_period_in_seconds",
    "Period of the limit on authenticated Git HTTP requests",
    {
      default: 3600,
      unit: "seconds",
      appliesWhen: { setting: "throttle_authenticated_git_http_enabled", is: true },
    },
  ),
  integer(
    "throttle_authenticated_git_http_requests_per_period",
    "Authenticated Git HTTP requests per period and user",
    {
      default: 3600,
      appliesWhen: { setting: "throttle_authenticated_git_http_enabled", is: true },
    },
  ),
  boolean("throttle_authenticated_packages_api_enabled", "Limit authenticated packages API requests"),
  integer(
    "throttle_authenticated_packages_api_period_in_seconds",
    "Period of the limit on authenticated packages API requests",
    { unit: "seconds", requiredBy: "throttle_authenticated_packages_api_enabled" },
  ),
  integer(
    "throttle_authenticated_packages_api_requests_per_period",
    "Authenticated packages API requests per period and user",
    { requiredBy: "throttle_authenticated_packages_api_enabled" },
  ),
  boolean("throttle_authenticated_web_enabled", "Limit authenticated web requests"),
  integer("throttle_authenticated_web_period_in_seconds", "Period of the limit on authenticated web requests", {
    unit: "seconds",
    requiredBy: "throttle_authenticated_web_enabled",
  }),
  integer("throttle_authenticated_web_requests_per_period", "Authenticated web requests per period and user", {
    requiredBy: "throttle_authenticated_web_enabled",
  }),

  boolean("throttle_unauthenticated_enabled", "Limit unauthenticated requests", {
    sameAs: "throttle_unauthenticated_web_enabled",
    deprecated: { since: "14.3", use: replacements("enabled") },
  }),
  integer("throttle_unauthenticated_period_in_seconds", "Period of the limit on unauthenticated requests", {
    unit: "seconds",
    requiredBy: "throttle_unauthenticated_enabled",
    sameAs: "throttle_unauthenticated_web_period_in_seconds",
    deprecated: { use: replacements("period_in_seconds") },
  }),
  integer("throttle_unauthenticated_requests_per_period", "Unauthenticated requests per period and IP address", {
    requiredBy: "throttle_unauthenticated_enabled",
    sameAs: "throttle_unauthenticated_web_requests_per_period",
    deprecated: { use: replacements("requests_per_period") },
  }),
  boolean("throttle_unauthenticated_api_enabled", "Limit unauthenticated API requests"),
  integer("throttle_unauthenticated_api_period_in_seconds", "Period of the limit on unauthenticated API requests", {
    unit: "seconds",
    requiredBy: "throttle_unauthenticated_api_enabled",
  }),
  integer(
    "throttle_unauthenticated_api_requests_per_period",
    "Unauthenticated API requests per period and IP address",
    {
      requiredBy: "throttle_unauthenticated_api_enabled",
    },
  ),
  boolean("throttle_unauthenticated_git_http_enabled", "Limit unauthenticated Git HTTP requests", {
    default: false,
    conditional,
  }),
  integer(
    "throttle_unauthenticated_git_http_period_in_seconds",
    "Period of the limit on unauthenticated Git HTTP requests",
    { default: 3600, appliesWhen: { setting: "throttle_unauthenticated_git_http_enabled", is: true }, unit: "seconds" },
  ),
  integer("throttle_unauthenticated_git_http_requests_per_period", "Unauthenticated Git HTTP requests per period", {
    default: 3600,
    appliesWhen: { setting: "throttle_unauthenticated_git_http_enabled", is: true },
  }),
  boolean("throttle_unauthenticated_packages_api_enabled", "Limit unauthenticated packages API requests"),
  integer(
    "throttle_unauthenticated_packages_api_period_in_seconds",
    "Period of the limit on unauthenticated packages API requests",
    { unit: "seconds", requiredBy: "throttle_unauthenticated_packages_api_enabled" },
  ),
  integer(
    "throttle_unauthenticated_packages_api_requests_per_period",
    "Unauthenticated packages API requests per period",
    { requiredBy: "throttle_unauthenticated_packages_api_enabled" },
  ),
  boolean("throttle_unauthenticated_web_enabled", "Limit unauthenticated web requests"),
  integer("throttle_unauthenticated_web_period_in_seconds", "Period of the limit on unauthenticated web requests", {
    unit: "seconds",
    requiredBy: "throttle_unauthenticated_web_enabled",
  }),
  integer(
    "throttle_unauthenticated_web_requests_per_period",
    "Unauthenticated web requests per period and IP address",
    {
      requiredBy: "throttle_unauthenticated_web_enabled",
    },
  ),

  string("rate_limiting_response_text", "Text of the answer to requests over the rate limit", { nullable: true }),
  integer("issues_create_limit", "Limit on creating issues"),
  integer("raw_blob_request_limit", "Limit on requests for raw blobs"),
  integer("project_jobs_api_rate_limit", "Rate limit on the project jobs API"),
  integer("projects_api_rate_limit_unauthenticated", "Rate limit on unauthenticated requests to the projects API"),
  integer("users_api_limit_followers", "Limit of the users API: followers"),
  integer("users_api_limit_following", "Limit of the users API: following"),
  integer("users_api_limit_status", "Limit of the users API: status"),
  integer("users_api_limit_ssh_keys", "Limit of the users API: SSH keys"),
  integer("users_api_limit_ssh_key", "Limit of the users API: one SSH key"),
  integer("users_api_limit_gpg_keys", "Limit of the users API: GPG keys"),
  integer("users_api_limit_gpg_key", "Limit of the users API: one GPG key"),
  integer("virtual_registries_endpoints_api_limit", "API limit on the virtual registries' endpoints", {
    typeInferred: true,
    tier: "premium",
  }),
];
