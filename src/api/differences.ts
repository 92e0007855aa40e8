/**
 * One way in which real instances differ from the API documents. The code that handles it
 * names the difference's `id`; `sandbox start --as-deployed` answers as described in `instances`.
 */
export interface Difference {
  readonly id: string;
  /** The group of commands that it concerns; `all` for several. */
  readonly area: string;
  /** What the documents say, in a sentence. */
  readonly documents: string;
  /** What instances do, in a sentence. */
  readonly instances: string;
  /** What the program does about it, in a sentence. */
  readonly program: string;
  /** How the answer to a GET shows it; undefined if none can. */
  readonly seenIn?: readonly Sighting[];
}

/** What an answer has otherwise than the documents say. All that is given must hold. */
export interface Sighting {
  /** The routes that answer so, by the end of their path; undefined: any. */
  readonly paths?: readonly string[];
  /** The answer's status. */
  readonly status?: number;
  /** A part of the error's message. */
  readonly says?: RegExp;
  /** Documented fields that are missing, as the end of a dotted path. */
  readonly missing?: readonly string[];
  /** Fields that are null and not documented so, as the end of a dotted path. */
  readonly null?: readonly string[];
  /** Undocumented fields that are present, as the end of a dotted path; `*`: any of the object. */
  readonly unknown?: readonly string[];
  /** A list without paging headers. */
  readonly unpaged?: true;
}

/** All known differences, by area and by severity. */
export const differences: readonly Difference[] = [
  {
    id: "project-and-group-lookup",
    area: "all",
    documents: "No request looks up a project or a group.",
    instances: "`GET /projects/:id` and `GET /groups/:id` answer with ID, path, and a few more fields.",
    program: "They resolve a path to an ID where an ID is needed; if they fail, an error asks for the ID.",
  },
  {
    id: "projects-of-many",
    area: "all",
    documents: "No request lists projects or groups.",
    instances:
      "`GET /projects`, `/groups`, `/groups/:id/projects`, `…/subgroups`, and `…/descendant_groups` do; a " +
      "project says whether it is archived, about to be deleted, or a user's own. `search` finds projects by their " +
      "description too, and groups by their full names. A user who is not an administrator is listed the groups that they are in, " +
      "unless `all_available` is sent.",
    program: "`projects list` and `groups list` send them, and say so in their help; `forgectl api` sends any filter.",
  },
  {
    id: "hooks-and-branches-of-projects",
    area: "all",
    documents: "Hooks belong to groups, and protected branches are not mentioned.",
    instances:
      "`/projects/:id/hooks` works like the hooks of groups, but lists them without `custom_headers` and " +
      "`url_variables`, which one hook has; `/projects/:id/protected_branches` has POST, " +
      "PATCH, and DELETE, with levels for push, merge, and unprotect.",
    program: "`forgectl api` sends them. State files read each hook of a project.",
  },
  {
    id: "deleted-object-shown",
    area: "all",
    documents: "The answer to a deletion has no content, or is not described.",
    instances: "That to the deletion of an error tracking key is the key.",
    program:
      "An object in such an answer counts if it is the one that the path names; any other may be that of a gateway, and the " +
      "outcome is looked at.",
  },
  {
    id: "branch-removed-along",
    area: "all",
    documents: "Protected branches are not mentioned.",
    instances:
      "With its protection, a branch loses its squash option and its place in status checks and approval rules, which then " +
      "may hold for every branch.",
    program: "Plans that remove a protection, and `state rollback`, which cannot restore these, say so.",
  },
  {
    id: "deployments-approve-themselves",
    area: "envs",
    documents: "Approvals are those of the users whom the rules name.",
    instances:
      "A project may have `allow_pipeline_trigger_approve_deployment`: the user who starts a deployment approves it by that.",
    program: "`envs audit` and `audit` look at the project, and count one approval less.",
  },
  {
    id: "branch-unprotected-by-all",
    area: "all",
    documents: "Protected branches are not mentioned.",
    instances:
      "Without an entry in `push_access_levels` or `merge_access_levels` no one may push or merge; without one in " +
      "`unprotect_access_levels` every Maintainer may change and remove the protection. Newer releases refuse `no_one` there.",
    program:
      "`unprotect_access_levels: []` is the same as `[{ access_level: maintainer }]`, and another one than `no_one`, which is " +
      "sent as it is.",
  },
  {
    id: "branch-custom-roles",
    area: "all",
    documents: "Protected branches are not mentioned.",
    instances:
      "Since release 19.2 a rule of a protected branch may be for a custom role (`member_role_id`, Ultimate); the level that is " +
      "shown beside it does not count.",
    program:
      "State files, exports, plans, and rollbacks have such rules by `member_role_id`, and not as rules for that level.",
  },
  {
    id: "fields-of-answers",
    area: "all",
    documents: "An author has an email and `created_at`, a job `download_url`, an event `title` and `data`.",
    instances:
      "They do not; error tracking settings have `sentry_external_url` in place of `tracker_external_url`, and there are " +
      "others, such as `public_email`, `queued_duration`, `kas` in `GET /metadata`, " +
      "and `type` in notes.",
    program: "A missing field is empty; fields that the documents lack are shown in JSON and YAML.",
    seenIn: [
      {
        paths: [":note_id", "/notes", "/discussions", ":discussion_id"],
        missing: ["author.email", "author.created_at"],
      },
      {
        paths: [":note_id", "/notes", "/discussions", ":discussion_id"],
        unknown: [
          ...["type", "commands_changes", "author.locked", "author.avatar_url", "author.web_url"],
          "author.public_email",
        ],
      },
      { paths: ["/jobs", "/jobs/:job_id"], missing: ["download_url"] },
      {
        paths: ["/jobs", "/jobs/:job_id"],
        unknown: [
          ...["pipeline", "queued_duration", "erased_at", "artifacts_expire_at", "tag_list", "project", "archived"],
        ],
      },
      { paths: ["/events"], missing: ["title", "data"] },
      { paths: ["/metadata"], unknown: ["kas"] },
      { paths: ["/error_tracking/settings"], missing: ["tracker_external_url"] },
      { paths: ["/error_tracking/settings"], unknown: ["sentry_external_url"] },
    ],
  },
  {
    id: "release-and-own-token",
    area: "auth",
    documents: "No request shows an instance's release, or a token's scopes and expiry.",
    instances:
      "`GET /metadata` shows the release, `GET /personal_access_tokens/self` the token's scopes and expiry date, and " +
      "`GET /job` the job of a job token.",
    program: "`auth status` and `doctor` show them; if an instance does not answer, they are left out.",
  },
  {
    id: "fine-grained-tokens",
    area: "auth",
    documents: "A token has scopes.",
    instances:
      "A fine-grained token has permissions instead; for what it lacks, even for its own user, it gets 403 " +
      "`insufficient_granular_scope`, which names the permission.",
    program: "The error has the instance's sentence (exit 5).",
    seenIn: [{ status: 403, says: /fine-grained personal access token/ }],
  },
  {
    id: "numeric-project-id",
    area: "job-token",
    documents: "A project is given by ID or path in every route.",
    instances: "The four writes to the job token allowlists accept only a numeric ID, and answer 400 to a path.",
    program: "A path is looked up first; if the instance cannot look projects up, the path is sent.",
  },
  {
    id: "job-token-ignored",
    area: "job-token",
    documents: "A job token is 401 where it is not accepted.",
    instances:
      "It is ignored there: private projects and groups are 404, lists have public objects only. Hooks, " +
      "notes, and others that require a user first are 401.",
    program: "Nothing of a private project is read with it.",
  },
  {
    id: "job-token-permissions",
    area: "job-token",
    documents: "An allowlist entry gives access.",
    instances:
      "It may be limited to permissions, which no request shows or takes: an entry that is removed and " +
      "added again is not limited. The registry of another project is never accessible.",
    program:
      "The removal, its undo line, and `state rollback` say that an entry that is added again has all permissions; the " +
      "403 names the missing one (exit 5).",
  },
  {
    id: "job-token-limit-enforced",
    area: "job-token",
    documents: "A project turns the limit of its job token access on and off.",
    instances:
      "If the setting `enforce_ci_inbound_job_token_scope_enabled` is on, turning it off is 204, and it " + "stays on.",
    program: "`job-token get` shows the limit in effect, and `job-token limit off` is exit 9 if it stays on.",
  },
  {
    id: "job-token-entry-refusals",
    area: "job-token",
    documents: "What exists already is a 409, what does not exist a 404.",
    instances: "Adding an entry that an allowlist has is 400, and so is removing one that it does not have.",
    program: "They are a conflict (exit 6) and not found (exit 3), as with 409 and 404.",
  },
  {
    id: "job-token-unseen-entries",
    area: "job-token",
    documents: "Entries of an allowlist are added and removed.",
    instances:
      "The lists show entries of projects and groups that the token does not see. Such an entry cannot be added (400); that of " +
      "a project cannot be removed either (404), that of a group can.",
    program:
      "`job-token groups remove` and plans that remove a group look it up, and say if this token cannot add it again; the " +
      "command then has no undo line. A 404 for a project that is still listed is exit 5.",
  },
  {
    id: "job-token-list-limit",
    area: "job-token",
    documents: "An allowlist has any number of entries.",
    instances: "A project accepts 200 projects and 200 groups on its allowlists; the next one is 400.",
    program:
      "Plans warn before a list would have more; the error's hint is `job-token compact`, which plans groups in place of " +
      "many projects.",
  },
  {
    id: "group-export-once-a-minute",
    area: "groups",
    documents: "The archive of a group's export can be downloaded, and polled for, at any time.",
    instances: "One such request per minute is allowed; any other is 429, on older releases without `Retry-After`.",
    program:
      "`groups export --wait` treats a 429 as not ready yet, and from the first one on polls every 61 seconds; a dry run " +
      "does not poll.",
    seenIn: [{ paths: ["/export/download"], status: 429 }],
  },
  {
    id: "group-export-per-user",
    area: "groups",
    documents: "The export of a group can be downloaded.",
    instances: "Newer releases keep one for each user, and accept six exports per minute of one user.",
    program: "The error of a download names that cause.",
  },
  {
    id: "artifacts-of-recent-pipelines",
    area: "artifacts",
    documents: "Artifacts by ref are those of its latest successful pipeline, or none.",
    instances: "With `search_recent_successful_pipelines=true` several of the latest are searched.",
    program: "`artifacts download` and `artifacts cat` send it with `--search-recent`.",
  },
  {
    id: "artifacts-not-found",
    area: "artifacts",
    documents: "A 404 of artifacts does not say whether the pipeline, the job, or the file is missing.",
    instances: "`GET /projects/:id/pipelines`, `…/pipelines/:pipeline_id/jobs`, and `…/jobs/:job_id` show it.",
    program:
      "After a 404 `artifacts download` and `artifacts cat` query them, and name what is missing; if they fail, " +
      "the error names both.",
  },
  {
    id: "artifacts-tree",
    area: "artifacts",
    documents: "`GET …/jobs/:job_id/artifacts/*artifact_path` is a file of the archive.",
    instances: "Newer ones answer the path `tree` with a list of the files in the archive's root.",
    program: "`artifacts cat tree --job-id` is refused before it is sent, with the other ways to the file.",
  },
  {
    id: "purge-takes-kept",
    area: "artifacts",
    documents: "What is kept is not deleted, also not with all artifacts of a project.",
    instances: "`DELETE /projects/:id/artifacts` expires what was kept too.",
    program: "The question of `artifacts purge`, its help, and that of `artifacts keep` say so.",
  },
  {
    id: "artifacts-while-counted",
    area: "artifacts",
    documents: "Artifacts can be deleted at any time.",
    instances:
      "While a project's statistics are being recalculated, deletions of artifacts, of a job or of the project, are 409.",
    program: "The error is a conflict (exit 6) that says to try again shortly, and is `retryable`.",
  },
  {
    id: "job-as-an-object",
    area: "artifacts",
    documents: "An error has a message.",
    instances: "Some messages contain a dump of an internal object, such as `#<Project id:7>`.",
    program: "The dump is left out.",
  },
  {
    id: "relation-status-object",
    area: "relations",
    documents: "The status of an export with `relation` is a list.",
    instances: "It is one object, and 404 if that relation was never exported; older instances ignore the filter.",
    program: "It accepts an object or a list, and leaves out other relations.",
  },
  {
    id: "relation-archives",
    area: "relations",
    documents: "An exported relation is gzip-compressed NDJSON.",
    instances:
      "`repository`, `design`, `uploads`, and `lfs_objects` are a tar compressed with gzip, and not in batches.",
    program: "They are saved as `.tar.gz`; `relations pull` checks that the gzip is complete, and counts no lines.",
  },
  {
    id: "export-reused",
    area: "relations",
    documents: "POST makes a new export.",
    instances:
      "A finished export that is less than three minutes old is kept, unless it is in batches or is to be: POST is 202, " +
      "and `updated_at` does not change.",
    program:
      "A wait that sees no change uses the export that exists, with a notice; after a timeout the error names `--latest`.",
  },
  {
    id: "export-queued",
    area: "relations",
    documents: "A request starts an export.",
    instances: "It is queued: until it begins, the statuses are those of the export before, or none.",
    program:
      "A wait goes by the time of the last change before the request; without `--wait`, `relations export` prints the line that " +
      "waits, with that time (`--since`).",
  },
  {
    id: "export-rows",
    area: "relations",
    documents: "The status has a row for each relation of the export, `status` 0, 1, or -1.",
    instances:
      "A row is added when the relation begins; `user_contributions` waits for the others, with status -2 or none, " +
      "`total_objects_count` counts, and a relation of an older release keeps its old row.",
    program:
      "`relations status` shows all rows. A wait lasts five minutes longer while a relation of current releases has none; " +
      "what every release exports has failed then, a warning names the others. It leaves out what is no longer exported, with a notice; for what " +
      "current releases export it waits five minutes before, and reports it as failed if all releases do, such as issues.",
    seenIn: [{ paths: ["/export_relations/status"], unknown: ["total_objects_count"] }],
  },
  {
    id: "direct-transfer-off",
    area: "relations",
    documents: "Exports of relations are always available.",
    instances:
      "All of its requests are 404 while the setting `bulk_import_enabled` (direct transfer) is off, which is the default.",
    program: "A 404 names the setting and the command that turns it on.",
    seenIn: [{ paths: ["/export_relations/status"], status: 404 }],
  },
  {
    id: "client-key-dsn",
    area: "errors",
    documents: "The DSN of an error tracking key is in `tracker_dsn`.",
    instances: "It is in `sentry_dsn`.",
    program: "It is read from any field that ends in `_dsn`, always shown as `tracker_dsn`, and masked under any name.",
    seenIn: [
      { paths: ["/client_keys"], missing: ["tracker_dsn"] },
      { paths: ["/client_keys"], unknown: ["sentry_dsn"] },
    ],
  },
  {
    id: "error-settings-refusal",
    area: "errors",
    documents: "PUT and PATCH of error tracking settings answer 200 with the settings.",
    instances: 'A rejected change is also 200, with `{status: "error", message, http_status}`.',
    program: "It fails with that message, and with the exit code of that status (of 400 if there is none).",
  },
  {
    id: "integrated-tracking-off",
    area: "errors",
    documents: "PUT of error tracking settings sets up the integrated tracker.",
    instances: "It is 404 while the instance's feature flag `integrated_error_tracking` is off.",
    program: "The error names the flag.",
  },
  {
    id: "hook-new-url",
    area: "hooks",
    documents: "An update of a hook leaves attributes that are not given unchanged.",
    instances:
      "A new URL drops the token unless the same request gives one, all custom headers, even those of the same " +
      "request, and the URL variables.",
    program:
      "`hooks update --url` sends the token in the same request and the headers again in a second one, and asks before it drops " +
      "anything that is not given again.",
  },
  {
    id: "hook-headers-merged",
    area: "hooks",
    documents: "`custom_headers` is the list of a hook's headers.",
    instances: "Headers given are set, the others are kept; a separate request removes one.",
    program:
      "`hooks update --header` reads the hook's headers first, asks before those that are not given may be lost, " +
      "and reports what happened to them; `--remove-header` sends the separate request.",
  },
  {
    id: "hook-filter-dropped",
    area: "hooks",
    documents: "A hook has a branch filter and a strategy, each changed by itself.",
    instances: "The strategy `all_branches` removes the filter, also one of the same request.",
    program:
      "A plan that sets this strategy shows that the filter goes, or warns if the file declares one, and a rollback gives " +
      "it back; `hooks create` and `hooks update` are exit 9 if a filter is not stored.",
  },
  {
    id: "hook-delete-and-test",
    area: "hooks",
    documents: "No request deletes a hook or tests it.",
    instances: "`DELETE /groups/:id/hooks/:hook_id` and `POST …/test/:trigger`.",
    program: "`hooks delete` and `hooks test` send them, and say so if an instance may lack them.",
  },
  {
    id: "hook-flags",
    area: "hooks",
    documents: "A hook has 18 kinds of events, each true or false.",
    instances:
      "It also has `milestone`, `project`, and `vulnerability`, `token_present` and " +
      "`signing_token_present`; the flags of confidential kinds are null until they are given, and " +
      "`repository_update` is ignored.",
    program:
      "`--events` takes these kinds too, `none` and `all` mean every flag of the existing hook, and for the state engine " +
      "null is off, and `token_present` is compared with what a file says of the token. A kind that `all` includes and the instance ignores is a warning.",
    seenIn: [
      {
        paths: ["/hooks", "/hooks/:hook_id"],
        unknown: [
          ...["milestone_events", "project_events", "vulnerability_events", "token_present"],
          "signing_token_present",
        ],
      },
      { paths: ["/hooks", "/hooks/:hook_id"], null: ["confidential_issues_events", "confidential_note_events"] },
    ],
  },
  {
    id: "hook-disabled-before",
    area: "hooks",
    documents: "`disabled_until` is a time or null, `alert_status` such as `executable`.",
    instances:
      "A hook that was disabled after failures keeps `disabled_until` once that time is past and deliveries are sent again " +
      "(`executable`), until one succeeds.",
    program:
      "`hooks health`, `hooks audit`, and `audit` go by `alert_status`; where it is missing, a time that is past does not " +
      "count.",
  },
  {
    id: "hook-disabled-unrecorded",
    area: "hooks",
    documents: "The deliveries of the past seven days are listed.",
    instances:
      "A hook is disabled after four failures in a row, for a minute that doubles with each, and in the end for good. What " +
      "happens meanwhile is neither sent nor recorded, nor is what exceeds a limit of webhook calls; a resend of the failures " +
      "delivers none of it. Resends and tests that fail count too, and older ones disable for good after four answers of 4xx.",
    program:
      "`hooks health` has `unrecorded`, and a line on stderr, for a hook that is disabled, or was as far as its deliveries " +
      "show; `hooks redeliver` warns of it. The help of `hooks resend`, `redeliver`, and `test`, and the question of " +
      "`redeliver` say that failures count; after resends of which one failed, a warning says if the hook is disabled now.",
  },
  {
    id: "hook-delivery-time",
    area: "hooks",
    documents: "The record of a delivery has no time.",
    instances: "Newer ones show when it was made: `created_at`.",
    program:
      "That counts for `--since`, `--until`, and `response_date`; without it, the `Date` of the receiver's answer, and a " +
      "delivery without an answer is as old as the next one after it.",
    seenIn: [{ paths: ["/hooks/:hook_id/events"], unknown: ["created_at"] }],
  },
  {
    id: "hook-records",
    area: "hooks",
    documents: "A resend sends the delivery again.",
    instances:
      "It sends the record, in which every email address is `[REDACTED]` and a payload that was too large " +
      'is `{"oversize":true}`; after a change of the URL it is 422. A hook\'s template is applied to the record, which it has made. ' +
      "A user and a password in the URL are `*****:*****` in the record.",
    program:
      "`hooks redeliver` skips these kinds (`oversize`, `url_changed`, and `template`, unless the template makes the same of the " +
      "record), which `hooks health` counts as lost, those of a template once a later delivery has succeeded; addresses are compared " +
      "without user and password; help and the question say that addresses are redacted, a warning of `hooks resend` " +
      "that the hook has a template. For `hooks resend`, the 422 is an error with the instance's sentence, or says that the receiver did not " +
      "answer.",
  },
  {
    id: "hook-server-failure",
    area: "hooks",
    documents: "`server_failure` is a status from 500 to 599.",
    instances: "It is also `internal error`, for a receiver that did not answer.",
    program: "`--status server_failure` of `hooks events` and `hooks redeliver` is both.",
  },
  {
    id: "hook-test-kinds",
    area: "hooks",
    documents: "No request tests a hook.",
    instances:
      "A test is 400 for `repository_update`, `subgroup`, `member`, and `project`; if the receiver refuses " +
      "it, its answer is the message of the 422.",
    program: "`hooks test` offers the other kinds only, and shows the first line of the receiver's answer.",
  },
  {
    id: "upload-missing",
    area: "uploads",
    documents: "A missing upload is a 404.",
    instances: "The deletion of one that is given by its secret is 400: it does not exist, or may not be deleted.",
    program: "It is not found (exit 3), as with a 404.",
  },
  {
    id: "settings-secrets-shown",
    area: "settings",
    documents: "Secret settings are not returned, and all settings are documented by name.",
    instances: "Secrets are returned decrypted, also under other names, and in addresses with a user and password.",
    program:
      "Values that are secret by name, and credentials in addresses, are hidden, and left out of files; " +
      "`--reveal` shows it.",
    seenIn: [{ paths: ["/application/settings"], unknown: ["*"] }],
  },
  {
    id: "settings-passed-over",
    area: "settings",
    documents: "A setting that is sent takes effect.",
    instances: "Unknown settings are ignored; if all are unknown, the 400 lists the valid ones.",
    program: "An ignored setting is an error that names it; unknown names are refused before sending.",
  },
  {
    id: "settings-companions-sent",
    area: "settings",
    documents: "Some settings require another to have a value.",
    instances:
      "The other setting must be in the same request, even if it is empty or already set: with the housekeeping, its " +
      "period.",
    program:
      "Its current value is sent too, which a notice or the plan says, also of a secret that the instance shows; one that " +
      "has no value must be given. After a 400 that names others as missing, such as those of settings that no document " +
      "has, the request is sent once more with these as they are shown.",
  },
  {
    id: "settings-with-two-names",
    area: "settings",
    documents:
      "`allow_local_requests_from_hooks_and_services` is a setting of its own, and so is `throttle_unauthenticated_enabled`.",
    instances:
      "They are old names of `allow_local_requests_from_web_hooks_and_services` and `throttle_unauthenticated_web_enabled`: both " +
      "always have one value. Others have a second name that the documents lack: `password_authentication_enabled`, " +
      "`domain_allowlist_raw`. What `sign_in_restrictions` and `editor_extension_marketplace` have as a part, they show " +
      "as a setting too.",
    program:
      "A change of one is shown in the other. Exports have one of the names; a file with both is exit 2 where they say " +
      "otherwise, and for a part of an object a warning.",
  },
  {
    id: "settings-old-name-unshown",
    area: "settings",
    documents: "A setting that is deprecated is shown like the others.",
    instances: "`admin_notification_email` is accepted, and shown only as `abuse_notification_email`.",
    program: "`settings set` looks for its value there, and does not say that it was ignored.",
  },
  {
    id: "settings-hash-replaced",
    area: "settings",
    documents:
      "Settings such as `default_branch_protection_defaults` are objects; what becomes of parts that are left out is not said.",
    instances: "The object that is sent replaces the stored one: what it leaves out is lost.",
    program:
      "`settings set` sends the other parts too, as they were read, with a notice; so do `settings apply` and `state apply`. " +
      "No request of theirs removes a part; `state rollback` sends the object as it was, without parts that the run added.",
  },
  {
    id: "settings-taken-in-megabytes",
    area: "settings",
    documents: "No setting is a limit of repositories.",
    instances: "`repository_size_limit` is shown in bytes, and taken in megabytes.",
    program:
      "It is in bytes everywhere, and sent in megabytes; what is not a multiple of 1,048,576 is refused before anything is sent.",
  },
  {
    id: "settings-group-path",
    area: "settings",
    documents: "`performance_bar_allowed_group_id` is the ID of a group.",
    instances: "It is shown as one, and taken for the path of a group: an ID that is sent clears it.",
    program:
      "The ID is sent, and the answer is looked at: `settings set` and applies are exit 9 with the value that it shows.",
  },
  {
    id: "settings-all-protocols",
    area: "settings",
    documents: "A setting takes the values that it is shown with.",
    instances:
      "`enabled_git_access_protocol` is shown empty where all protocols are allowed, and takes `all` for that; an empty " +
      "text is answered with 400. Releases before 16.9 do not know `all`: they list `ssh`, `http`, and `nil`.",
    program: "An empty value of it is sent as `all`, and the two are the same in comparisons, also in those of audits.",
  },
  {
    id: "settings-changed-along",
    area: "settings",
    documents: "A setting that is changed changes no other.",
    instances:
      "A change of the asset proxy raises `local_markdown_version`; the end of the maintenance mode removes its message; " +
      "a change of `default_branch_protection` replaces `default_branch_protection_defaults`, even if both are sent; " +
      "some releases lose the terms of service when anything else is changed.",
    program:
      "`settings set`, applies, and rollbacks warn of each setting that was not sent, and is not as it was read, " +
      "applies and rollbacks not of `local_markdown_version`. A rollback restores what " +
      "`default_branch_protection` replaced, and refuses (exit 6) where a run changed another one along, also while a " +
      "read does not show it. `settings set` refuses (exit 2) to send both. Exports leave `local_markdown_version` out.",
  },
  {
    id: "settings-computed",
    area: "settings",
    documents: "A setting is shown as it was stored.",
    instances:
      "Some are shown as others say, and keep what was stored for them: `usage_ping_features_enabled` is off while " +
      "`usage_ping_enabled` is, `usage_ping_generation_enabled` is on while that is, the older periods of " +
      "`housekeeping_…` are `housekeeping_optimize_repository_period`, `sign_in_restrictions` has settings as its parts, " +
      "`disable_feed_token` is on while `disable_personal_access_tokens` is, and `…_availability` is one word for a " +
      "feature and its lock: `never_on` is that of one that is on and locked, too.",
    program:
      "Where one of those others was changed, no such value counts as changed along: nothing warns of it, and no rollback " +
      "restores it. What such a word changes does where a feature was on and locked, which no word restores. Exports leave " +
      "out what is only shown so.",
  },
  {
    id: "waiting-accounts-approved",
    area: "settings",
    documents: "A change of a setting changes no account.",
    instances:
      "Once `require_admin_approval_after_user_signup` is turned off, they approve every account that waits for approval; " +
      "older ones also when `new_user_signups_cap` is raised or removed.",
    program:
      "`settings set` asks first (exit 2 without a terminal and `--yes`), and has no undo line; plans, applies, and " +
      "rollbacks warn.",
  },
  {
    id: "settings-undated",
    area: "settings",
    documents: "Settings are cached for a minute, and have `created_at` and `updated_at`.",
    instances:
      "The API shows no dates of settings, and does not cache them; only what they are for may follow a minute later.",
    program:
      "What is shown without a date is believed. With one that is not newer than the last change of this machine, what " +
      "that change wrote counts, for 90 seconds.",
    seenIn: [{ paths: ["/application/settings"], missing: ["created_at", "updated_at"] }],
  },
  {
    id: "settings-that-delete",
    area: "settings",
    documents: "A change of a setting deletes and revokes nothing.",
    instances:
      "Once `deletion_adjourned_period` is lowered, they delete within a day each project and group whose deletion was " +
      "requested longer ago. Three hours after `max_personal_access_token_lifetime` (Ultimate) is set or lowered, they " +
      "revoke each personal access token that has no expiry date, or a later one. What `delete_unconfirmed_users`, " +
      "`delete_inactive_projects`, `deactivate_dormant_users`, and " +
      "`inactive_resource_access_tokens_delete_after_days` are for is done to all that they apply to by now, also once " +
      "only a period of theirs is lowered; a later warning of dormant projects shortens the time from an earlier one " +
      "to the deletion.",
    program:
      "`settings set` asks first (exit 2 without a terminal and `--yes`), and has no undo line; plans, applies, and " +
      "rollbacks warn.",
  },
  {
    id: "settings-written-below",
    area: "settings",
    documents: "`assistant_features_enabled` is a setting of the instance.",
    instances:
      "A change of it, or of its lock, is written into each group and each project (newer releases), as one of the assistant's flows, " +
      "agents, and availabilities is, which are not in the documents: whatever they had of their own is lost, also after a change " +
      "back.",
    program:
      "`settings set` asks first (exit 2 without a terminal and `--yes`), and has no undo line; plans, applies, and " +
      "rollbacks warn.",
  },
  {
    id: "terms-stored-first",
    area: "settings",
    documents: "A request that is refused changes nothing.",
    instances:
      "New `terms` are stored before the other settings of the request are validated: they stay if it is refused " +
      "(400), and with `enforce_terms` all users have to accept them.",
    program:
      "After such a refusal the terms are looked at: if they were stored, `settings set` is exit 9 and says so, and in " +
      "an apply the change is `altered`, so that a rollback gives the earlier ones back. If they are not shown, which a " +
      "cached copy may not, they may have been stored, and that is said.",
  },
  {
    id: "lists-without-pages",
    area: "all",
    documents: "Lists are paginated with `page` and `per_page`.",
    instances: "Some lists ignore both, return all rows, and send no paging headers.",
    program:
      "An answer with more rows than requested, or equal to the previous page, or without paging headers and not a full " +
      "page, is the whole list; an error, if the instance counts more rows than were shown until then, or if there were " +
      "two different pages before. After a full page whose headers do not say whether another follows, since a proxy has " +
      "removed them, the next one is requested: by number, or by cursor behind the last row, unless that is the first one " +
      "from the list's other end. It is an error where the list cannot continue so, or more rows are counted than follow. " +
      "Notes, discussions, and events that a token may not see are taken out of their pages, so that a page may be short " +
      "though others follow: without these headers, such a list is read until two pages in a row are empty " +
      "(`api --paginate` ends at the first one that is not full).",
    seenIn: [
      {
        paths: [
          ...["/scim/identities", "/saml/identities", "/saml_group_links", "/ldap_group_links"],
          "/export_relations/status",
        ],
        unpaged: true,
      },
    ],
  },
  {
    id: "registry-last-push",
    area: "registry",
    documents: "`created_at` of a tag is its image's time, which bulk deletes decide by.",
    instances:
      "If the registry has the service's own API, where tags are listed by cursor, `created_at` is the " +
      "first push, and bulk deletes decide by the last push, which is not shown.",
    program:
      "One request by cursor tells. There, what `--keep-n` and `--older-than` decide is EITHER: with `--via bulk` the " +
      "instance decides, and the question says at most how many tags; `--via tags` is refused.",
  },
  {
    id: "registry-tag-search",
    area: "registry",
    documents: "The details of a tag that is listed can be requested.",
    instances:
      "The tag is searched for among the first 100 names that contain its own: it is 404 if 100 others come " +
      "first.",
    program:
      "`registry tags get` reports it as not found (exit 3), and says that this may be why. A prune lists it, and decides " +
      "nothing by time in its repository; `registry usage --sizes` counts it, and the size is unknown. After a lost " +
      "answer, a tag is gone only if others are listed, and it is not.",
  },
  {
    id: "registry-most-tags",
    area: "registry",
    documents: "All tags of a repository are listed, and `tags_count` is their number.",
    instances:
      "`tags_count` is 10,000 at most. Where the registry lacks the service's own API, the first 10,000 tags by name are " +
      "listed, and a bulk delete sees no others.",
    program:
      "`registry usage` warns and names the repositories, `registry delete` asks for at least 10,000 tags, and a prune and " +
      "`registry usage --sizes` warn if exactly 10,000 tags are listed.",
  },
  {
    id: "registry-protected-tags",
    area: "registry",
    documents: "Tags are deleted; a role is not named.",
    instances:
      "Developers delete single tags, Maintainers in bulk. Rules protect tags: deleting one is a bare 403, a bulk delete " +
      "leaves it. `GET /projects/:id/registry/protection/tag/rules` lists the rules to Maintainers, except those that make " +
      "tags immutable.",
    program:
      "A prune keeps tags that a listed rule protects from the caller, whose level `GET /projects/:id` shows. A refused " +
      "tag does not keep the others from being deleted, by a Developer either.",
  },
  {
    id: "registry-push-token",
    area: "registry",
    documents: "A request for a registry token changes nothing.",
    instances: "If it grants `push`, they make the image's repository, which stays empty until something is pushed.",
    program:
      "`registry token` says so, and is a change then: a dry run does not request the token, and read-only refuses it.",
  },
  {
    id: "registry-missing-tag",
    area: "registry",
    documents: "The deletion of a tag that does not exist is a 404.",
    instances:
      "Newer ones do not look it up: they answer 403 where the registry has the service's own API, and 200 elsewhere.",
    program: "`registry tags delete` looks up each tag first; one that does not exist is not found (exit 3).",
  },
  {
    id: "offset-limit",
    area: "users",
    documents: "`page` has no upper bound.",
    instances: "Pages past 50,000 rows are refused with 405.",
    program:
      "`users list`, `projects list`, and `groups list` continue by cursor, `events calendar` by day; other lists end " +
      "with an error that says so.",
  },
  {
    id: "events-counted-to",
    area: "events",
    documents: "A page without a next one is the last of a list.",
    instances:
      "Of more than 10,000 events, they announce no page past the first 10,001, although those pages have the others.",
    program: "`events list` and `events calendar` request them until ten in a row are empty.",
  },
  {
    id: "events-hidden",
    area: "events",
    documents: "The events of a user are listed for every user, as far as their projects are visible.",
    instances:
      "They are an empty list if the profile is private, or the account blocked or not confirmed, for all but that user and " +
      "administrators; `created_at` is missing in `GET /users/:id` then.",
    program: "After an empty list, `events list --user` and `events calendar --user` look at that field: exit 5.",
  },
  {
    id: "events-of-other-types",
    area: "events",
    documents: "`target_type` selects issues, notes, and others.",
    instances:
      "It compares the recorded type: comments on changes and in threads are `DiffNote` and `DiscussionNote`, and not found as " +
      "`note`; what is done to a work item is not found as `issue`.",
    program:
      "`--target-type note` and `issue` warn, and name the line that finds them; the other types are refused (exit 2).",
  },
  {
    id: "events-of-all-projects",
    area: "events",
    documents: "`scope=all` includes all events of the user's projects.",
    instances:
      "They take the newest 20 events of all projects together, older ones of each project, and apply the filters to these.",
    program:
      "`events list --scope all` and `events calendar --scope all` warn, unless one project has more events than that, or the " +
      "limit ended the list.",
  },
  {
    id: "saml-links-401",
    area: "saml",
    documents: "A group that does not exist is 404, a missing right 403.",
    instances: "SAML group links answer 401 to both.",
    program: "The error says so, and does not report an invalid token.",
    seenIn: [{ paths: ["/saml_group_links"], status: 401 }],
  },
  {
    id: "saml-no-provider",
    area: "saml",
    documents: "The list of SAML identities is 200.",
    instances: "It is 400 without a reason if the group has no SAML provider.",
    program: "The error gives that reason.",
    seenIn: [{ paths: ["/saml/identities"], status: 400 }],
  },
  {
    id: "uids-without-case",
    area: "saml",
    documents: "UIDs that differ only in case are not mentioned.",
    instances:
      "A new UID of a SAML or SCIM identity is refused if another UID differs from it only in case. An identity of SCIM is " +
      "found by its UID in any case.",
    program:
      "`identities remap` treats such a UID as taken, and orders its changes accordingly; an identity counts as changed " +
      "only if it has the new UID as it was sent.",
  },
  {
    id: "saml-uid-untrusted",
    area: "saml",
    documents: "A change of the UID of a SAML identity changes nothing else.",
    instances:
      "They send the user an e-mail, and newer ones refuse the sign-in through the identity provider from then on, also " +
      "after the old UID is given back, until the user signs in another way and links the account again. No request shows it.",
    program:
      "`saml identities update` warns of it, and its undo line says so; `saml identities remap` says so in its question, or " +
      "warns with `--yes` and in a dry run.",
  },
  {
    id: "saml-link-provider",
    area: "saml",
    documents: "A SAML group link is identified by its name.",
    instances:
      "If an instance has several SAML providers, two links may have one name; `provider` distinguishes them, and is optional.",
    program: "`saml links get|add|remove --provider`, and a column.",
    seenIn: [{ paths: ["/saml_group_links", ":saml_group_name"], unknown: ["provider"] }],
  },
  {
    id: "saml-link-role",
    area: "saml",
    documents: "`member_role_id` of a SAML or LDAP link is stored, and answered.",
    instances:
      "It is dropped unless custom roles are enabled, and is missing in answers then. The level of a link with a role is that " +
      "of the role: a SAML link gets it, whatever is sent, and an LDAP link with another one is a 409.",
    program:
      "`saml links add` and `ldap links add` are exit 9 if the answer does not show the role, or another level. A plan " +
      "warns before it replaces a link with a role for another level, and has a row `?` for a field that no answer shows.",
  },
  {
    id: "saml-link-unshown",
    area: "saml",
    documents: "A SAML group link has a name, a level, and a role.",
    instances:
      "It also belongs to a group of SCIM, and may assign seats, which no request shows or takes. With the last link of a " +
      "name, newer ones forget the group and its members in SCIM.",
    program: "`saml links remove`, its undo line, plans that replace a link, and rollbacks that add one again say so.",
  },
  {
    id: "links-remove-members",
    area: "saml",
    documents: "What a SAML or an LDAP group link does to the members that a group has already is not said.",
    instances:
      "From a group's first link on, a member who is in none of its linked groups is removed at the next sign-in " +
      "through the identity provider (of a top-level group of the hosted offering, reduced to its default role), or the " +
      "next synchronization with the LDAP server, and any other gets the level of the link. Members whom the last SAML " +
      "link added stay.",
    program:
      "`saml links add` and `ldap links add` read the links first, and warn of the first one, and so does a plan; their " +
      "undo lines say that lost members do not come back. `saml links remove` says in its question, and a plan, who stays.",
  },
  {
    id: "ldap-no-links",
    area: "ldap",
    documents: "A group without LDAP links has an empty list.",
    instances: "It is 404 with a message.",
    program: "That message is an empty list, exit 0; any other 404 is an error.",
    seenIn: [{ paths: ["/ldap_group_links"], status: 404, says: /linked/i }],
  },
  {
    id: "ldap-members-stay",
    area: "ldap",
    documents: "Of the members whom a removed LDAP link had added, nothing is said.",
    instances: "They stay, if no other link of its server is left in the group: no synchronization looks at it.",
    program: "`ldap links remove` says so in its question and its help, and a plan that removes a link.",
  },
  {
    id: "short-words",
    area: "all",
    documents: "`search` finds parts of names.",
    instances:
      "A word of fewer than three characters is ignored beside others, and alone finds only what it is the whole name of, " +
      "or nothing.",
    program: "`users list`, `projects list`, and `groups list` warn of such words.",
  },
  {
    id: "no-dots-in-paths",
    area: "all",
    documents: "A group's path and a username can be given in place of the ID.",
    instances: "Names with a dot do not work in `/users/:id/events` and the routes of SAML and LDAP links.",
    program: "Such a path or name is looked up first, and its ID is sent.",
  },
  {
    id: "user-filters-dropped",
    area: "users",
    documents: "`created_after` and `created_before` are for all users; other filters are for administrators.",
    instances:
      "They and most filters for administrators are silently ignored for other users; with Admin Mode, also for an " +
      "administrator's token without the scope `admin_mode`. A filter that their release or edition does not have, such as " +
      "`auditors`, is ignored for all.",
    program:
      "If one that selects users is used, `users list` checks whether the caller is an administrator and is shown " +
      "what only administrators see, and refuses (exit 5) before the first row; an order is only warned of. A user whom a " +
      "filter would leave out ends the list (exit 9).",
  },
  {
    id: "blocked-users-hidden",
    area: "users",
    documents: "`blocked` and `exclude_active` are for all users.",
    instances:
      "Blocked and banned users are in no list of a user who is not an administrator, nor found by their username; " +
      "an auditor, or a token without the scope `admin_mode` under Admin Mode, gets none either.",
    program:
      "`users list --blocked` and `--exclude-active` first check whether the instance lists a blocked user; if it " +
      "lists none, and the caller has no administrator's rights, they are refused (exit 5). An empty list for " +
      "`--username` or `--search` has a warning then.",
  },
  {
    id: "commit-refusal-sentence",
    area: "files",
    documents: "A commit that fails for any reason is a 400 with an unspecific message.",
    instances:
      "The 400 names the reason: no right to push, no such branch or file, a file that exists, a concurrent push.",
    program:
      "The instance's message is the reason; the state of the branch is the hint. Exit 6 if the message reports a concurrent push.",
  },
  {
    id: "delete-guard-ignored",
    area: "files",
    documents: "`last_commit_id` protects a file from deletion after a newer commit.",
    instances: "A deletion ignores the parameter: the file is deleted, whatever its last commit.",
    program: "`files delete --last-commit-id` compares before it sends anything (exit 6); the parameter is sent too.",
  },
  {
    id: "tag-before-branch",
    area: "files",
    documents: "`ref` is the name of a branch, tag, or commit.",
    instances: "Of a tag and a branch of the same name, it is the tag; `refs/heads/<branch>` is the branch.",
    program: "What a commit to a branch reads before and after it is read by the full name.",
  },
  {
    id: "lfs-stored-as-pointer",
    area: "files",
    documents: "A commit stores the content that is sent.",
    instances:
      "For a path with `filter=lfs` in `.gitattributes`, they put the content into large file storage (LFS) and commit a " +
      "pointer to it; older ones only when the file is created.",
    program: "A pointer to the content that is sent counts as this content; undo lines download with `--lfs`.",
  },
  {
    id: "line-breaks-stored-as-lf",
    area: "files",
    documents: "A commit stores the content that is sent.",
    instances:
      "They store LF for the CRLF of a text, in every line, unless `.gitattributes` has `-text` (or `binary`) for the path.",
    program:
      "The same text with LF counts as this content, unless a `.gitattributes` in a folder of the path says `-text`, or a lost " +
      "`files update` would be proved by it alone; a warning after the commit says that LF is stored, `files edit` says so before too.",
  },
  {
    id: "text-shown-converted",
    area: "files",
    documents: "`content` is the file's content, and `content_sha256` its digest.",
    instances:
      "Of a text that is not UTF-8, both are of its conversion to UTF-8, in which letters may be missing; `size`, " +
      "`blob_id`, and the raw content are of the file itself.",
    program:
      "Contents are compared by size, and by `content_sha256` or `blob_id`; `files edit` refuses such a text. `files cat` " +
      "and `download` get the file itself, `files get` the conversion.",
  },
  {
    id: "update-guard-passes",
    area: "files",
    documents: "`last_commit_id` protects a file from an update after a newer commit.",
    instances:
      "Newer ones compare the file with what it was at that commit; if there is no such commit, or it has no such file, " +
      "the update is made.",
    program: "`files update --last-commit-id` looks for the file at that commit first (exit 6).",
  },
  {
    id: "merge-request-discussions",
    area: "discussions",
    documents: "Discussions of merge requests are not documented.",
    instances: "They work like those of issues, and can be resolved; a reply needs no `note_id`.",
    program: "`discussions … --mr`, `discussions resolve` and `unresolve`.",
  },
  {
    id: "commands-delete-note",
    area: "notes",
    documents: "A change of a note's text answers the note.",
    instances:
      "If the new text is only commands, such as `/close`, they run them and delete the note: 202 with `commands_changes`, " +
      "or 400 if they say nothing of it.",
    program: "It asks first (exit 2 without a terminal and `--yes`), and says that the note was deleted, or may be.",
  },
  {
    id: "commands-not-applied",
    area: "notes",
    documents: "A text of only commands answers their effects.",
    instances:
      "A command that the token may not run, or that the state of the item or a newer commit forbids, is 202 as well: with " +
      "`summary` (`Could not apply close command.`) and an empty `commands_changes`; older releases answer a note without an " +
      "ID. Some (`/approve`, `/move`) change no field that is shown, and a new discussion shows none at all. A comment beside " +
      "a command with an invalid value is stored, and answered with 400. Older releases answer a thread of only commands with 400, and apply them.",
    program:
      "It is exit 9 with the summary if the field of a command such as `/label`, `/assign`, `/close`, or `/merge` is missing, " +
      "or, but for `/merge`, null (`/estimate` of a time that cannot be read), or if the summary says in English that " +
      "something was not done, or says of none that it was. Beside the comment of a new discussion, the commands are not " +
      "checked. After such a 400 the comment may be stored, or the commands applied.",
  },
  {
    id: "commands-in-text",
    area: "notes",
    documents: "Of commands in the text of a note, only `/merge` is mentioned.",
    instances:
      "Each line that is a command they know (`/close`, `/label ~bug`) is run with the token's rights, and left out of the stored " +
      "text, unless it is between lines of three backticks.",
    program:
      "A warning names such lines if there is other text. For `notes upsert` a stored text without them is unchanged, so that they " +
      "run once.",
  },
  {
    id: "notes-in-threads",
    area: "notes",
    documents: "Notes in threads are not among the notes of an issue or a merge request.",
    instances:
      "They are, with their `type` (`DiscussionNote`, `DiffNote`), and are changed and deleted like the others.",
    program:
      "The help of `notes list` says so, and how they are left out. If they are missing, an error names the thread.",
  },
  {
    id: "note-internal-renamed",
    area: "notes",
    documents: "`internal` makes a new note visible only to Reporters and higher roles.",
    instances: "Releases before 15.5 know it as `confidential`, and drop `internal`: the note is public.",
    program:
      "`notes create --internal` sends both, and compares the answer: a public note is an error (exit 9) that says so " +
      "and names the command that deletes it.",
  },
  {
    id: "note-visibility-fixed",
    area: "notes",
    documents: "`confidential` changes the visibility of a note.",
    instances: "A change of it is refused with 400, with the new text of the same request.",
    program: "`notes update` says so in its help.",
  },
  {
    id: "protected-rule-subject",
    area: "envs",
    documents: "A rule is removed with its `id` and `_destroy`.",
    instances: "An element of `approval_rules` needs a subject too, else the whole request is 400.",
    program: "`envs update|apply` and `state apply` read the rule first, and send its subject.",
  },
  {
    id: "protected-rule-defaults",
    area: "envs",
    documents: "An element with an `id` changes that rule.",
    instances:
      "The number of approvals that is left out becomes 1, and a subject that is left out stays beside the new one.",
    program: "What a rule keeps is sent with its change, the other subjects as null, and the answer is compared.",
  },
  {
    id: "protected-rule-dropped",
    area: "envs",
    documents: "Each user and group of a rule must have access to the project.",
    instances: "Of those without, the rule is left out, and the rest is stored: 200, or 201.",
    program: "The answer is compared with what was sent: exit 9, with the rules that are missing.",
  },
  {
    id: "approvals-end-with-rule",
    area: "envs",
    documents: "What becomes of approvals that were given under a removed rule is not said.",
    instances:
      "Approvals and rejections of deployments that wait belong to a rule. With the rule, or the protection, they no " +
      "longer count, even if it is added again; they still count if the rule gets another user, group, or level.",
    program:
      "`envs unprotect` says so in its question, `envs update --remove-approval` and plans warn; their undo lines " +
      "say that they do not come back.",
  },
  {
    id: "approval-count-ignored",
    area: "envs",
    documents: "What `required_approval_count` means beside approval rules is not said.",
    instances:
      "Where there are approval rules, they alone count. Release 17.0 made rules of the numbers that were stored, and still " +
      "shows these; newer ones require no approval where there are no rules, whatever the number.",
    program:
      "`envs audit` and `audit` go by the rules. Without rules the number counts before release 17; from then on, and where " +
      "the release is not shown, whether an approval is required is unknown.",
  },
  {
    id: "environment-dots",
    area: "envs",
    documents: "An environment is changed by its name.",
    instances:
      "Some releases read what follows a dot in the name as a format: PUT of `prod.eu` changes the environment `prod`, or is " +
      "404.",
    program:
      "`envs update|apply` and `state apply` look first, and send nothing if both are protected; a 404 names the cause.",
  },
  {
    id: "raw-in-artifacts",
    area: "artifacts",
    documents: "A file of a ref's artifacts is named by the ref and the path, with `/raw/` between them.",
    instances:
      "The name of the ref ends at the last `/raw/`: `main/raw/data/raw/x.yml` is `x.yml` of a tag `main/raw/data`; a path that " +
      "ends in `/download` is the whole archive of such a ref. Encoded slashes are read as part of the path.",
    program: "`artifacts cat --ref` encodes the slashes of such a path, and refuses `download` without one.",
  },
  {
    id: "link-dots",
    area: "saml",
    documents: "A SAML link is read and removed by its name, an LDAP link by its CN in the path.",
    instances:
      "What follows a dot in it is read as a format: GET of `Team.Leads` shows the link `Team`, DELETE removes that one, or both " +
      "are 404. So it is with the custom header of a webhook that is removed by its name.",
    program:
      "`saml links get` takes no other link for the one that was named; `saml links remove`, `ldap links remove --legacy`, " +
      "`hooks update --remove-header`, and `state apply` look first, and do not send what would remove another one.",
  },
  {
    id: "note-in-any-discussion",
    area: "discussions",
    documents: "A note is changed and deleted in its discussion.",
    instances: "The discussion in the path is ignored: a note of any other one of the same item is changed or deleted.",
    program:
      "`discussions update` and `discussions delete` look first whether the discussion has the note: exit 3, with " +
      "nothing sent.",
  },
  {
    id: "resolving-merges",
    area: "discussions",
    documents: "To resolve a discussion changes nothing else.",
    instances:
      "Once the last open thread is resolved, they merge a merge request that is set to merge automatically and waited " +
      "for that only.",
    program: "The help of `discussions resolve` says so, and its undo line that a merge stays.",
  },
  {
    id: "comment-not-resolvable",
    area: "discussions",
    documents: "No request resolves a discussion.",
    instances:
      "`PUT …/merge_requests/:merge_request_iid/discussions/:discussion_id` does; for a single comment it is 403.",
    program: "`discussions resolve` names that cause beside the role.",
  },
  {
    id: "notes-activity-filter",
    area: "notes",
    documents: "Lists of notes take `sort` and `order_by`.",
    instances: "They also take `activity_filter`: notes by users, by the instance, or both.",
    program: "`notes list --activity comments|history|all`.",
  },
  {
    id: "rate-limit-without-time",
    area: "all",
    documents: "A 429 may have `Retry-After`.",
    instances:
      "Limits of requests per minute or longer send none on older releases; newer ones send the whole interval of the " +
      "limit, such as 60.",
    program: "The request is retried after that time, or after about a minute, with a notice.",
  },
];
