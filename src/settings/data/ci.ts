import type { Setting } from "../setting.ts";
import { array, boolean, integer, string } from "./define.ts";

/** Runners, pipelines, jobs, and artifacts. */
export const ciSettings: readonly Setting[] = [
  boolean("shared_runners_enabled", "Enable instance runners for new projects"),
  string("shared_runners_text", "The instance runners' text", {
    requiredBy: "shared_runners_enabled",
    mayBeEmpty: true,
  }),
  integer("shared_runners_minutes", "Monthly compute minutes per group", {
    unit: "minutes",
    requiredBy: "shared_runners_enabled",
    tier: "premium",
  }),
  integer("runner_token_expiration_interval", "When the tokens of new instance runners expire", {
    min: 7200,
    unit: "seconds",
  }),
  integer("group_runner_token_expiration_interval", "When the tokens of new group runners expire", {
    min: 7200,
    unit: "seconds",
  }),
  integer("project_runner_token_expiration_interval", "When the tokens of new project runners expire", {
    min: 7200,
    unit: "seconds",
  }),
  array("valid_runner_registrars", "Who may register runners", { items: "string", values: ["group", "project"] }),
  boolean("update_runner_versions_enabled", "Update information on runner versions"),

  string("default_ci_config_path", "The default path of the CI configuration file", { nullable: true }),
  boolean("keep_latest_artifact", "Keep the latest artifacts"),
  boolean("enable_artifact_external_redirect_warning_page", "Warn before a redirect to artifacts outside the instance"),
  boolean("suggest_pipeline_enabled", "Suggest a pipeline to projects"),
  integer(
    "downstream_pipeline_trigger_limit_per_project_user_sha",
    "Limit on triggering downstream pipelines per project, user, and commit",
  ),

  string("external_pipeline_validation_service_url", "The external pipeline validation service's URL", {
    nullable: true,
  }),
  string("external_pipeline_validation_service_token", "Token for the external pipeline validation service", {
    nullable: true,
    secret: true,
    writeOnly: true,
  }),
  string(
    "external_pipeline_validation_service_timeout",
    "When to give up on the external pipeline validation service",
    {
      nullable: true,
      shownAs: "integer",
    },
  ),
];
