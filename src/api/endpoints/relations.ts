import { endpoint } from "../endpoint.ts";
import {
  array,
  boolean,
  code,
  entity,
  integer,
  nullable,
  object,
  required,
  string,
  timestamp,
  uncut,
} from "../field.ts";
import { project } from "./scope.ts";

const status = code(
  { pending: -2, started: 0, finished: 1, failed: -1 },
  "-2 pending, 0 started, 1 finished, -1 failed",
  {
    tones: { pending: "doubtful", started: "doubtful", finished: "good", failed: "bad" },
  },
);

/** The status of the export of one relation (`1-project-api: Relation export status entry`). */
export const RelationStatus = entity("RelationStatus", {
  relation: required(string("Top-level relation, such as issues or labels")),
  status: required(status),
  error: nullable(uncut()),
  updated_at: required(timestamp()),
  batched: boolean(),
  batches_count: integer(),
  batches: array(
    object({
      status: required(status),
      batch_number: required(integer()),
      objects_count: integer(),
      error: nullable(uncut()),
      updated_at: timestamp(),
    }),
    "Only for a batched export",
    { sometimes: true },
  ),
});

/** The top-level relations of a project that instances are known to export; others may exist. */
export const relationNames = [
  "auto_devops",
  "boards",
  "ci_cd_settings",
  "ci_pipelines",
  "commit_notes",
  "container_expiration_policy",
  "custom_attributes",
  "design",
  "error_tracking_setting",
  "external_pull_requests",
  "issues",
  "labels",
  "lfs_objects",
  "merge_requests",
  "metrics_setting",
  "milestones",
  "pipeline_schedules",
  "project_badges",
  "project_feature",
  "protected_branches",
  "protected_environments",
  "protected_tags",
  "push_rule",
  "releases",
  "repository",
  "security_setting",
  "self",
  "service_desk_setting",
  "snippets",
  "triggers",
  "uploads",
  "user_contributions",
] as const;

/** Relations of files, which instances export as a compressed tar (relation-archives). */
export const archiveRelations: ReadonlySet<string> = new Set(["uploads", "lfs_objects", "repository", "design"]);

const relation = string("Top-level relation, such as issues", { min: 1 });
const batched = boolean("In batches");

/** Instances answer 404 to all of these while the setting for direct transfer is off (direct-transfer-off). */
const served = {
  notFound:
    "check the project, and the relation if one was given; if they exist, direct transfer is turned off on the instance: an administrator turns it on " +
    "with forgectl settings set bulk_import_enabled=true",
} as const;

/** Answers 202 with a message; the export runs in the background. */
export const exportRelations = endpoint({
  route: "POST /projects/:project/export_relations",
  summary: "Schedule an export of a project's relations",
  params: { project, batched },
  returns: "status",
  access: served,
});

export const listRelationStatuses = endpoint({
  route: "GET /projects/:project/export_relations/status",
  summary: "Show the status of the export of a project's relations",
  params: { project, relation },
  returns: RelationStatus,
  page: "offset",
  access: served,
});

/** A gzip-compressed NDJSON file: one object per line. */
export const downloadRelation = endpoint({
  route: "GET /projects/:project/export_relations/download",
  summary: "Download an exported relation of a project",
  params: { project, relation: required(relation), batched, batch_number: integer("Number of the batch", { min: 1 }) },
  returns: "bytes",
  access: { notFound: `forgectl relations status shows which relations are finished; otherwise ${served.notFound}` },
});
