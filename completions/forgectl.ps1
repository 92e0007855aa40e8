# PowerShell completion for forgectl; written from its commands by "npm run generate".
# Load it from $PROFILE with: forgectl completion powershell | Out-String | Invoke-Expression

function __forgectl_children([string] $At) {
  switch -CaseSensitive -Exact ($At) {
    '' { return @(
      'auth Sign in and out, and see who is signed in where'
      'profiles Stored profiles: instances and how to reach them'
      'registry Container registry: repositories, tags, tokens'
      'job-token Who reaches a project with job tokens'
      'files Files of repositories'
      'artifacts Artifacts of CI/CD jobs'
      'uploads Files uploaded for use in Markdown'
      'errors Error tracking of a project'
      'envs Protected environments of a project'
      'relations Exports of a project''s relations, for migration'
      'notes Comments on issues, merge requests, snippets, and epics'
      'discussions Threads on issues, merge requests, snippets, and epics'
      'users Users of the instance'
      'events Activity of users and projects'
      'hooks Webhooks of a group'
      'saml SAML identities and group links of a group'
      'scim SCIM identities of a group'
      'ldap LDAP group links of a group'
      'projects Projects: what there is to be named'
      'groups Groups: what there is, exports, and imports'
      'settings Application settings of the instance'
      'each Run a command once for each project or group of a file'
      'batch Run many commands in one process, several at once'
      'state Configuration as code: one file for an instance, planned, applied, rolled back'
      'api Send any request'
      'sandbox An embedded platform on loopback, with demo data'
      'completion Print the completion script of a shell'
      'commands List every command, with all its details in JSON'
      'help Help on a command or a topic'
    ) }
    'auth' { return @(
      'login Sign in: check a token, and store it with the instance''s address'
      'status Show who is signed in where, and whether it works'
      'token Print the token in force, for other tools'
      'logout Forget a profile''s token'
    ) }
    'profiles' { return @(
      'list List the stored profiles'
      'show Show a stored profile'
      'use Choose the profile that is used when none is named'
      'set Set values of a profile, creating it if needed'
      'unset Remove values from a profile'
      'remove Remove a profile and forget its token'
      'path Print where the profiles are stored'
    ) }
    'registry' { return @(
      'list List the registry repositories of a project, or of a group''s projects'
      'get Get a registry repository'
      'delete Delete registry repositories with all of their tags'
      'visibility Set who may see a project''s container registry'
      'usage Show the repositories of a project or a group, largest first'
      'prune Delete tags by rule in every repository of a project or a group'
      'tags Tags of a registry repository'
      'token Get a token for the container registry'
      'catalog List every repository of the container registry'
      'manifests Images in the registry''s own API'
    ) }
    'registry tags' { return @(
      'list List the tags of a registry repository'
      'get Get the details of a registry tag'
      'delete Delete a registry tag'
      'prune Delete the tags that a pattern matches, but for those that other rules keep'
    ) }
    'registry manifests' { return @(
      'delete Delete a tag of an image in the registry itself'
    ) }
    'job-token' { return @(
      'get Get a project''s job token access settings'
      'limit Limit access by job tokens to the allowlists, or open it to all projects'
      'projects Projects on the allowlist'
      'groups Groups on the allowlist'
      'plan Show what a file would change'
      'apply Make what is in force what a file says'
      'audit Show which projects job tokens reach from everywhere, and the allowlists of the others'
    ) }
    'job-token projects' { return @(
      'list List the projects whose job tokens have access'
      'add Give a project''s job tokens access'
      'remove Take access from a project''s job tokens'
    ) }
    'job-token groups' { return @(
      'list List the groups whose projects'' job tokens have access'
      'add Give the job tokens of a group''s projects access'
      'remove Take access from the job tokens of a group''s projects'
    ) }
    'files' { return @(
      'get Get a file with its metadata'
      'stat Get the metadata of a file without its content'
      'cat Print a file''s content'
      'download Save a file''s content'
      'blame Show which commit each line of a file comes from'
      'create Create a file with a commit'
      'update Replace a file''s content with a commit'
      'put Make a file have this content: create or update it, as needed'
      'delete Delete a file with a commit'
    ) }
    'artifacts' { return @(
      'download Download the artifacts archive of a job'
      'list List the files in the artifacts of a job'
      'cat Print one file from the artifacts of a job'
      'keep Keep the artifacts of a job from expiring'
      'delete Delete the artifacts of a job'
      'purge Delete all deletable artifacts of a project'
    ) }
    'uploads' { return @(
      'create Upload files for use in Markdown'
      'list List the uploads of a project or a group, newest first'
      'download Download an upload of a project or a group'
      'delete Delete uploads of a project or a group'
      'prune Delete old uploads of a project or a group'
    ) }
    'errors' { return @(
      'settings Error tracking settings'
      'enable Turn a project''s configured error tracking on'
      'disable Turn a project''s configured error tracking off'
      'keys Keys with which SDKs send error events'
    ) }
    'errors settings' { return @(
      'get Get a project''s error tracking settings'
      'set Set up a project''s integrated error tracking'
    ) }
    'errors keys' { return @(
      'list List a project''s error tracking keys'
      'create Create an error tracking key'
      'delete Delete an error tracking key'
      'rotate Replace an error tracking key by a new one'
    ) }
    'envs' { return @(
      'list List a project''s protected environments'
      'get Get a protected environment'
      'protect Protect an environment'
      'update Change a protected environment''s rules'
      'unprotect Unprotect an environment'
      'plan Show what a file would change'
      'apply Make what is in force what a file says'
      'audit Find protected environments whose rules protect little'
    ) }
    'relations' { return @(
      'export Schedule an export of a project''s relations'
      'status Show how far the export of a project''s relations is'
      'download Download an exported relation of a project'
    ) }
    'notes' { return @(
      'list List the notes of an issue, merge request, snippet, or epic'
      'get Get a note, with the whole of its text'
      'create Comment on an issue, merge request, snippet, or epic'
      'update Change the text of a note, or who sees it'
      'upsert Keep one note for a key: create it, or change it if its text differs'
      'delete Delete notes'
    ) }
    'discussions' { return @(
      'list List the discussions of an issue, merge request, snippet, or epic'
      'get Get a discussion with all of its notes'
      'create Start a thread on an issue, merge request, snippet, or epic'
      'reply Reply in a discussion of an issue, merge request, or snippet'
      'update Change the text of a note in a discussion of an issue, merge request, or snippet'
      'delete Delete a note of a discussion of an issue, merge request, or snippet'
      'resolve Mark a discussion of a merge request as resolved'
      'unresolve Open a resolved discussion of a merge request again'
    ) }
    'users' { return @(
      'list List users'
      'get Get a user by ID or username'
      'report Show who has no second factor, is dormant, never signed in, is external, or is an administrator'
      'me Get the user this token belongs to'
    ) }
    'events' { return @(
      'list List what happened: your events, a user''s, or a project''s'
    ) }
    'hooks' { return @(
      'list List the webhooks of a group'
      'get Get a group webhook'
      'create Create a group webhook'
      'update Change a group webhook'
      'delete Delete a group webhook'
      'events List the deliveries of a group webhook, or show one in full'
      'resend Send deliveries of a group webhook again'
      'health Show how the webhooks of a group have fared in the past seven days'
      'test Send a test delivery of a group webhook'
    ) }
    'saml' { return @(
      'identities Accounts at a group''s SAML identity provider (hosted offering)'
      'links Groups of the identity provider whose members join a group'
    ) }
    'saml identities' { return @(
      'list List a group''s SAML identities'
      'get Get a SAML identity'
      'update Change the UID of a SAML identity'
      'delete Delete a SAML identity'
    ) }
    'saml links' { return @(
      'list List a group''s SAML group links'
      'get Get a SAML group link'
      'add Add a SAML group link'
      'remove Remove a SAML group link'
    ) }
    'scim' { return @(
      'identities Accounts that a group''s identity provider provisions (hosted offering)'
    ) }
    'scim identities' { return @(
      'list List a group''s SCIM identities'
      'get Get a SCIM identity'
      'update Change the UID of a SCIM identity'
      'delete Delete a SCIM identity'
    ) }
    'ldap' { return @(
      'links People of an LDAP server who join a group (self-managed)'
    ) }
    'ldap links' { return @(
      'list List a group''s LDAP group links'
      'add Add an LDAP group link'
      'remove Remove an LDAP group link'
    ) }
    'projects' { return @(
      'list List projects, or those of a group'
      'get Get a project by ID or path'
    ) }
    'groups' { return @(
      'list List groups'
      'get Get a group by ID or path'
      'export Export a group'
      'download Download the export of a group'
      'import Import a group from the archive of an export'
    ) }
    'settings' { return @(
      'list List the settings in force'
      'get Get the settings in force'
      'set Change settings of the instance'
      'explain Explain a setting, offline'
      'validate Check a settings file without an instance'
      'export Write the settings in force as a commented YAML file'
      'plan Show what a file would change'
      'apply Make what is in force what a file says'
      'rollback Bring back the settings that a run changed'
      'diff Compare the settings of two instances'
      'audit Hold the settings against hardening rules'
      'edit Edit the settings in an editor, and apply what was changed'
      'schema Print the JSON Schema of a settings file, for editors'
    ) }
    'state' { return @(
      'export Write what is in force as state files'
      'validate Check state files without an instance'
      'plan Show what apply would change'
      'apply Make the instance what the files say'
      'rollback Bring back what a run of apply changed'
      'history List the runs of apply and rollback on this machine'
      'show Show a saved plan, or a run, in full'
      'schema Print the JSON Schema of state files, for editors'
    ) }
    'sandbox' { return @(
      'start Start an embedded platform on loopback and keep it until Ctrl-C'
      'exec Run a command against a fresh sandbox'
    ) }
  }
}

function __forgectl_flags([string] $At) {
  switch -CaseSensitive -Exact ($At) {
    '' { return @(
      '--version Print the version'
      '-V Print the version'
    ) }
    'auth login' { return @(
      '--token-stdin Take the token from stdin'
      '--token-file Take the token from this file'
      '--token-command Run this command for the token, now and each time it is needed; nothing secret is stored'
      '--insecure-storage Keep the token in a file that only you can read, instead of the keyring'
    ) }
    'auth status' { return @(
      '--offline Send nothing: show only what is stored'
    ) }
    'profiles list' { return @(
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
    ) }
    'registry list' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--tags Include the tags'
      '--tags-count Include the number of tags'
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
    ) }
    'registry get' { return @(
      '--tags Include the tags'
      '--tags-count Include the number of tags'
      '--size Include the size (hosted offering only)'
    ) }
    'registry delete' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--wait Wait until they are gone'
      '--wait-timeout Seconds to wait at most, each'
    ) }
    'registry visibility' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
    ) }
    'registry usage' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--by What is largest (default size with --sizes, else tags)'
      '--sizes Add the sizes up from the tags: one request a tag'
    ) }
    'registry prune' { return @(
      '--delete-regex Names to delete; .* is all of them (required)'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--keep-regex Names to keep, whatever --delete-regex says'
      '--keep-n Keep this many of the newest that match, in each repository'
      '--older-than Delete only what is older: 1h, 1d, 2 weeks, 1month (30 days)'
      '--match Only repositories whose path fits; ** stands for anything'
      '--via One call a repository in the background, or one delete a tag'
      '--sizes Say how much the tags that go hold alone'
      '--journal Note what is done in this file, and leave it out when run again'
    ) }
    'registry tags list' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--keyset Walk by cursor: steady however long the list is, without a total (hosted offering only)'
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
    ) }
    'registry tags get' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
    ) }
    'registry tags delete' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
    ) }
    'registry tags prune' { return @(
      '--delete-regex Names to delete; .* is all of them (required)'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--keep-regex Names to keep, whatever --delete-regex says'
      '--keep-n Keep this many of the newest that match'
      '--older-than Delete only what is older: 1h, 1d, 2 weeks, 1month (30 days)'
      '--via One call in the background, or one delete a tag'
      '--repeat Go on until nothing is left that the rules select'
      '--wait-timeout With --repeat --via bulk: seconds to wait at most for the platform to delete'
    ) }
    'registry token' { return @(
      '--scope What the token is for (required)'
    ) }
    'registry catalog' { return @(
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
    ) }
    'registry manifests delete' { return @(
      '--legacy Use the older path, deprecated since release 16.4'
    ) }
    'job-token get' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
    ) }
    'job-token limit' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
    ) }
    'job-token projects list' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
    ) }
    'job-token projects add' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
    ) }
    'job-token projects remove' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
    ) }
    'job-token groups list' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
    ) }
    'job-token groups add' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
    ) }
    'job-token groups remove' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
    ) }
    'job-token plan' { return @(
      '--file State file, or folder of them; - is stdin (required)'
      '-f State file, or folder of them; - is stdin (required)'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--prune Remove what a declared list does not have'
      '--exit-code Exit 10 where something would change'
    ) }
    'job-token apply' { return @(
      '--file State file, or folder of them; - is stdin (required)'
      '-f State file, or folder of them; - is stdin (required)'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--prune Remove what a declared list does not have'
      '--max-delete How much of a list may be removed (default 30% of a list of 10 or more, 3 of a shorter one)'
      '--allow-lockout Make changes that are certain to lock the caller out'
    ) }
    'job-token audit' { return @(
      '--project This project'
      '-p This project'
      '--projects-file File with one project a line, by ID or path; - is stdin'
      '--exit-code Exit 10 where a project is open'
    ) }
    'files get' { return @(
      '--ref Branch, tag, or commit (required)'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
    ) }
    'files stat' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--ref Branch, tag, or commit; with --raw the project''s default branch unless given'
      '--blame Ask the endpoint of the blame'
      '--lines Only these lines, the first being 1'
      '--raw Ask the endpoint of the raw content'
      '--lfs With --raw: of the content kept in large file storage instead of the pointer to it'
    ) }
    'files cat' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--ref Branch, tag, or commit; the project''s default branch unless given'
      '--lfs The content kept in large file storage instead of the pointer to it'
    ) }
    'files download' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--ref Branch, tag, or commit; the project''s default branch unless given'
      '--lfs The content kept in large file storage instead of the pointer to it'
      '--output-file Save as this file; - is stdout (default the file''s own name)'
      '-O Save as this file; - is stdout (default the file''s own name)'
      '--force Replace the file if it exists; one that -O names is replaced in any case'
    ) }
    'files blame' { return @(
      '--ref Branch, tag, or commit (required)'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--lines Only these lines, the first being 1'
    ) }
    'files create' { return @(
      '--branch Branch to commit to (required)'
      '-b Branch to commit to (required)'
      '--message Commit message (required)'
      '-m Commit message (required)'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--author-name Author of the commit, unless it is you'
      '--author-email The author''s e-mail address'
      '--start-branch Make the branch first, from this one'
      '--content The content itself'
      '--from The content from this file, or from stdin'
      '--encoding How the content travels, encoded for you; base64 where it is not UTF-8'
      '--executable Make the file executable, or not'
      '--no-executable Make the file executable, or not'
    ) }
    'files update' { return @(
      '--branch Branch to commit to (required)'
      '-b Branch to commit to (required)'
      '--message Commit message (required)'
      '-m Commit message (required)'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--author-name Author of the commit, unless it is you'
      '--author-email The author''s e-mail address'
      '--start-branch Make the branch first, from this one'
      '--content The content itself'
      '--from The content from this file, or from stdin'
      '--encoding How the content travels, encoded for you; base64 where it is not UTF-8'
      '--executable Make the file executable, or not'
      '--no-executable Make the file executable, or not'
      '--last-commit-id Only if this is still the file''s last commit'
    ) }
    'files put' { return @(
      '--branch Branch to commit to (required)'
      '-b Branch to commit to (required)'
      '--message Commit message (required)'
      '-m Commit message (required)'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--author-name Author of the commit, unless it is you'
      '--author-email The author''s e-mail address'
      '--start-branch Make the branch first, from this one'
      '--content The content itself'
      '--from The content from this file, or from stdin'
      '--encoding How the content travels, encoded for you; base64 where it is not UTF-8'
      '--executable Make the file executable, or not'
      '--no-executable Make the file executable, or not'
    ) }
    'files delete' { return @(
      '--branch Branch to commit to (required)'
      '-b Branch to commit to (required)'
      '--message Commit message (required)'
      '-m Commit message (required)'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--author-name Author of the commit, unless it is you'
      '--author-email The author''s e-mail address'
      '--start-branch Make the branch first, from this one'
      '--last-commit-id Only if this is still the file''s last commit'
    ) }
    'artifacts download' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--job-id Artifacts of this job'
      '--ref Branch or tag whose latest successful pipeline is meant; with --job'
      '--job Name of the job in that pipeline'
      '--search-recent With --ref: look through several of the latest successful pipelines, not only the latest (beyond the API documents: an instance may look at the latest all the same)'
      '--job-token-query Send the job token in the query instead of a header (pipelines of several projects)'
      '--output-file Save as this file; - is stdout (default artifacts.zip)'
      '-O Save as this file; - is stdout (default artifacts.zip)'
      '--force Replace the file if it exists; one that -O names is replaced in any case'
      '--extract Unpack into this folder; with -O the archive is saved too'
    ) }
    'artifacts list' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--job-id Artifacts of this job'
      '--ref Branch or tag whose latest successful pipeline is meant; with --job'
      '--job Name of the job in that pipeline'
      '--search-recent With --ref: look through several of the latest successful pipelines, not only the latest (beyond the API documents: an instance may look at the latest all the same)'
      '--job-token-query Send the job token in the query instead of a header (pipelines of several projects)'
      '--match Only files whose path fits; ** stands for anything'
    ) }
    'artifacts cat' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--job-id Artifacts of this job'
      '--ref Branch or tag whose latest successful pipeline is meant; with --job'
      '--job Name of the job in that pipeline'
      '--search-recent With --ref: look through several of the latest successful pipelines, not only the latest (beyond the API documents: an instance may look at the latest all the same)'
      '--job-token-query Send the job token in the query instead of a header (pipelines of several projects)'
      '--output-file Save as this file; - is stdout (default stdout)'
      '-O Save as this file; - is stdout (default stdout)'
    ) }
    'artifacts keep' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
    ) }
    'artifacts delete' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
    ) }
    'artifacts purge' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
    ) }
    'uploads create' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
    ) }
    'uploads list' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
    ) }
    'uploads download' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--output-file Save as this file; - is stdout (default the upload''s name)'
      '-O Save as this file; - is stdout (default the upload''s name)'
      '--force Replace the file if it exists; one that -O names is replaced in any case'
    ) }
    'uploads delete' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--group Group, by ID or path'
      '-g Group, by ID or path'
    ) }
    'uploads prune' { return @(
      '--older-than Delete only what is older: 30d, 2 weeks, 1year (required)'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--match Only files whose name fits: *.log'
      '--keep-n Keep this many of the newest that fit'
    ) }
    'errors settings get' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
    ) }
    'errors settings set' { return @(
      '--active Turn error tracking on or off (required)'
      '--integrated Use the platform''s own tracker (required)'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
    ) }
    'errors enable' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--integrated Use the platform''s own tracker'
    ) }
    'errors disable' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--integrated Use the platform''s own tracker'
    ) }
    'errors keys list' { return @(
      '--reveal Show the DSN, which is a secret'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
    ) }
    'errors keys create' { return @(
      '--reveal Show the DSN, which is a secret'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
    ) }
    'errors keys delete' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
    ) }
    'errors keys rotate' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--dsn-file Write the new DSN to this file'
      '--reveal Show the new DSN'
      '--check Command that must succeed before the old key goes; it reads the new DSN from stdin'
    ) }
    'envs list' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
    ) }
    'envs get' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
    ) }
    'envs protect' { return @(
      '--allow Who may deploy (required)'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--approval Who has to approve, and how many of them (1 unless given)'
    ) }
    'envs update' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--allow Another who may deploy'
      '--approval Another who has to approve'
      '--remove-allow Remove this rule of who may deploy'
      '--remove-approval Remove this rule of who has to approve'
      '--set-allow Change this rule of who may deploy'
      '--set-approval Change this rule of who has to approve'
    ) }
    'envs unprotect' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
    ) }
    'envs plan' { return @(
      '--file State file, or folder of them; - is stdin (required)'
      '-f State file, or folder of them; - is stdin (required)'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--prune Remove what a declared list does not have'
      '--exit-code Exit 10 where something would change'
    ) }
    'envs apply' { return @(
      '--file State file, or folder of them; - is stdin (required)'
      '-f State file, or folder of them; - is stdin (required)'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--prune Remove what a declared list does not have'
      '--max-delete How much of a list may be removed (default 30% of a list of 10 or more, 3 of a shorter one)'
      '--allow-lockout Make changes that are certain to lock the caller out'
    ) }
    'envs audit' { return @(
      '--project This project'
      '-p This project'
      '--projects-file File with one project a line, by ID or path; - is stdin'
      '--exit-code Exit 10 where something is found'
    ) }
    'relations export' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--batched Split large relations into batches'
      '--wait Wait until every relation is finished, and show how it went'
      '--wait-timeout Seconds to wait at most'
    ) }
    'relations status' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--relation Only this relation'
      '--watch Wait until it is settled'
      '--wait-timeout Seconds to wait at most'
      '--since Only statuses changed after this time: those of a newer export (2026-01-31T08:00Z, 3h, 7d, yesterday)'
    ) }
    'relations download' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--batched From a batched export; needs --batch-number'
      '--batch-number Number of the batch, from 1; needs --batched'
      '--output-file Save as this file; - is stdout (default <relation>.ndjson.gz, or <relation>-<n>.ndjson.gz)'
      '-O Save as this file; - is stdout (default <relation>.ndjson.gz, or <relation>-<n>.ndjson.gz)'
      '--force Replace the file if it exists; one that -O names is replaced in any case'
    ) }
    'notes list' { return @(
      '--issue Issue, by its IID in the project'
      '--mr Merge request, by its IID in the project'
      '--snippet Project snippet, by its ID'
      '--epic Epic, by its ID (not its IID) in the group'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--sort Direction of the order; newest first unless asc'
      '--order-by Order by this time; by creation unless said'
      '--activity What people wrote, what the instance wrote, or both (beyond the API documents: an instance may show both anyway)'
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
    ) }
    'notes get' { return @(
      '--issue Issue, by its IID in the project'
      '--mr Merge request, by its IID in the project'
      '--snippet Project snippet, by its ID'
      '--epic Epic, by its ID (not its IID) in the group'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--group Group, by ID or path'
      '-g Group, by ID or path'
    ) }
    'notes create' { return @(
      '--issue Issue, by its IID in the project'
      '--mr Merge request, by its IID in the project'
      '--snippet Project snippet, by its ID'
      '--epic Epic, by its ID (not its IID) in the group'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--body Text, in Markdown; without it and --body-file, an editor opens on a terminal'
      '--body-file Read the text from this file, or from stdin'
      '--captcha-response Answer to the spam challenge that this met before'
      '--spam-log-id Spam log ID of that challenge'
      '--internal Visible from the Reporter role up only; issues and epics'
      '--created-at Administrators and owners: date it back to this time, after 1970-01-01 (2026-01-31T08:00Z, 3h, 7d, yesterday)'
      '--diff-head-sha Head commit that a /merge in the text is meant for'
    ) }
    'notes update' { return @(
      '--issue Issue, by its IID in the project'
      '--mr Merge request, by its IID in the project'
      '--snippet Project snippet, by its ID'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--body Text, in Markdown; without it and --body-file, an editor opens on a terminal'
      '--body-file Read the text from this file, or from stdin'
      '--captcha-response Answer to the spam challenge that this met before'
      '--spam-log-id Spam log ID of that challenge'
      '--confidential Visible from the Reporter role up only, or to everybody; issues and merge requests (deprecated: an instance may refuse it)'
      '--no-confidential Visible from the Reporter role up only, or to everybody; issues and merge requests (deprecated: an instance may refuse it)'
    ) }
    'notes upsert' { return @(
      '--key Names the note: letters, digits, ., _, and - (required)'
      '--issue Issue, by its IID in the project'
      '--mr Merge request, by its IID in the project'
      '--snippet Project snippet, by its ID'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--body Text, in Markdown; without it and --body-file, an editor opens on a terminal'
      '--body-file Read the text from this file, or from stdin'
      '--captcha-response Answer to the spam challenge that this met before'
      '--spam-log-id Spam log ID of that challenge'
    ) }
    'notes delete' { return @(
      '--issue Issue, by its IID in the project'
      '--mr Merge request, by its IID in the project'
      '--snippet Project snippet, by its ID'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
    ) }
    'discussions list' { return @(
      '--issue Issue, by its IID in the project'
      '--mr Merge request, by its IID in the project'
      '--snippet Project snippet, by its ID'
      '--epic Epic, by its ID (not its IID) in the group'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
    ) }
    'discussions get' { return @(
      '--issue Issue, by its IID in the project'
      '--mr Merge request, by its IID in the project'
      '--snippet Project snippet, by its ID'
      '--epic Epic, by its ID (not its IID) in the group'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--group Group, by ID or path'
      '-g Group, by ID or path'
    ) }
    'discussions create' { return @(
      '--issue Issue, by its IID in the project'
      '--mr Merge request, by its IID in the project'
      '--snippet Project snippet, by its ID'
      '--epic Epic, by its ID (not its IID) in the group'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--body Text, in Markdown; without it and --body-file, an editor opens on a terminal'
      '--body-file Read the text from this file, or from stdin'
      '--captcha-response Answer to the spam challenge that this met before'
      '--spam-log-id Spam log ID of that challenge'
      '--created-at Administrators and owners: date it back to this time, after 1970-01-01 (2026-01-31T08:00Z, 3h, 7d, yesterday)'
    ) }
    'discussions reply' { return @(
      '--issue Issue, by its IID in the project'
      '--mr Merge request, by its IID in the project'
      '--snippet Project snippet, by its ID'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--body Text, in Markdown; without it and --body-file, an editor opens on a terminal'
      '--body-file Read the text from this file, or from stdin'
      '--captcha-response Answer to the spam challenge that this met before'
      '--spam-log-id Spam log ID of that challenge'
      '--note-id Note replied to (issues and snippets); the discussion''s first unless given'
      '--created-at Administrators and owners: date it back to this time, after 1970-01-01 (2026-01-31T08:00Z, 3h, 7d, yesterday)'
    ) }
    'discussions update' { return @(
      '--issue Issue, by its IID in the project'
      '--mr Merge request, by its IID in the project'
      '--snippet Project snippet, by its ID'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--body Text, in Markdown; without it and --body-file, an editor opens on a terminal'
      '--body-file Read the text from this file, or from stdin'
      '--captcha-response Answer to the spam challenge that this met before'
      '--spam-log-id Spam log ID of that challenge'
    ) }
    'discussions delete' { return @(
      '--issue Issue, by its IID in the project'
      '--mr Merge request, by its IID in the project'
      '--snippet Project snippet, by its ID'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
    ) }
    'discussions resolve' { return @(
      '--mr Merge request, by its IID in the project'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
    ) }
    'discussions unresolve' { return @(
      '--mr Merge request, by its IID in the project'
      '--project Project, by ID or path'
      '-p Project, by ID or path'
    ) }
    'users list' { return @(
      '--username Exactly this username, in any case'
      '--search Part of a name or username, or a whole e-mail address'
      '--active Active users only'
      '--external External users only'
      '--blocked Blocked users only'
      '--humans People only: no bots and internal users'
      '--exclude-active Leave out active users'
      '--exclude-external Leave out external users'
      '--exclude-humans Leave out people'
      '--exclude-internal Leave out alert and support bots'
      '--without-project-bots Leave out project and group bots'
      '--extern-uid With this external UID; needs --provider (administrators)'
      '--provider Identity provider of --extern-uid (administrators)'
      '--with-custom-attributes Include custom attributes (administrators)'
      '--created-after Created after this time (2026-01-31T08:00Z, 3h, 7d, yesterday)'
      '--created-before Created before this time (2026-01-31T08:00Z, 3h, 7d, yesterday)'
      '--order-by Order by this field (administrators)'
      '--sort Direction of the order (administrators)'
      '--two-factor With or without a second factor (administrators)'
      '--without-projects Without a project (administrators)'
      '--admins Administrators only; for administrators'
      '--auditors Auditors only (administrators; Premium, Ultimate)'
      '--saml-provider-id Created by this SAML provider (administrators; Premium, Ultimate)'
      '--skip-ldap Leave out LDAP users (administrators; Premium, Ultimate)'
      '--custom-attribute Custom attribute with this value (administrators)'
      '--keyset Walk by cursor: steady however long the list is, ordered by ID, without a total'
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
    ) }
    'users get' { return @(
      '--with-custom-attributes Include custom attributes (administrators)'
    ) }
    'users report' { return @(
      '--dormant-days Dormant: no activity for so many days (90 where all reasons are meant)'
      '--two-factor Only who has no second factor'
      '--never-signed-in Only who never signed in'
      '--external Only who is external'
      '--admins Only administrators'
      '--exit-code Exit 10 where somebody is found'
    ) }
    'users me' { return @(
      '--sudo Act as this user (administrators)'
    ) }
    'events list' { return @(
      '--action Only this action: created, pushed, commented, …'
      '--target-type Only this kind of target: issue, note, …'
      '--before Before this day, which is left out (2026-01-31, 7d, yesterday)'
      '--after After this day, which is left out (2026-01-31, 7d, yesterday)'
      '--sort By time of creation; newest first unless asc'
      '--user This user''s events'
      '--project This project''s events'
      '-p This project''s events'
      '--scope all: across all of your projects (your own events only)'
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
    ) }
    'hooks list' { return @(
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
    ) }
    'hooks get' { return @(
      '--group Group, by ID or path'
      '-g Group, by ID or path'
    ) }
    'hooks create' { return @(
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--name Name'
      '--description Description'
      '--events Kinds of events: push,note, all, or none'
      '--branch-filter Only pushes to branches that fit'
      '--branch-filter-strategy How --branch-filter is read'
      '--ssl-verification Check the receiver''s certificate'
      '--no-ssl-verification Check the receiver''s certificate'
      '--token-stdin Take the secret token, which each delivery carries, from stdin'
      '--token-file Take the secret token from this file'
      '--template-file Take the template of the body to send from this file'
      '--header Header to send with each delivery'
      '--header-file Take headers from this file, one a line: arguments show in process lists'
    ) }
    'hooks update' { return @(
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--url Where deliveries go, http or https'
      '--name Name'
      '--description Description'
      '--events Kinds of events: push,note, all, or none'
      '--branch-filter Only pushes to branches that fit'
      '--branch-filter-strategy How --branch-filter is read'
      '--ssl-verification Check the receiver''s certificate'
      '--no-ssl-verification Check the receiver''s certificate'
      '--token-stdin Take the secret token, which each delivery carries, from stdin'
      '--token-file Take the secret token from this file'
      '--template-file Take the template of the body to send from this file'
      '--header Header to send with each delivery'
      '--header-file Take headers from this file, one a line: arguments show in process lists'
      '--no-token Take the secret token away'
      '--remove-header Remove this header'
    ) }
    'hooks delete' { return @(
      '--group Group, by ID or path'
      '-g Group, by ID or path'
    ) }
    'hooks events' { return @(
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--status Only these, by the receiver''s answer'
      '--event Show this one in full'
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request (20)'
    ) }
    'hooks resend' { return @(
      '--group Group, by ID or path'
      '-g Group, by ID or path'
    ) }
    'hooks health' { return @(
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--exit-code Exit 10 where a hook fails or is disabled'
    ) }
    'hooks test' { return @(
      '--trigger Kind of event to make up (required)'
      '--group Group, by ID or path'
      '-g Group, by ID or path'
    ) }
    'saml identities list' { return @(
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
    ) }
    'saml identities get' { return @(
      '--group Group, by ID or path'
      '-g Group, by ID or path'
    ) }
    'saml identities update' { return @(
      '--extern-uid The new UID (required)'
      '--group Group, by ID or path'
      '-g Group, by ID or path'
    ) }
    'saml identities delete' { return @(
      '--group Group, by ID or path'
      '-g Group, by ID or path'
    ) }
    'saml links list' { return @(
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
    ) }
    'saml links get' { return @(
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--provider SAML provider of the link, where an instance has several; beyond the API documents'
    ) }
    'saml links add' { return @(
      '--access-level What its members get here, by name or number (required)'
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--member-role-id Custom role that they get (Ultimate)'
      '--provider SAML provider of the link, where an instance has several; beyond the API documents'
    ) }
    'saml links remove' { return @(
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--provider SAML provider of the link, where an instance has several; beyond the API documents'
    ) }
    'scim identities list' { return @(
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
    ) }
    'scim identities get' { return @(
      '--group Group, by ID or path'
      '-g Group, by ID or path'
    ) }
    'scim identities update' { return @(
      '--extern-uid The new UID (required)'
      '--group Group, by ID or path'
      '-g Group, by ID or path'
    ) }
    'scim identities delete' { return @(
      '--group Group, by ID or path'
      '-g Group, by ID or path'
    ) }
    'ldap links list' { return @(
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
    ) }
    'ldap links add' { return @(
      '--provider Label of the LDAP server: ldapmain (required)'
      '--access-level What its members get here, by name or number (required)'
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--cn CN of an LDAP group'
      '--filter LDAP filter that finds the people: (department=sales)'
      '--member-role-id Custom role that they get (Ultimate)'
    ) }
    'ldap links remove' { return @(
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--cn CN of an LDAP group'
      '--filter LDAP filter that finds the people: (department=sales)'
      '--provider Label of the LDAP server: ldapmain'
      '--legacy Send the deprecated request by path; takes no --filter'
    ) }
    'projects list' { return @(
      '--search Part of the name or the path'
      '--group Only projects of this group and its subgroups, by ID or path'
      '-g Only projects of this group and its subgroups, by ID or path'
      '--membership Only projects that you are a member of'
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
    ) }
    'groups list' { return @(
      '--search Part of the name or the path'
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
    ) }
    'groups export' { return @(
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--wait Wait until the archive can be downloaded'
      '--output-file Save as this file; - is stdout (default none: nothing is saved)'
      '-O Save as this file; - is stdout (default none: nothing is saved)'
      '--wait-timeout Seconds to wait at most'
    ) }
    'groups download' { return @(
      '--group Group, by ID or path'
      '-g Group, by ID or path'
      '--output-file Save as this file; - is stdout (default <group>-export.tar.gz)'
      '-O Save as this file; - is stdout (default <group>-export.tar.gz)'
      '--force Replace the file if it exists; one that -O names is replaced in any case'
      '--other-than Not the archive with this mark: exit 8 while there is no other'
    ) }
    'groups import' { return @(
      '--name Name of the new group (required)'
      '--path Its path, the last part of its address (required)'
      '--parent-id Group to put it into (default none)'
    ) }
    'settings list' { return @(
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
      '--reveal Show secrets, and user and password inside addresses'
    ) }
    'settings get' { return @(
      '--reveal Show secrets, and user and password inside addresses'
    ) }
    'settings set' { return @(
      '--strict Refuse a name that the API documents do not have, instead of warning'
    ) }
    'settings validate' { return @(
      '--file State file, or folder of them; - is stdin (required)'
      '-f State file, or folder of them; - is stdin (required)'
      '--strict Unknown settings, read-only keys, and secrets in plain text are errors'
    ) }
    'settings export' { return @(
      '--output-file File to write; - is stdout, and the default'
      '-O File to write; - is stdout, and the default'
    ) }
    'settings plan' { return @(
      '--file State file, or folder of them; - is stdin (required)'
      '-f State file, or folder of them; - is stdin (required)'
      '--secrets Whether to send what cannot be read back'
      '--exit-code Exit 10 where something would change'
    ) }
    'settings apply' { return @(
      '--file State file, or folder of them; - is stdin (required)'
      '-f State file, or folder of them; - is stdin (required)'
      '--secrets Whether to send what cannot be read back'
      '--allow-lockout Make changes that are certain to lock the caller out'
      '--wait Wait until the settings are in force: an instance caches them'
      '--wait-timeout Seconds to wait at most'
    ) }
    'settings rollback' { return @(
      '--overwrite Bring back also what is no longer as the run left it'
    ) }
    'settings diff' { return @(
      '--exit-code Exit 10 where something differs'
    ) }
    'settings audit' { return @(
      '--file Judge this settings file or state file in place of the instance; - is stdin'
      '-f Judge this settings file or state file in place of the instance; - is stdin'
      '--baseline File of rules and exemptions of your own'
      '--min-severity Only rules of this severity and above'
      '--fix-file Write what would satisfy the failed rules here'
      '--exit-code Exit 10 where a rule fails'
    ) }
    'settings edit' { return @(
      '--allow-lockout Make changes that are certain to lock the caller out'
    ) }
    'each' { return @(
      '--projects-file File with one project a line, by ID or path; - is stdin'
      '--groups-file File with one group a line, by ID or path; - is stdin'
      '--journal Note what is done in this file, and leave it out when run again'
    ) }
    'batch' { return @(
      '--journal Note what is done in this file, and leave it out when run again'
      '--keep-order Print the results in the order of the input, not as they finish'
    ) }
    'state export' { return @(
      '--settings The settings of the instance'
      '--project This project'
      '-p This project'
      '--group This group'
      '-g This group'
      '--projects-file File with one project a line, by ID or path; - is stdin'
      '--groups-file File with one group a line, by ID or path; - is stdin'
      '--only Only these kinds: settings, hooks, saml_group_links, ldap_group_links, container_registry_access_level, job_token_scope, allowlist, groups_allowlist, protected_environments, error_tracking'
      '--output-file Write one file here; - is stdout'
      '-O Write one file here; - is stdout'
      '--dir Write a file each for the instance, groups, and projects below this folder'
    ) }
    'state validate' { return @(
      '--file State file, or folder of them; - is stdin (required)'
      '-f State file, or folder of them; - is stdin (required)'
      '--strict Unknown settings, read-only keys, and secrets in plain text are errors'
    ) }
    'state plan' { return @(
      '--file State file, or folder of them; - is stdin (required)'
      '-f State file, or folder of them; - is stdin (required)'
      '--prune Remove what a declared list does not have'
      '--secrets Whether to send what cannot be read back'
      '--only Only these kinds: settings, hooks, saml_group_links, ldap_group_links, container_registry_access_level, job_token_scope, allowlist, groups_allowlist, protected_environments, error_tracking'
      '--project Only this project, named as in the file'
      '-p Only this project, named as in the file'
      '--group Only this group, named as in the file'
      '-g Only this group, named as in the file'
      '--save Keep the plan in this file, for apply --plan'
      '--count-extra Extra entries count as differences'
      '--exit-code Exit 10 where something would change'
    ) }
    'state apply' { return @(
      '--file State file, or folder of them; - is stdin'
      '-f State file, or folder of them; - is stdin'
      '--plan Apply this saved plan in place of files'
      '--prune Remove what a declared list does not have'
      '--secrets Whether to send what cannot be read back'
      '--max-delete How much of a list may be removed (default 30% of a list of 10 or more, 3 of a shorter one)'
      '--allow-lockout Make changes that are certain to lock the caller out'
      '--only Only these kinds: settings, hooks, saml_group_links, ldap_group_links, container_registry_access_level, job_token_scope, allowlist, groups_allowlist, protected_environments, error_tracking'
      '--project Only this project, named as in the file'
      '-p Only this project, named as in the file'
      '--group Only this group, named as in the file'
      '-g Only this group, named as in the file'
      '--wait Wait until changed settings are in force: an instance caches them'
      '--wait-timeout Seconds to wait at most'
    ) }
    'state rollback' { return @(
      '--overwrite Bring back also what is no longer as the run left it'
    ) }
    'api' { return @(
      '--method Request method'
      '-X Request method'
      '--raw-field A text parameter; nested as a[b]=c, a[]=c'
      '-f A text parameter; nested as a[b]=c, a[]=c'
      '--field A typed parameter: true, false, null, a number, or @file (@- is stdin)'
      '-F A typed parameter: true, false, null, a number, or @file (@- is stdin)'
      '--header A request header'
      '-H A request header'
      '--header-file Take request headers from this file, one a line'
      '--input Request body from this file, as it is'
      '--paginate Follow the list to its end; one JSON object a line in a pipe'
      '--captcha-response Answer to the spam challenge that this met before'
      '--spam-log-id Spam log ID of that challenge'
      '--reveal Show what is secret in the answer by its name, and user and password inside addresses'
      '--include Show the answer''s status and headers before its body'
      '-i Show the answer''s status and headers before its body'
    ) }
    'sandbox start' { return @(
      '--port TCP port; any free one unless given'
      '--data Keep the state in this file, and start from it'
      '--latency Milliseconds to wait before every answer'
      '--fault Fault to inject, such as ''GET /users=503*2'', ''429:retry-after=1'', reset, slow, truncate, html'
      '--tier Tier of the instance'
      '--hosting Kind of hosting'
      '--as-deployed Answer as real instances do where they differ from the API documents'
      '--settings-cache Seconds during which a change of the settings is not read back yet'
    ) }
    'sandbox exec' { return @(
      '--data Keep the state in this file, and start from it'
      '--latency Milliseconds to wait before every answer'
      '--fault Fault to inject, such as ''GET /users=503*2'', ''429:retry-after=1'', reset, slow, truncate, html'
      '--tier Tier of the instance'
      '--hosting Kind of hosting'
      '--as-deployed Answer as real instances do where they differ from the API documents'
      '--settings-cache Seconds during which a change of the settings is not read back yet'
      '--as Whose token the command gets'
    ) }
    'commands' { return @(
      '--global-flags List the flags that every command takes instead'
    ) }
  }
}

function __forgectl_sources([string] $At) {
  switch -CaseSensitive -Exact ($At) {
    'profiles show' { return @(
      'ask profile'
    ) }
    'profiles use' { return @(
      'ask profile'
    ) }
    'profiles set' { return @(
      'ask profile'
      'none'
    ) }
    'profiles unset' { return @(
      'ask profile'
      'none'
    ) }
    'profiles remove' { return @(
      'ask profile'
    ) }
    'registry get' { return @(
      'none'
    ) }
    'registry delete' { return @(
      'none'
    ) }
    'registry visibility' { return @(
      'words enabled private disabled'
    ) }
    'registry tags list' { return @(
      'none'
    ) }
    'registry tags get' { return @(
      'none'
      'none'
    ) }
    'registry tags delete' { return @(
      'none'
      'none'
    ) }
    'registry tags prune' { return @(
      'none'
    ) }
    'registry manifests delete' { return @(
      'none'
      'none'
    ) }
    'job-token limit' { return @(
      'words on off'
    ) }
    'job-token projects add' { return @(
      'ask project'
    ) }
    'job-token projects remove' { return @(
      'ask project'
    ) }
    'job-token groups add' { return @(
      'ask group'
    ) }
    'job-token groups remove' { return @(
      'ask group'
    ) }
    'files get' { return @(
      'none'
    ) }
    'files stat' { return @(
      'none'
    ) }
    'files cat' { return @(
      'none'
    ) }
    'files download' { return @(
      'none'
    ) }
    'files blame' { return @(
      'none'
    ) }
    'files create' { return @(
      'none'
    ) }
    'files update' { return @(
      'none'
    ) }
    'files put' { return @(
      'none'
    ) }
    'files delete' { return @(
      'none'
    ) }
    'artifacts cat' { return @(
      'none'
    ) }
    'artifacts keep' { return @(
      'none'
    ) }
    'artifacts delete' { return @(
      'none'
    ) }
    'uploads create' { return @(
      'file'
    ) }
    'uploads download' { return @(
      'none'
    ) }
    'uploads delete' { return @(
      'none'
    ) }
    'errors keys delete' { return @(
      'none'
    ) }
    'errors keys rotate' { return @(
      'none'
    ) }
    'envs get' { return @(
      'none'
    ) }
    'envs protect' { return @(
      'none'
    ) }
    'envs update' { return @(
      'none'
    ) }
    'envs unprotect' { return @(
      'none'
    ) }
    'relations download' { return @(
      'none'
    ) }
    'notes get' { return @(
      'none'
    ) }
    'notes update' { return @(
      'none'
    ) }
    'notes delete' { return @(
      'none'
    ) }
    'discussions get' { return @(
      'none'
    ) }
    'discussions reply' { return @(
      'none'
    ) }
    'discussions update' { return @(
      'none'
      'none'
    ) }
    'discussions delete' { return @(
      'none'
      'none'
    ) }
    'discussions resolve' { return @(
      'none'
    ) }
    'discussions unresolve' { return @(
      'none'
    ) }
    'users get' { return @(
      'none'
    ) }
    'hooks get' { return @(
      'none'
    ) }
    'hooks create' { return @(
      'none'
    ) }
    'hooks update' { return @(
      'none'
    ) }
    'hooks delete' { return @(
      'none'
    ) }
    'hooks events' { return @(
      'none'
    ) }
    'hooks resend' { return @(
      'none'
      'none'
    ) }
    'hooks test' { return @(
      'none'
    ) }
    'saml identities get' { return @(
      'none'
    ) }
    'saml identities update' { return @(
      'none'
    ) }
    'saml identities delete' { return @(
      'none'
    ) }
    'saml links get' { return @(
      'none'
    ) }
    'saml links add' { return @(
      'none'
    ) }
    'saml links remove' { return @(
      'none'
    ) }
    'scim identities get' { return @(
      'none'
    ) }
    'scim identities update' { return @(
      'none'
    ) }
    'scim identities delete' { return @(
      'none'
    ) }
    'projects get' { return @(
      'ask project'
    ) }
    'groups get' { return @(
      'ask group'
    ) }
    'groups import' { return @(
      'file'
    ) }
    'settings get' { return @(
      'ask setting'
    ) }
    'settings set' { return @(
      'ask assignment'
    ) }
    'settings explain' { return @(
      'ask setting'
    ) }
    'settings rollback' { return @(
      'none'
    ) }
    'settings diff' { return @(
      'ask profile'
      'ask profile'
    ) }
    'each' { return @(
      'command'
    ) }
    'batch' { return @(
      'file'
    ) }
    'state rollback' { return @(
      'none'
    ) }
    'state show' { return @(
      'file'
    ) }
    'api' { return @(
      'none'
    ) }
    'sandbox exec' { return @(
      'command'
    ) }
    'completion' { return @(
      'words bash zsh fish powershell'
    ) }
  }
}

function __forgectl_trait([string] $At) {
  switch -CaseSensitive -Exact ($At) {
    'profiles set' { return @(
      'rest'
    ) }
    'profiles unset' { return @(
      'rest'
    ) }
    'registry delete' { return @(
      'rest'
    ) }
    'registry tags delete' { return @(
      'rest'
    ) }
    'artifacts delete' { return @(
      'rest'
    ) }
    'uploads create' { return @(
      'rest'
    ) }
    'uploads delete' { return @(
      'rest'
    ) }
    'errors keys delete' { return @(
      'rest'
    ) }
    'notes delete' { return @(
      'rest'
    ) }
    'hooks delete' { return @(
      'rest'
    ) }
    'hooks resend' { return @(
      'rest'
    ) }
    'settings get' { return @(
      'rest'
    ) }
    'settings set' { return @(
      'rest'
    ) }
    'each' { return @(
      'through'
    ) }
    'sandbox exec' { return @(
      'through'
    ) }
  }
}

function __forgectl_value([string] $Key) {
  switch -CaseSensitive -Exact ($Key) {
    { $_ -cin @(
      ' --profile'
    ) } { return 'ask profile' }
    { $_ -cin @(
      ' --base-url'
      ' --registry-url'
      ' --fields'
      ' --jq'
      ' --timeout'
      ' --retries'
      ' --concurrency'
      'auth login --token-command'
      'profiles list --page'
      'profiles list --per-page'
      'registry list --page'
      'registry list --per-page'
      'registry delete --wait-timeout'
      'registry prune --delete-regex'
      'registry prune --keep-regex'
      'registry prune --keep-n'
      'registry prune --older-than'
      'registry prune --match'
      'registry tags list --page'
      'registry tags list --per-page'
      'registry tags prune --delete-regex'
      'registry tags prune --keep-regex'
      'registry tags prune --keep-n'
      'registry tags prune --older-than'
      'registry tags prune --wait-timeout'
      'registry token --scope'
      'registry catalog --page'
      'registry catalog --per-page'
      'job-token projects list --page'
      'job-token projects list --per-page'
      'job-token groups list --page'
      'job-token groups list --per-page'
      'job-token apply --max-delete'
      'job-token audit --project'
      'job-token audit -p'
      'files get --ref'
      'files stat --ref'
      'files stat --lines'
      'files cat --ref'
      'files download --ref'
      'files blame --ref'
      'files blame --lines'
      'files create --branch'
      'files create -b'
      'files create --message'
      'files create -m'
      'files create --author-name'
      'files create --author-email'
      'files create --start-branch'
      'files create --content'
      'files update --branch'
      'files update -b'
      'files update --message'
      'files update -m'
      'files update --author-name'
      'files update --author-email'
      'files update --start-branch'
      'files update --content'
      'files update --last-commit-id'
      'files put --branch'
      'files put -b'
      'files put --message'
      'files put -m'
      'files put --author-name'
      'files put --author-email'
      'files put --start-branch'
      'files put --content'
      'files delete --branch'
      'files delete -b'
      'files delete --message'
      'files delete -m'
      'files delete --author-name'
      'files delete --author-email'
      'files delete --start-branch'
      'files delete --last-commit-id'
      'artifacts download --job-id'
      'artifacts download --ref'
      'artifacts download --job'
      'artifacts list --job-id'
      'artifacts list --ref'
      'artifacts list --job'
      'artifacts list --match'
      'artifacts cat --job-id'
      'artifacts cat --ref'
      'artifacts cat --job'
      'uploads list --page'
      'uploads list --per-page'
      'uploads prune --older-than'
      'uploads prune --match'
      'uploads prune --keep-n'
      'errors keys list --page'
      'errors keys list --per-page'
      'errors keys rotate --check'
      'envs list --page'
      'envs list --per-page'
      'envs protect --allow'
      'envs protect --approval'
      'envs update --allow'
      'envs update --approval'
      'envs update --remove-allow'
      'envs update --remove-approval'
      'envs update --set-allow'
      'envs update --set-approval'
      'envs apply --max-delete'
      'envs audit --project'
      'envs audit -p'
      'relations export --wait-timeout'
      'relations status --relation'
      'relations status --wait-timeout'
      'relations status --since'
      'relations download --batch-number'
      'notes list --issue'
      'notes list --mr'
      'notes list --snippet'
      'notes list --epic'
      'notes list --page'
      'notes list --per-page'
      'notes get --issue'
      'notes get --mr'
      'notes get --snippet'
      'notes get --epic'
      'notes create --issue'
      'notes create --mr'
      'notes create --snippet'
      'notes create --epic'
      'notes create --body'
      'notes create --captcha-response'
      'notes create --spam-log-id'
      'notes create --created-at'
      'notes create --diff-head-sha'
      'notes update --issue'
      'notes update --mr'
      'notes update --snippet'
      'notes update --body'
      'notes update --captcha-response'
      'notes update --spam-log-id'
      'notes upsert --issue'
      'notes upsert --mr'
      'notes upsert --snippet'
      'notes upsert --key'
      'notes upsert --body'
      'notes upsert --captcha-response'
      'notes upsert --spam-log-id'
      'notes delete --issue'
      'notes delete --mr'
      'notes delete --snippet'
      'discussions list --issue'
      'discussions list --mr'
      'discussions list --snippet'
      'discussions list --epic'
      'discussions list --page'
      'discussions list --per-page'
      'discussions get --issue'
      'discussions get --mr'
      'discussions get --snippet'
      'discussions get --epic'
      'discussions create --issue'
      'discussions create --mr'
      'discussions create --snippet'
      'discussions create --epic'
      'discussions create --body'
      'discussions create --captcha-response'
      'discussions create --spam-log-id'
      'discussions create --created-at'
      'discussions reply --issue'
      'discussions reply --mr'
      'discussions reply --snippet'
      'discussions reply --body'
      'discussions reply --captcha-response'
      'discussions reply --spam-log-id'
      'discussions reply --note-id'
      'discussions reply --created-at'
      'discussions update --issue'
      'discussions update --mr'
      'discussions update --snippet'
      'discussions update --body'
      'discussions update --captcha-response'
      'discussions update --spam-log-id'
      'discussions delete --issue'
      'discussions delete --mr'
      'discussions delete --snippet'
      'discussions resolve --mr'
      'discussions unresolve --mr'
      'users list --username'
      'users list --search'
      'users list --extern-uid'
      'users list --provider'
      'users list --created-after'
      'users list --created-before'
      'users list --saml-provider-id'
      'users list --custom-attribute'
      'users list --page'
      'users list --per-page'
      'users report --dormant-days'
      'users me --sudo'
      'events list --action'
      'events list --target-type'
      'events list --before'
      'events list --after'
      'events list --user'
      'events list --page'
      'events list --per-page'
      'hooks list --page'
      'hooks list --per-page'
      'hooks create --name'
      'hooks create --description'
      'hooks create --branch-filter'
      'hooks create --header'
      'hooks update --url'
      'hooks update --name'
      'hooks update --description'
      'hooks update --branch-filter'
      'hooks update --header'
      'hooks update --remove-header'
      'hooks events --event'
      'hooks events --page'
      'hooks events --per-page'
      'saml identities list --page'
      'saml identities list --per-page'
      'saml identities update --extern-uid'
      'saml links list --page'
      'saml links list --per-page'
      'saml links get --provider'
      'saml links add --member-role-id'
      'saml links add --provider'
      'saml links remove --provider'
      'scim identities list --page'
      'scim identities list --per-page'
      'scim identities update --extern-uid'
      'ldap links list --page'
      'ldap links list --per-page'
      'ldap links add --provider'
      'ldap links add --cn'
      'ldap links add --filter'
      'ldap links add --member-role-id'
      'ldap links remove --cn'
      'ldap links remove --filter'
      'ldap links remove --provider'
      'projects list --search'
      'projects list --page'
      'projects list --per-page'
      'groups list --search'
      'groups list --page'
      'groups list --per-page'
      'groups export --wait-timeout'
      'groups download --other-than'
      'groups import --name'
      'groups import --path'
      'settings list --page'
      'settings list --per-page'
      'settings apply --wait-timeout'
      'state export --project'
      'state export -p'
      'state export --group'
      'state export -g'
      'state export --only'
      'state plan --only'
      'state plan --project'
      'state plan -p'
      'state plan --group'
      'state plan -g'
      'state apply --max-delete'
      'state apply --only'
      'state apply --project'
      'state apply -p'
      'state apply --group'
      'state apply -g'
      'state apply --wait-timeout'
      'api --raw-field'
      'api -f'
      'api --field'
      'api -F'
      'api --header'
      'api -H'
      'api --captcha-response'
      'api --spam-log-id'
      'sandbox start --port'
      'sandbox start --latency'
      'sandbox start --fault'
      'sandbox start --settings-cache'
      'sandbox exec --latency'
      'sandbox exec --fault'
      'sandbox exec --settings-cache'
    ) } { return 'none' }
    { $_ -cin @(
      ' --output'
      ' -o'
    ) } { return 'words table json ndjson yaml csv tsv' }
    { $_ -cin @(
      ' --ca-file'
      'auth login --token-file'
      'registry prune --journal'
      'job-token plan --file'
      'job-token plan -f'
      'job-token apply --file'
      'job-token apply -f'
      'job-token audit --projects-file'
      'files download --output-file'
      'files download -O'
      'files create --from'
      'files update --from'
      'files put --from'
      'artifacts download --output-file'
      'artifacts download -O'
      'artifacts cat --output-file'
      'artifacts cat -O'
      'uploads download --output-file'
      'uploads download -O'
      'errors keys rotate --dsn-file'
      'envs plan --file'
      'envs plan -f'
      'envs apply --file'
      'envs apply -f'
      'envs audit --projects-file'
      'relations download --output-file'
      'relations download -O'
      'notes create --body-file'
      'notes update --body-file'
      'notes upsert --body-file'
      'discussions create --body-file'
      'discussions reply --body-file'
      'discussions update --body-file'
      'hooks create --token-file'
      'hooks create --template-file'
      'hooks create --header-file'
      'hooks update --token-file'
      'hooks update --template-file'
      'hooks update --header-file'
      'groups export --output-file'
      'groups export -O'
      'groups download --output-file'
      'groups download -O'
      'settings validate --file'
      'settings validate -f'
      'settings export --output-file'
      'settings export -O'
      'settings plan --file'
      'settings plan -f'
      'settings apply --file'
      'settings apply -f'
      'settings audit --file'
      'settings audit -f'
      'settings audit --baseline'
      'settings audit --fix-file'
      'each --projects-file'
      'each --groups-file'
      'each --journal'
      'batch --journal'
      'state export --projects-file'
      'state export --groups-file'
      'state export --output-file'
      'state export -O'
      'state validate --file'
      'state validate -f'
      'state plan --file'
      'state plan -f'
      'state plan --save'
      'state apply --file'
      'state apply -f'
      'state apply --plan'
      'api --header-file'
      'api --input'
      'sandbox start --data'
      'sandbox exec --data'
    ) } { return 'file' }
    { $_ -cin @(
      ' --color'
      'settings plan --secrets'
      'settings apply --secrets'
      'state plan --secrets'
      'state apply --secrets'
    ) } { return 'words auto always never' }
    { $_ -cin @(
      'profiles list --limit'
      'profiles list -L'
      'registry list --limit'
      'registry list -L'
      'registry tags list --limit'
      'registry tags list -L'
      'registry catalog --limit'
      'registry catalog -L'
      'job-token projects list --limit'
      'job-token projects list -L'
      'job-token groups list --limit'
      'job-token groups list -L'
      'uploads list --limit'
      'uploads list -L'
      'errors keys list --limit'
      'errors keys list -L'
      'envs list --limit'
      'envs list -L'
      'notes list --limit'
      'notes list -L'
      'discussions list --limit'
      'discussions list -L'
      'users list --limit'
      'users list -L'
      'events list --scope'
      'events list --limit'
      'events list -L'
      'hooks list --limit'
      'hooks list -L'
      'hooks events --limit'
      'hooks events -L'
      'saml identities list --limit'
      'saml identities list -L'
      'saml links list --limit'
      'saml links list -L'
      'scim identities list --limit'
      'scim identities list -L'
      'ldap links list --limit'
      'ldap links list -L'
      'projects list --limit'
      'projects list -L'
      'groups list --limit'
      'groups list -L'
      'settings list --limit'
      'settings list -L'
    ) } { return 'words all' }
    { $_ -cin @(
      'registry list --project'
      'registry list -p'
      'registry delete --project'
      'registry delete -p'
      'registry visibility --project'
      'registry visibility -p'
      'registry usage --project'
      'registry usage -p'
      'registry prune --project'
      'registry prune -p'
      'registry tags list --project'
      'registry tags list -p'
      'registry tags get --project'
      'registry tags get -p'
      'registry tags delete --project'
      'registry tags delete -p'
      'registry tags prune --project'
      'registry tags prune -p'
      'job-token get --project'
      'job-token get -p'
      'job-token limit --project'
      'job-token limit -p'
      'job-token projects list --project'
      'job-token projects list -p'
      'job-token projects add --project'
      'job-token projects add -p'
      'job-token projects remove --project'
      'job-token projects remove -p'
      'job-token groups list --project'
      'job-token groups list -p'
      'job-token groups add --project'
      'job-token groups add -p'
      'job-token groups remove --project'
      'job-token groups remove -p'
      'job-token plan --project'
      'job-token plan -p'
      'job-token apply --project'
      'job-token apply -p'
      'files get --project'
      'files get -p'
      'files stat --project'
      'files stat -p'
      'files cat --project'
      'files cat -p'
      'files download --project'
      'files download -p'
      'files blame --project'
      'files blame -p'
      'files create --project'
      'files create -p'
      'files update --project'
      'files update -p'
      'files put --project'
      'files put -p'
      'files delete --project'
      'files delete -p'
      'artifacts download --project'
      'artifacts download -p'
      'artifacts list --project'
      'artifacts list -p'
      'artifacts cat --project'
      'artifacts cat -p'
      'artifacts keep --project'
      'artifacts keep -p'
      'artifacts delete --project'
      'artifacts delete -p'
      'artifacts purge --project'
      'artifacts purge -p'
      'uploads create --project'
      'uploads create -p'
      'uploads list --project'
      'uploads list -p'
      'uploads download --project'
      'uploads download -p'
      'uploads delete --project'
      'uploads delete -p'
      'uploads prune --project'
      'uploads prune -p'
      'errors settings get --project'
      'errors settings get -p'
      'errors settings set --project'
      'errors settings set -p'
      'errors enable --project'
      'errors enable -p'
      'errors disable --project'
      'errors disable -p'
      'errors keys list --project'
      'errors keys list -p'
      'errors keys create --project'
      'errors keys create -p'
      'errors keys delete --project'
      'errors keys delete -p'
      'errors keys rotate --project'
      'errors keys rotate -p'
      'envs list --project'
      'envs list -p'
      'envs get --project'
      'envs get -p'
      'envs protect --project'
      'envs protect -p'
      'envs update --project'
      'envs update -p'
      'envs unprotect --project'
      'envs unprotect -p'
      'envs plan --project'
      'envs plan -p'
      'envs apply --project'
      'envs apply -p'
      'relations export --project'
      'relations export -p'
      'relations status --project'
      'relations status -p'
      'relations download --project'
      'relations download -p'
      'notes list --project'
      'notes list -p'
      'notes get --project'
      'notes get -p'
      'notes create --project'
      'notes create -p'
      'notes update --project'
      'notes update -p'
      'notes upsert --project'
      'notes upsert -p'
      'notes delete --project'
      'notes delete -p'
      'discussions list --project'
      'discussions list -p'
      'discussions get --project'
      'discussions get -p'
      'discussions create --project'
      'discussions create -p'
      'discussions reply --project'
      'discussions reply -p'
      'discussions update --project'
      'discussions update -p'
      'discussions delete --project'
      'discussions delete -p'
      'discussions resolve --project'
      'discussions resolve -p'
      'discussions unresolve --project'
      'discussions unresolve -p'
      'events list --project'
      'events list -p'
    ) } { return 'ask project' }
    { $_ -cin @(
      'registry list --group'
      'registry list -g'
      'registry usage --group'
      'registry usage -g'
      'registry prune --group'
      'registry prune -g'
      'uploads list --group'
      'uploads list -g'
      'uploads download --group'
      'uploads download -g'
      'uploads delete --group'
      'uploads delete -g'
      'uploads prune --group'
      'uploads prune -g'
      'notes list --group'
      'notes list -g'
      'notes get --group'
      'notes get -g'
      'notes create --group'
      'notes create -g'
      'discussions list --group'
      'discussions list -g'
      'discussions get --group'
      'discussions get -g'
      'discussions create --group'
      'discussions create -g'
      'hooks list --group'
      'hooks list -g'
      'hooks get --group'
      'hooks get -g'
      'hooks create --group'
      'hooks create -g'
      'hooks update --group'
      'hooks update -g'
      'hooks delete --group'
      'hooks delete -g'
      'hooks events --group'
      'hooks events -g'
      'hooks resend --group'
      'hooks resend -g'
      'hooks health --group'
      'hooks health -g'
      'hooks test --group'
      'hooks test -g'
      'saml identities list --group'
      'saml identities list -g'
      'saml identities get --group'
      'saml identities get -g'
      'saml identities update --group'
      'saml identities update -g'
      'saml identities delete --group'
      'saml identities delete -g'
      'saml links list --group'
      'saml links list -g'
      'saml links get --group'
      'saml links get -g'
      'saml links add --group'
      'saml links add -g'
      'saml links remove --group'
      'saml links remove -g'
      'scim identities list --group'
      'scim identities list -g'
      'scim identities get --group'
      'scim identities get -g'
      'scim identities update --group'
      'scim identities update -g'
      'scim identities delete --group'
      'scim identities delete -g'
      'ldap links list --group'
      'ldap links list -g'
      'ldap links add --group'
      'ldap links add -g'
      'ldap links remove --group'
      'ldap links remove -g'
      'projects list --group'
      'projects list -g'
      'groups export --group'
      'groups export -g'
      'groups download --group'
      'groups download -g'
      'groups import --parent-id'
    ) } { return 'ask group' }
    { $_ -cin @(
      'registry usage --by'
    ) } { return 'words tags size' }
    { $_ -cin @(
      'registry prune --via'
      'registry tags prune --via'
    ) } { return 'words bulk tags' }
    { $_ -cin @(
      'files create --encoding'
      'files update --encoding'
      'files put --encoding'
    ) } { return 'words text base64' }
    { $_ -cin @(
      'artifacts download --extract'
      'state export --dir'
    ) } { return 'directory' }
    { $_ -cin @(
      'errors settings set --active'
      'errors settings set --integrated'
      'errors enable --integrated'
      'errors disable --integrated'
    ) } { return 'words true false' }
    { $_ -cin @(
      'notes list --sort'
      'users list --sort'
      'events list --sort'
    ) } { return 'words asc desc' }
    { $_ -cin @(
      'notes list --order-by'
    ) } { return 'words created_at updated_at' }
    { $_ -cin @(
      'notes list --activity'
    ) } { return 'words comments history all' }
    { $_ -cin @(
      'users list --order-by'
    ) } { return 'words id name username created_at updated_at' }
    { $_ -cin @(
      'users list --two-factor'
    ) } { return 'words enabled disabled' }
    { $_ -cin @(
      'users report --two-factor'
    ) } { return 'words disabled' }
    { $_ -cin @(
      'hooks create --events'
      'hooks update --events'
    ) } { return 'ask hook-event' }
    { $_ -cin @(
      'hooks create --branch-filter-strategy'
      'hooks update --branch-filter-strategy'
    ) } { return 'words wildcard regex all_branches' }
    { $_ -cin @(
      'hooks events --status'
    ) } { return 'words successful client_failure server_failure' }
    { $_ -cin @(
      'hooks test --trigger'
    ) } { return 'words push tag_push merge_requests repository_update issues confidential_issues note confidential_note pipeline wiki_page job deployment feature_flag releases subgroup emoji resource_access_token member push_events tag_push_events merge_requests_events repository_update_events issues_events confidential_issues_events note_events confidential_note_events pipeline_events wiki_page_events job_events deployment_events feature_flag_events releases_events subgroup_events emoji_events resource_access_token_events member_events' }
    { $_ -cin @(
      'saml links add --access-level'
      'ldap links add --access-level'
    ) } { return 'words minimal guest planner reporter developer maintainer owner admin' }
    { $_ -cin @(
      'settings audit --min-severity'
    ) } { return 'words low medium high' }
    { $_ -cin @(
      'api --method'
      'api -X'
    ) } { return 'words GET HEAD POST PUT PATCH DELETE' }
    { $_ -cin @(
      'sandbox start --tier'
      'sandbox exec --tier'
    ) } { return 'words free premium ultimate' }
    { $_ -cin @(
      'sandbox start --hosting'
      'sandbox exec --hosting'
    ) } { return 'words hosted self-managed' }
    { $_ -cin @(
      'sandbox exec --as'
    ) } { return 'words administrator owner maintainer developer reporter planner guest outsider' }
  }
}

function __forgectl_source([string] $At, [string] $Flag) {
  $source = __forgectl_value "$At $Flag"
  if (-not $source) { $source = __forgectl_value " $Flag" }
  return $source
}

# What a source has to offer: words, each with its description after a space.
function __forgectl_find([string] $Source, [string] $Word) {
  if ($Source -clike 'words *') { return $Source.Substring(6) -split ' ' }
  if ($Source -clike 'ask *') {
    return & forgectl __complete ($Source.Substring(4)) "$Word" 2>$null | ForEach-Object { $_ -creplace "\t", ' ' }
  }
  if ($Source -ceq 'command') { return (Get-Command -Name "$Word*" -CommandType Application, Cmdlet).Name }
}

Register-ArgumentCompleter -Native -CommandName forgectl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $globals = @(
      '--profile Stored profile to use'
      '--base-url Instance address, the part before /api/v4'
      '--registry-url Container registry address'
      '--output Output format; table on a terminal, tsv in a pipe'
      '-o Output format; table on a terminal, tsv in a pipe'
      '--fields Fields to show, in this order: id,author.name'
      '--jq Filter the JSON result'
      '--no-header Leave out the header row of table, csv, and tsv'
      '--dry-run Print the requests that would be sent, and change nothing'
      '-n Print the requests that would be sent, and change nothing'
      '--yes Answer every confirmation with yes'
      '-y Answer every confirmation with yes'
      '--no-input Never prompt; fail and name the missing flag'
      '--quiet No progress, notices, or summaries'
      '-q No progress, notices, or summaries'
      '--debug Trace requests and timings on stderr, secrets redacted'
      '--ca-file Certificate authorities beside the system''s, as a PEM file'
      '--timeout Seconds to the first byte, and between bytes'
      '--retries Attempts after the first (default 4)'
      '--concurrency Requests in flight at once for lists and bulk verbs (default 6)'
      '--color When to color output'
      '--help Show help'
      '-h Show help'
  )
  $at = ''; $pending = ''; $after = $false; $asked = $false; $given = 0
  $children = @(__forgectl_children '')
  $names = @($children | ForEach-Object { ($_ -split ' ', 2)[0] })
  $elements = @($commandAst.CommandElements | Select-Object -Skip 1)
  foreach ($element in $elements) {
    if ($element.Extent.EndOffset -gt $cursorPosition) { break }
    if ($element.Extent.EndOffset -eq $cursorPosition -and $wordToComplete) { break }
    $each = $element.Extent.Text
    if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $each = $element.Value }
    if ($pending) { $pending = '' }
    elseif ($after) { $given++ }
    elseif ($each -ceq '--') { $after = $true }
    elseif ($each -clike '--*=*') { }
    elseif ($each -clike '-?*') { if (__forgectl_source $at $each) { $pending = $each } }
    elseif ($each -ceq 'help' -and -not $at -and -not $asked) { $asked = $true }
    elseif ($names -ccontains $each) {
      $at = "$at $each".Trim()
      $children = @(__forgectl_children $at)
      $names = @($children | ForEach-Object { ($_ -split ' ', 2)[0] })
    }
    else {
      $given++
      if ((__forgectl_trait $at) -ceq 'through') { $after = $true }
    }
  }

  $sources = @(__forgectl_sources $at)
  $trait = __forgectl_trait $at
  $prefix = ''
  $found = @()
  if ($asked) {
    $found = $children
    if (-not $at) { $found += 'exit-codes Help topic', 'environment Help topic', 'output Help topic' }
  }
  elseif ($pending) { $found = __forgectl_find (__forgectl_source $at $pending) $wordToComplete }
  elseif (-not $after -and $wordToComplete -clike '--*=*') {
    $flag, $value = $wordToComplete -split '=', 2
    $prefix = "$flag="
    $found = __forgectl_find (__forgectl_source $at $flag) $value
  }
  elseif (-not $after -and $wordToComplete -clike '-*') { $found = @(__forgectl_flags $at) + $globals }
  elseif ($children.Count -gt 0) { $found = $children }
  elseif ($given -lt $sources.Count) { $found = __forgectl_find $sources[$given] $wordToComplete }
  elseif ($trait -ceq 'through') { }
  elseif ($trait -ceq 'rest') { $found = __forgectl_find $sources[-1] $wordToComplete }
  elseif (-not $after) { $found = @(__forgectl_flags $at) + $globals }

  foreach ($item in $found) {
    $word, $description = $item -split ' ', 2
    $text = "$prefix$word"
    if (-not $text.StartsWith($wordToComplete, [System.StringComparison]::Ordinal)) { continue }
    if (-not $description) { $description = $word }
    $typed = $text
    if ($text -match '[\s''"$;&|<>(){}@#,]') { $typed = "'" + $text.Replace("'", "''") + "'" }
    [System.Management.Automation.CompletionResult]::new($typed, $text, 'ParameterValue', $description)
  }
}
