import { flag, needing, type Setting, text, whole } from "./definition.ts";

/** Sizes, rates, and periods (3-settings-api). */
export const limitSettings: readonly Setting[] = [
  whole("max_attachment_size", 100),
  whole("max_decompressed_archive_size", 25_600),
  whole("max_export_size", 0),
  whole("max_import_size", 0),
  whole("max_import_remote_file_size", 10_240),
  whole("decompress_archive_file_timeout", 210),
  whole("snippet_size_limit", 52_428_800),
  whole("wiki_page_max_content_bytes", 5_242_880, { min: 1024 }),
  whole("asciidoc_max_includes", 32, { max: 64 }),
  whole("helm_max_packages_count", 1000, { min: 1 }),
  whole("terminal_max_session_time", 0),
  whole("issues_create_limit", 0),
  whole("raw_blob_request_limit", 300),
  whole("bulk_import_max_download_file_size", 5120),
  whole("bulk_import_concurrent_pipeline_batch_limit", 25, { min: 1 }),
  whole("concurrent_relation_batch_export_limit", 8, { min: 1 }),
  whole("relation_export_batch_size", 50, { min: 1 }),
  whole("concurrent_forge_a_import_jobs_limit", 1000, { min: 1 }),
  whole("concurrent_forge_b_import_jobs_limit", 100, { min: 1 }),
  whole("concurrent_forge_b_server_import_jobs_limit", 100, { min: 1 }),
  whole("downstream_pipeline_trigger_limit_per_project_user_sha", 0),
  whole("project_jobs_api_rate_limit", 600),
  whole("projects_api_rate_limit_unauthenticated", 400),
  whole("users_api_limit_followers", 100),
  whole("users_api_limit_following", 100),
  whole("users_api_limit_status", 240),
  whole("users_api_limit_ssh_keys", 120),
  whole("users_api_limit_ssh_key", 120),
  whole("users_api_limit_gpg_keys", 120),
  whole("users_api_limit_gpg_key", 120),
  { ...whole("polling_interval_multiplier", 1), kind: "number" },
  text("rate_limiting_response_text"),
  text("jobqueue_job_limiter_mode", "compress", { words: ["track", "compress"] }),
  whole("jobqueue_job_limiter_compression_threshold_bytes", 100_000),
  whole("jobqueue_job_limiter_limit_bytes", 0),
  ...["runner", "group_runner", "project_runner"].map((kind) =>
    whole(`${kind}_token_expiration_interval`, null, { min: 7200 }),
  ),
  ...throttle("authenticated_api", 7200),
  ...throttle("authenticated_packages_api", 1000),
  ...throttle("authenticated_web", 7200),
  ...throttle("unauthenticated", 3600).map((setting) => ({
    ...setting,
    deployedAliasOf: setting.name.replace("unauthenticated", "unauthenticated_web"),
  })),
  ...throttle("unauthenticated_api", 3600),
  ...throttle("unauthenticated_packages_api", 800),
  ...throttle("unauthenticated_web", 3600),
  ...gitThrottle("authenticated"),
  ...gitThrottle("unauthenticated"),
];

/** A request limit, off by default; its two numbers are required when it is turned on. */
function throttle(kind: string, requests: number): Setting[] {
  return needing(
    flag(`throttle_${kind}_enabled`),
    whole(`throttle_${kind}_period_in_seconds`, kind.endsWith("packages_api") ? 15 : 3600, { min: 1 }),
    whole(`throttle_${kind}_requests_per_period`, requests, { min: 1 }),
  );
}

/** The limit on Git over HTTP has defaults for its numbers, so it requires nothing. */
function gitThrottle(kind: string): Setting[] {
  return [
    flag(`throttle_${kind}_git_http_enabled`),
    whole(`throttle_${kind}_git_http_period_in_seconds`, 3600, { min: 1 }),
    whole(`throttle_${kind}_git_http_requests_per_period`, 3600, { min: 1 }),
  ];
}
