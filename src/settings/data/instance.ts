import type { Setting } from "../setting.ts";
import { boolean, integer, number, string, undescribed } from "./define.ts";

/** Import and export, background jobs, replication, and the instance as a whole. */
export const instanceSettings: readonly Setting[] = [
  integer("max_export_size", "How large an export may be"),
  integer("max_import_size", "How large an import may be; 0 is unlimited", { default: 0 }),
  integer("max_import_remote_file_size", "How large a remote file to import may be"),
  integer("max_decompressed_archive_size", "How large a decompressed archive may be"),
  integer("decompress_archive_file_timeout", "When to give up on decompressing an archive"),
  integer("bulk_import_max_download_file_size", "How large a file downloaded by a bulk import may be"),
  integer("bulk_import_concurrent_pipeline_batch_limit", "Limit on concurrent pipeline batches of bulk imports"),
  integer("concurrent_relation_batch_export_limit", "Limit on concurrent batch exports of relations"),
  integer("relation_export_batch_size", "Batch size of relation exports"),
  integer("concurrent_forge_a_import_jobs_limit", "Limit on concurrent jobs of imports from forge A"),
  integer("concurrent_forge_b_import_jobs_limit", "Limit on concurrent jobs of imports from forge B"),
  integer("concurrent_forge_b_server_import_jobs_limit", "Limit on concurrent jobs of imports from forge B Server"),
  boolean("silent_admin_exports_enabled", "Enable silent exports by administrators", { default: false }),

  string("jobqueue_job_limiter_mode", "What the job queue does with large jobs", {
    default: "compress",
    values: ["track", "compress"],
  }),
  integer("jobqueue_job_limiter_compression_threshold_bytes", "From which size the job queue compresses jobs", {
    default: 100_000,
    unit: "bytes",
  }),
  integer("jobqueue_job_limiter_limit_bytes", "From which size the job queue rejects jobs; 0 rejects nothing", {
    default: 0,
    unit: "bytes",
  }),

  string("replica_node_allowed_ips", "IP addresses allowed to replica nodes", {
    typeInferred: true,
    tier: "premium",
  }),
  integer("replica_status_timeout", "When to give up on a replica's status", { typeInferred: true, tier: "premium" }),
  boolean("use_columnar_store_for_analytics", "Use the columnar store for analytics; the store must be configured", {
    tier: "premium",
  }),

  boolean("silent_mode_enabled", "Enable silent mode", { default: false }),
  integer("terminal_max_session_time", "How long a terminal session may last; 0 is unlimited", {
    unit: "seconds",
  }),
  number("polling_interval_multiplier", "Multiplier of polling intervals"),
  integer("performance_bar_allowed_group_id", "ID of the group that may use the performance bar"),
  boolean("enforce_pipl_compliance", "Enforce PIPL compliance"),

  string("admin_notification_email", undescribed, { deprecated: { use: ["abuse_notification_email"] } }),
  string("abuse_notification_email", "Address that receives abuse reports"),
  string("security_txt_content", "Public security contact information", { nullable: true }),

  boolean("usage_ping_enabled", "Send the weekly license usage report"),
  boolean("include_optional_metrics_in_service_ping", "Include optional metrics in the service ping"),
  boolean("version_check_enabled", "Enable the version check"),
  string("whats_new_variant", "Variant of the What's New list that is shown", {
    values: ["all_tiers", "current_tier", "disabled"],
  }),
];
