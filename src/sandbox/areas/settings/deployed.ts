import { flag, type Setting, text, whole } from "./definition.ts";

const secret = { secret: true } as const;

/**
 * Settings that real instances have and the documents do not show. Real instances return all secrets decrypted,
 * including the documented ones.
 */
export const deployedSettings: readonly Setting[] = [
  flag("bulk_import_enabled"),
  flag("enforce_ci_inbound_job_token_scope_enabled"),
  flag("mailgun_events_enabled"),
  flag("allow_runner_registration_token", true),
  flag("disable_feed_token"),
  text("mailgun_signing_key", "sandbox-mail-signing-key", secret),
  text("external_auth_client_cert", null),
  text("external_auth_client_key", "sandbox-client-key", secret),
  text("arkose_labs_public_api_key", "sandbox-public-key"),
  text("arkose_labs_private_api_key", "sandbox-private-key", secret),
  text("recaptcha_site_key", "sandbox-site-key"),
  text("vertex_ai_credentials", '{"private_key":"sandbox-credentials"}', secret),
  text("product_analytics_configurator_connection_string", "https://analytics:sandbox-analytics@a.example", secret),
  text("sentry_dsn", "https://sandbox-sentry-key@errors.acme.example/1"),
  whole("max_artifacts_size", 100),
  whole("ci_max_includes", 150),
  // Three hours after it is set, real instances revoke the tokens that last longer, which no sandbox waits for.
  whole("max_personal_access_token_lifetime", null, { min: 1, max: 365, tier: "ultimate" }),
  // The workers of these delete and deactivate hours later, or months.
  flag("delete_inactive_projects"),
  whole("inactive_projects_delete_after_months", 12, { min: 1 }),
  whole("inactive_projects_send_warning_email_after_months", 1, { min: 1 }),
  whole("inactive_projects_min_size_mb", 0),
  flag("deactivate_dormant_users"),
  whole("deactivate_dormant_users_period", 90, { min: 90 }),
  whole("repository_size_limit", 0, { megabytes: true }),
  text("default_artifacts_expire_in", "30 days"),
  text("enabled_git_access_protocol", "", { words: ["ssh", "http", "all"], shownEmpty: "all" }),
  flag("can_create_organization", true),
  flag("disable_password_authentication_for_users_with_sso_identities"),
  flag("usage_ping_features_enabled", true),
  flag("usage_ping_generation_enabled"),
  ...["optimize_repository", "incremental_repack", "full_repack", "gc"].map((kind) =>
    whole(`housekeeping_${kind}_period`, 10, { min: 1 }),
  ),
  text("assistant_availability", "default_on", { tier: "premium" }),
];

/** Changes by an administrator on such an instance: a URL with user and password. */
export const deployedChanges: Readonly<Record<string, unknown>> = {
  codesearch_url: "https://indexer:sandbox-search-password@search.acme.example:9200",
};

/** Documented required settings that real instances do not require. */
export const notRequired: readonly string[] = ["shared_runners_minutes"];
