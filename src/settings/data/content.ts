import type { Setting } from "../setting.ts";
import { array, boolean, integer, object, string, undescribed } from "./define.ts";

const visibilities = ["private", "internal", "public"] as const;

/** Projects, groups, branches, policies, snippets, and wikis. */
export const contentSettings: readonly Setting[] = [
  integer("default_projects_limit", "How many projects a user may have by default"),
  string("default_project_visibility", "Default visibility of projects", { nullable: true, values: visibilities }),
  string("default_group_visibility", "Default visibility of groups", { nullable: true, values: visibilities }),
  string("default_snippet_visibility", "Default visibility of snippets", { nullable: true, values: visibilities }),
  array("restricted_visibility_levels", "Visibility levels that are restricted", { values: visibilities }),

  integer("default_branch_protection", "Default protection of branches", {
    deprecated: { use: ["default_branch_protection_defaults"] },
  }),
  object(
    "default_branch_protection_defaults",
    "Default protection of branches; the roles are given as `access_level`",
    {
      properties: [
        { name: "allowed_to_push", type: "array", items: "object" },
        { name: "allow_force_push", type: "boolean" },
        { name: "allowed_to_merge", type: "array", items: "object" },
      ],
    },
  ),
  boolean(
    "group_owners_can_manage_default_branch_protection",
    "Let group owners manage the default branch protection",
    {
      typeInferred: true,
      tier: "premium",
    },
  ),
  integer("file_template_project_id", "ID of the project that holds the file templates", {
    typeInferred: true,
    tier: "premium",
  }),
  boolean("default_project_deletion_protection", "Protect projects from deletion by default", {
    typeInferred: true,
    tier: "premium",
  }),
  integer("deletion_adjourned_period", "How long a deletion is put off"),
  object("repository_storages_weighted", "Weight of each repository storage, by its name", { entries: "integer" }),

  integer("security_approval_policies_limit", "Active merge request approval policies per security policy project", {
    default: 5,
    max: 20,
    tier: "premium",
  }),
  integer("scan_execution_policies_action_limit", "Actions per scan execution policy", {
    default: 0,
    max: 20,
    tier: "premium",
  }),
  integer("scan_execution_policies_schedule_limit", "Schedule rules per scan execution policy", {
    default: 0,
    max: 20,
    tier: "premium",
  }),
  boolean("security_policy_global_group_approvers_enabled", "Enable global group approvers in security policies", {
    typeInferred: true,
    tier: "premium",
  }),
  boolean("secret_push_protection_available", "Make secret push protection available", { tier: "ultimate" }),

  integer("snippet_size_limit", "How large a snippet may be", { default: 52428800, unit: "bytes" }),
  integer("wiki_page_max_content_bytes", "How large a wiki page may be", {
    default: 5242880,
    min: 1024,
    unit: "bytes",
  }),
  integer("max_attachment_size", "How large an attachment may be"),
  integer("asciidoc_max_includes", "How many includes an AsciiDoc document may have", { default: 32, max: 64 }),
  integer("local_markdown_version", undescribed),
  boolean("time_tracking_limit_to_hours", "Show tracked time in hours only", { default: false }),
];
