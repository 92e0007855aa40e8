# PowerShell completion for forgectl; written from its commands by "npm run generate".
# Load it from $PROFILE with: forgectl completion powershell | Out-String | Invoke-Expression

function __forgectl_children([string] $At) {
  switch -CaseSensitive -Exact ($At) {
    '' { return @(
      'auth Sign in and out, and see who is signed in where'
      'profiles Stored profiles: instances and how to reach them'
      'users Users of the instance'
      'events Activity of users and projects'
      'job-token Who reaches a project with job tokens'
      'errors Error tracking of a project'
      'settings Application settings of the instance'
      'api Send any request'
      'sandbox An embedded platform on loopback, with demo data'
      'completion Print the completion script of a shell'
      'commands List every command, with all that is known of it in JSON'
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
      'set Set values of a profile; a new one is made'
      'unset Take values out of a profile'
      'remove Remove a profile and forget its token'
      'path Print where the profiles are stored'
    ) }
    'users' { return @(
      'list List users'
      'get Get a user by ID or username'
      'me Get the user this token belongs to'
    ) }
    'events' { return @(
      'list List what happened: your events, a user''s, or a project''s'
    ) }
    'job-token' { return @(
      'get Get a project''s job token access settings'
      'limit Limit access by job tokens to the allowlists, or open it to all projects'
      'projects Projects on the allowlist'
      'groups Groups on the allowlist'
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
    'settings' { return @(
      'list List the settings in force'
      'get Get the settings in force'
      'set Change settings of the instance'
      'explain Explain a setting, offline'
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
      '--insecure-storage Keep the token in a file that only you can read, where there is no keyring'
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
    'users list' { return @(
      '--username Exactly this username, in any case'
      '--search Part of a name or username, or a whole e-mail address'
      '--active Active users only'
      '--external External users only'
      '--blocked Blocked users only'
      '--humans People only: no bots and internal users'
      '--created-after Created after this time'
      '--created-before Created before this time'
      '--exclude-active Leave out active users'
      '--exclude-external Leave out external users'
      '--exclude-humans Leave out people'
      '--exclude-internal Leave out alert and support bots'
      '--without-project-bots Leave out project and group bots'
      '--extern-uid With this external UID; needs --provider (administrators)'
      '--provider Identity provider of --extern-uid (administrators)'
      '--order-by Order by this field (administrators)'
      '--sort Direction of the order (administrators)'
      '--two-factor With or without a second factor (administrators)'
      '--without-projects Without a project (administrators)'
      '--admins Administrators only; for administrators'
      '--auditors Auditors only (administrators; Premium, Ultimate)'
      '--saml-provider-id Created by this SAML provider (administrators; Premium, Ultimate)'
      '--skip-ldap Leave out LDAP users (administrators; Premium, Ultimate)'
      '--custom-attribute Custom attribute with this value (administrators)'
      '--with-custom-attributes Include custom attributes (administrators)'
      '--keyset Walk by cursor: steady however long the list is, ordered by ID, without a total'
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
    ) }
    'users get' { return @(
      '--with-custom-attributes Include custom attributes (administrators)'
    ) }
    'users me' { return @(
      '--sudo Act as this user (administrators)'
    ) }
    'events list' { return @(
      '--user This user''s events'
      '--project This project''s events'
      '-p This project''s events'
      '--action Only this action: created, pushed, commented, …'
      '--target-type Only this kind of target: issue, note, …'
      '--before Before this day'
      '--after After this day'
      '--sort By time of creation; newest first unless asc'
      '--scope all: across all of your projects (your own events only)'
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
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
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--reveal Show the DSN, which is a secret'
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
    ) }
    'errors keys create' { return @(
      '--project Project, by ID or path'
      '-p Project, by ID or path'
      '--reveal Show the DSN, which is a secret'
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
    'settings list' { return @(
      '--limit Most rows to show'
      '-L Most rows to show'
      '--page Start at this page; alone, show only that page'
      '--per-page Rows asked for in one request'
    ) }
    'settings set' { return @(
      '--strict Refuse a name that the API documents do not have, instead of warning'
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
      '--input Request body from this file, as it is'
      '--paginate Follow the list to its end; one JSON object a line in a pipe'
      '--include Show the answer''s status and headers before its body'
      '-i Show the answer''s status and headers before its body'
    ) }
    'sandbox start' { return @(
      '--port TCP port; any free one unless given'
      '--data Keep the state in this file, and start from it'
      '--latency Milliseconds to wait before every answer'
      '--fault Trouble to make, such as ''GET /users=503*2'', ''429:retry-after=1'', reset, slow, truncate, html'
      '--tier Tier of the instance'
      '--hosting Kind of hosting'
    ) }
    'sandbox exec' { return @(
      '--data Keep the state in this file, and start from it'
      '--latency Milliseconds to wait before every answer'
      '--fault Trouble to make, such as ''GET /users=503*2'', ''429:retry-after=1'', reset, slow, truncate, html'
      '--tier Tier of the instance'
      '--hosting Kind of hosting'
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
    'users get' { return @(
      'none'
    ) }
    'job-token limit' { return @(
      'words on off'
    ) }
    'job-token projects add' { return @(
      'none'
    ) }
    'job-token projects remove' { return @(
      'none'
    ) }
    'job-token groups add' { return @(
      'none'
    ) }
    'job-token groups remove' { return @(
      'none'
    ) }
    'errors keys delete' { return @(
      'none'
    ) }
    'errors keys rotate' { return @(
      'none'
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
    'errors keys delete' { return @(
      'rest'
    ) }
    'settings get' { return @(
      'rest'
    ) }
    'settings set' { return @(
      'rest'
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
      'users list --username'
      'users list --search'
      'users list --created-after'
      'users list --created-before'
      'users list --extern-uid'
      'users list --provider'
      'users list --saml-provider-id'
      'users list --custom-attribute'
      'users list --page'
      'users list --per-page'
      'users me --sudo'
      'events list --user'
      'events list --action'
      'events list --target-type'
      'events list --before'
      'events list --after'
      'events list --page'
      'events list --per-page'
      'job-token projects list --page'
      'job-token projects list --per-page'
      'job-token groups list --page'
      'job-token groups list --per-page'
      'errors keys list --page'
      'errors keys list --per-page'
      'errors keys rotate --check'
      'settings list --page'
      'settings list --per-page'
      'api --raw-field'
      'api -f'
      'api --field'
      'api -F'
      'api --header'
      'api -H'
      'sandbox start --port'
      'sandbox start --latency'
      'sandbox start --fault'
      'sandbox exec --latency'
      'sandbox exec --fault'
    ) } { return 'none' }
    { $_ -cin @(
      ' --output'
      ' -o'
    ) } { return 'words table json ndjson yaml csv tsv' }
    { $_ -cin @(
      ' --color'
    ) } { return 'words auto always never' }
    { $_ -cin @(
      'auth login --token-file'
      'errors keys rotate --dsn-file'
      'api --input'
      'sandbox start --data'
      'sandbox exec --data'
    ) } { return 'file' }
    { $_ -cin @(
      'profiles list --limit'
      'profiles list -L'
      'users list --limit'
      'users list -L'
      'events list --scope'
      'events list --limit'
      'events list -L'
      'job-token projects list --limit'
      'job-token projects list -L'
      'job-token groups list --limit'
      'job-token groups list -L'
      'errors keys list --limit'
      'errors keys list -L'
      'settings list --limit'
      'settings list -L'
    ) } { return 'words all' }
    { $_ -cin @(
      'users list --order-by'
    ) } { return 'words id name username created_at updated_at' }
    { $_ -cin @(
      'users list --sort'
      'events list --sort'
    ) } { return 'words asc desc' }
    { $_ -cin @(
      'users list --two-factor'
    ) } { return 'words enabled disabled' }
    { $_ -cin @(
      'events list --project'
      'events list -p'
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
    ) } { return 'ask project' }
    { $_ -cin @(
      'errors settings set --active'
      'errors settings set --integrated'
      'errors enable --integrated'
      'errors disable --integrated'
    ) } { return 'words true false' }
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
      '--fields Which fields, in this order: id,author.name'
      '--jq Filter the JSON result'
      '--no-header Leave out the header row of table, csv, and tsv'
      '--dry-run Print the requests that would be sent, and change nothing'
      '-n Print the requests that would be sent, and change nothing'
      '--yes Answer every confirmation with yes'
      '-y Answer every confirmation with yes'
      '--no-input Never ask; fail naming the flag that is missing'
      '--quiet No progress, notices, or summaries'
      '-q No progress, notices, or summaries'
      '--debug Trace requests and timings on stderr, secrets redacted'
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
