/**
 * One way in which real instances answer otherwise than the API documents say. What the program does about it is code
 * that names the difference's `id`; `sandbox start --as-deployed` answers as `instances` says.
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

/** All that are known, by area and by harm. */
export const differences: readonly Difference[] = [
  {
    id: "project-and-group-lookup",
    area: "all",
    documents: "Neither a project nor a group can be looked up.",
    instances: "`GET /projects/:id` and `GET /groups/:id` answer with ID, path, and a few fields more.",
    program:
      "A path is turned into an ID with them where an ID is needed; where they do not answer, the ID is asked for.",
  },
  {
    id: "release-and-own-token",
    area: "auth",
    documents: "Nothing says which release an instance is, nor what a token may do and until when.",
    instances:
      "`GET /metadata` has the release, `GET /personal_access_tokens/self` the token's scopes and last day, and " +
      "`GET /job` the job of a job token.",
    program: "`auth status` and `doctor` show them; where an instance does not answer, they are left out.",
  },
  {
    id: "numeric-project-id",
    area: "job-token",
    documents: "A project is given by ID or path in every route.",
    instances: "The four writes to the job token allowlists take a number only, and answer 400 to a path.",
    program: "A path is looked up first; where the instance does not look projects up, it is sent as it is.",
  },
  {
    id: "group-export-once-a-minute",
    area: "groups",
    documents: "The archive of a group's export can be downloaded, and looked for, at any time.",
    instances: "One such request a minute is allowed; any other is 429, without `Retry-After`.",
    program:
      "`groups export --wait` takes a 429 for not yet, and from the first one on looks once in 61 seconds; nothing is " +
      "looked for in a dry run.",
  },
  {
    id: "artifacts-of-recent-pipelines",
    area: "artifacts",
    documents: "Artifacts by ref are those of its latest successful pipeline, or none.",
    instances: "With `search_recent_successful_pipelines=true` several of the latest are looked through.",
    program: "`artifacts download` and `artifacts cat` send it with `--search-recent`.",
  },
  {
    id: "artifacts-not-found",
    area: "artifacts",
    documents: "A 404 of artifacts does not say whether the pipeline, the job, or the file is missing.",
    instances: "`GET /projects/:id/pipelines`, `…/pipelines/:pipeline_id/jobs`, and `…/jobs/:job_id` tell.",
    program:
      "After a 404 `artifacts download` and `artifacts cat` ask them, and name what is missing; where they do not answer, " +
      "the error names both.",
  },
  {
    id: "artifacts-while-counted",
    area: "artifacts",
    documents: "Artifacts can be deleted at any time.",
    instances: "While a project's statistics are counted anew, deletions of a job's artifacts or of all are 409.",
    program: "The error is a conflict (exit 6) that says to try again shortly, and is `retryable`.",
  },
  {
    id: "job-as-an-object",
    area: "artifacts",
    documents: "A refusal has a sentence.",
    instances: "Some sentences hold the inner life of an object, such as `#<Project id:7>`.",
    program: "It is left out.",
  },
  {
    id: "relation-status-object",
    area: "relations",
    documents: "The status of an export with `relation` is a list.",
    instances: "It is one object, and 404 where that relation was never exported; older ones leave the filter out.",
    program: "It takes an object and a list, and leaves other relations out.",
  },
  {
    id: "relation-archives",
    area: "relations",
    documents: "An exported relation is gzip-compressed NDJSON.",
    instances:
      "`repository`, `design`, `uploads`, and `lfs_objects` are a tar compressed with gzip, and not in batches.",
    program: "They are saved as `.tar.gz`; `relations pull` checks that the gzip is whole, and counts no lines.",
  },
  {
    id: "direct-transfer-off",
    area: "relations",
    documents: "Exports of relations are always served.",
    instances: "All of it is 404 while the setting `bulk_import_enabled` (direct transfer) is off, as it is at first.",
    program: "A 404 names the setting and the command that turns it on.",
  },
  {
    id: "client-key-dsn",
    area: "errors",
    documents: "The DSN of an error tracking key is in `tracker_dsn`.",
    instances: "It is in `sentry_dsn`.",
    program:
      "It is taken from whichever field ends in `_dsn`, is always shown as `tracker_dsn`, and is masked under any name.",
  },
  {
    id: "error-settings-refusal",
    area: "errors",
    documents: "PUT and PATCH of error tracking settings answer 200 with the settings.",
    instances: 'A refused change is 200 too, with `{status: "error", message, http_status}`.',
    program: "It fails with that message, and with the exit code of that status (of 400 where there is none).",
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
    documents: "What a change of a hook does not give stays as it is.",
    instances:
      "A new URL drops the token unless the same request gives one, all custom headers, also those of the same " +
      "request, and the URL variables.",
    program:
      "`hooks update --url` sends the token along and the headers again in a second request, and asks before it drops " +
      "what is not given again.",
  },
  {
    id: "hook-headers-merged",
    area: "hooks",
    documents: "`custom_headers` is the list of a hook's headers.",
    instances: "Headers given are set, the others stay; one is removed with a request of its own.",
    program:
      "`hooks update --header` looks at the hook's headers first, asks before those that are not given may be lost, " +
      "and says what became of them; `--remove-header` sends the request of its own.",
  },
  {
    id: "hook-delete-and-test",
    area: "hooks",
    documents: "No request deletes a hook or tests it.",
    instances: "`DELETE /groups/:id/hooks/:hook_id` and `POST …/test/:trigger`.",
    program: "`hooks delete` and `hooks test` send them, and say where an instance may lack them.",
  },
  {
    id: "settings-secrets-shown",
    area: "settings",
    documents: "Secrets among the settings are not answered, and all settings have a name in the documents.",
    instances: "Secrets are answered decrypted, also under other names, and in addresses with a user and password.",
    program:
      "What is secret by its name, or stands before the host of an address, is hidden, and left out of files; " +
      "`--reveal` shows it.",
  },
  {
    id: "settings-passed-over",
    area: "settings",
    documents: "A setting that is sent is set.",
    instances: "One that the instance does not have is passed over; where it has none, the 400 lists all of its own.",
    program: "What was not taken is an error that names it, and nothing else; unknown names are refused before.",
  },
  {
    id: "settings-companions-sent",
    area: "settings",
    documents: "Some settings require another to have a value.",
    instances: "It has to be in the same request, be it empty, and be it held already.",
    program: "It is sent along as it is in force, and that is said; what has no value is asked for.",
  },
  {
    id: "lists-without-pages",
    area: "all",
    documents: "Lists are paginated with `page` and `per_page`.",
    instances: "Some lists ignore both, answer with all rows, and send no paging headers.",
    program:
      "An answer without paging headers, with more rows than were asked for, or equal to the page before is the list.",
  },
  {
    id: "offset-limit",
    area: "users",
    documents: "`page` has no upper bound.",
    instances: "Pages past 50,000 rows are refused with 405.",
    program:
      "`users list` goes on by cursor where it is ordered by ID, `events calendar` by day; other lists end with the advice to filter.",
  },
  {
    id: "saml-links-401",
    area: "saml",
    documents: "A group that does not exist is 404, a missing right 403.",
    instances: "SAML group links answer 401 to both.",
    program: "The error says so, and does not blame the token.",
  },
  {
    id: "saml-no-provider",
    area: "saml",
    documents: "The list of SAML identities is 200.",
    instances: "It is 400 without a reason where the group has no SAML provider.",
    program: "The error gives that reason.",
  },
  {
    id: "uids-without-case",
    area: "saml",
    documents: "Nothing is said of UIDs that differ in case only.",
    instances: "A new UID of a SAML or SCIM identity is refused where another's differs from it in case only.",
    program: "`identities remap` takes such a UID for taken, and orders its changes by that.",
  },
  {
    id: "saml-link-provider",
    area: "saml",
    documents: "A SAML group link is known by its name.",
    instances: "Where an instance has several SAML providers, links of one name are told apart by `provider`.",
    program: "`saml links get|add|remove --provider`, and a column.",
  },
  {
    id: "ldap-no-links",
    area: "ldap",
    documents: "A group without LDAP links has an empty list.",
    instances: "It is 404 with a sentence.",
    program: "That sentence is an empty list, exit 0; any other 404 is an error.",
  },
  {
    id: "no-dots-in-paths",
    area: "all",
    documents: "A group's path and a username can stand for the ID.",
    instances: "Not one with a dot in `/users/:id/events` and the routes of SAML and LDAP links.",
    program: "Such a path or name is looked up first, and its ID is sent.",
  },
  {
    id: "user-filters-dropped",
    area: "users",
    documents: "`created_after` and `created_before` are for everybody; other filters are for administrators.",
    instances: "They and most filters for administrators are ignored without a word for anybody else.",
    program: "Where one is used, `users list` looks at who the caller is, and warns.",
  },
  {
    id: "commit-refusal-sentence",
    area: "files",
    documents: "A commit that fails for any reason is a 400 with a non-specific message.",
    instances: "The 400 says which: no right to push, no such branch or file, a file that exists, a push in between.",
    program:
      "The instance's sentence is the reason; what the branch shows is the hint. Exit 6 where the sentence tells of a push in between.",
  },
  {
    id: "delete-guard-ignored",
    area: "files",
    documents: "`last_commit_id` guards the deletion of a file.",
    instances: "A deletion has no such parameter: the file goes, whatever its last commit.",
    program: "`files delete --last-commit-id` compares before it sends anything (exit 6); the parameter is sent too.",
  },
  {
    id: "merge-request-discussions",
    area: "discussions",
    documents: "Discussions of merge requests are not shown.",
    instances: "They are like those of issues, and can be resolved; a reply needs no `note_id`.",
    program: "`discussions … --mr`, `discussions resolve` and `unresolve`.",
  },
  {
    id: "notes-activity-filter",
    area: "notes",
    documents: "Lists of notes take `sort` and `order_by`.",
    instances: "They take `activity_filter` too: what people wrote, what the instance wrote, or both.",
    program: "`notes list --activity comments|history|all`.",
  },
  {
    id: "rate-limit-without-time",
    area: "all",
    documents: "A 429 may come with `Retry-After`.",
    instances: "Limits that count by the minute send none.",
    program: "The request is repeated after about a minute, which is announced.",
  },
];
