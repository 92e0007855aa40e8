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
    id: "release-and-own-token",
    area: "auth",
    documents: "No request shows an instance's release, or a token's scopes and expiry.",
    instances:
      "`GET /metadata` shows the release, `GET /personal_access_tokens/self` the token's scopes and expiry date, and " +
      "`GET /job` the job of a job token.",
    program: "`auth status` and `doctor` show them; if an instance does not answer, they are left out.",
  },
  {
    id: "numeric-project-id",
    area: "job-token",
    documents: "A project is given by ID or path in every route.",
    instances: "The four writes to the job token allowlists accept only a numeric ID, and answer 400 to a path.",
    program: "A path is looked up first; if the instance cannot look projects up, the path is sent.",
  },
  {
    id: "job-token-permissions",
    area: "job-token",
    documents: "An entry of an allowlist is a project or a group.",
    instances:
      "Since release 17.10 it has permissions too, which the API neither shows nor takes: all, if it is added.",
    program:
      "The removal, its undo line, and `state rollback` say that an entry that is added again has all permissions.",
  },
  {
    id: "group-export-once-a-minute",
    area: "groups",
    documents: "The archive of a group's export can be downloaded, and polled for, at any time.",
    instances: "One such request per minute is allowed; any other is 429, without `Retry-After`.",
    program:
      "`groups export --wait` treats a 429 as not ready yet, and from the first one on polls every 61 seconds; a dry run " +
      "does not poll.",
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
    id: "relation-export-reused",
    area: "relations",
    documents: "`POST /projects/:id/export_relations` schedules an export of every relation.",
    instances:
      "A relation whose export ended less than three minutes before is not exported again, one that the release no " +
      "longer exports keeps its old status, and a status may be -2 (pending).",
    program:
      "A wait that sees no change uses the export that exists, and leaves out what is no longer exported, with a notice; " +
      "after a timeout the error names `--latest`.",
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
    id: "direct-transfer-off",
    area: "relations",
    documents: "Exports of relations are always available.",
    instances:
      "All of its requests are 404 while the setting `bulk_import_enabled` (direct transfer) is off, which is the default.",
    program: "A 404 names the setting and the command that turns it on.",
  },
  {
    id: "client-key-dsn",
    area: "errors",
    documents: "The DSN of an error tracking key is in `tracker_dsn`.",
    instances: "It is in `sentry_dsn`.",
    program: "It is read from any field that ends in `_dsn`, always shown as `tracker_dsn`, and masked under any name.",
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
    id: "hook-more-events",
    area: "hooks",
    documents: "A hook has 18 kinds of events.",
    instances: "It has more, such as `milestone_events`, and those that are off may be null.",
    program:
      "`--events` takes `milestone`, `project`, and `vulnerability` too; `none` and `all` mean every flag of the " +
      "existing hook; in `state`, null is off.",
  },
  {
    id: "hook-delete-and-test",
    area: "hooks",
    documents: "No request deletes a hook or tests it.",
    instances: "`DELETE /groups/:id/hooks/:hook_id` and `POST …/test/:trigger`.",
    program: "`hooks delete` and `hooks test` send them, and say so if an instance may lack them.",
  },
  {
    id: "settings-secrets-shown",
    area: "settings",
    documents: "Secret settings are not returned, and all settings are documented by name.",
    instances: "Secrets are returned decrypted, also under other names, and in addresses with a user and password.",
    program:
      "Values that are secret by name, and credentials in addresses, are hidden, and left out of files; " +
      "`--reveal` shows it.",
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
    instances: "The other setting must be in the same request, even if it is empty or already set.",
    program: "Its current value is sent too, with a notice; one that has no value must be given.",
  },
  {
    id: "lists-without-pages",
    area: "all",
    documents: "Lists are paginated with `page` and `per_page`.",
    instances: "Some lists ignore both, return all rows, and send no paging headers.",
    program:
      "An answer without paging headers, with more rows than requested, or equal to the previous page is the whole list.",
  },
  {
    id: "offset-limit",
    area: "users",
    documents: "`page` has no upper bound.",
    instances: "Pages past 50,000 rows are refused with 405.",
    program:
      "`users list` continues by cursor if it is ordered by ID, `events calendar` by day; other lists end with the advice to filter.",
  },
  {
    id: "saml-links-401",
    area: "saml",
    documents: "A group that does not exist is 404, a missing right 403.",
    instances: "SAML group links answer 401 to both.",
    program: "The error says so, and does not report an invalid token.",
  },
  {
    id: "saml-no-provider",
    area: "saml",
    documents: "The list of SAML identities is 200.",
    instances: "It is 400 without a reason if the group has no SAML provider.",
    program: "The error gives that reason.",
  },
  {
    id: "uids-without-case",
    area: "saml",
    documents: "UIDs that differ only in case are not mentioned.",
    instances: "A new UID of a SAML or SCIM identity is refused if another UID differs from it only in case.",
    program: "`identities remap` treats such a UID as taken, and orders its changes accordingly.",
  },
  {
    id: "saml-link-provider",
    area: "saml",
    documents: "A SAML group link is identified by its name.",
    instances: "If an instance has several SAML providers, `provider` distinguishes links of the same name.",
    program: "`saml links get|add|remove --provider`, and a column.",
  },
  {
    id: "ldap-no-links",
    area: "ldap",
    documents: "A group without LDAP links has an empty list.",
    instances: "It is 404 with a message.",
    program: "That message is an empty list, exit 0; any other 404 is an error.",
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
    instances: "They and most filters for administrators are silently ignored for other users.",
    program:
      "If one that selects users is used, `users list` checks whether the caller is an administrator, and refuses " +
      "(exit 5) before the first row; an order is only warned of.",
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
    id: "merge-request-discussions",
    area: "discussions",
    documents: "Discussions of merge requests are not documented.",
    instances: "They work like those of issues, and can be resolved; a reply needs no `note_id`.",
    program: "`discussions … --mr`, `discussions resolve` and `unresolve`.",
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
    instances: "Per-minute limits send none.",
    program: "The request is retried after about a minute, with a notice.",
  },
];
