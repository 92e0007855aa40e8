# fish completion for forgectl; written from its commands by "npm run generate".
# Put it into ~/.config/fish/completions/, or load it with: forgectl completion fish | source

function __forgectl_children
    switch "$argv[1]"
        case ''
            printf '%s\t%s\n' \
                'auth' 'Sign in and out, and see who is signed in where' \
                'profiles' 'Stored profiles: instances and how to reach them' \
                'users' 'Users of the instance' \
                'events' 'Activity of users and projects' \
                'job-token' 'Who reaches a project with job tokens' \
                'errors' 'Error tracking of a project' \
                'settings' 'Application settings of the instance' \
                'api' 'Send any request' \
                'sandbox' 'An embedded platform on loopback, with demo data' \
                'completion' 'Print the completion script of a shell' \
                'commands' 'List every command, with all that is known of it in JSON' \
                'help' 'Help on a command or a topic'
        case 'auth'
            printf '%s\t%s\n' \
                'login' 'Sign in: check a token, and store it with the instance\'s address' \
                'status' 'Show who is signed in where, and whether it works' \
                'token' 'Print the token in force, for other tools' \
                'logout' 'Forget a profile\'s token'
        case 'profiles'
            printf '%s\t%s\n' \
                'list' 'List the stored profiles' \
                'show' 'Show a stored profile' \
                'use' 'Choose the profile that is used when none is named' \
                'set' 'Set values of a profile; a new one is made' \
                'unset' 'Take values out of a profile' \
                'remove' 'Remove a profile and forget its token' \
                'path' 'Print where the profiles are stored'
        case 'users'
            printf '%s\t%s\n' \
                'list' 'List users' \
                'get' 'Get a user by ID or username' \
                'me' 'Get the user this token belongs to'
        case 'events'
            printf '%s\t%s\n' \
                'list' 'List what happened: your events, a user\'s, or a project\'s'
        case 'job-token'
            printf '%s\t%s\n' \
                'get' 'Get a project\'s job token access settings' \
                'limit' 'Limit access by job tokens to the allowlists, or open it to all projects' \
                'projects' 'Projects on the allowlist' \
                'groups' 'Groups on the allowlist'
        case 'job-token projects'
            printf '%s\t%s\n' \
                'list' 'List the projects whose job tokens have access' \
                'add' 'Give a project\'s job tokens access' \
                'remove' 'Take access from a project\'s job tokens'
        case 'job-token groups'
            printf '%s\t%s\n' \
                'list' 'List the groups whose projects\' job tokens have access' \
                'add' 'Give the job tokens of a group\'s projects access' \
                'remove' 'Take access from the job tokens of a group\'s projects'
        case 'errors'
            printf '%s\t%s\n' \
                'settings' 'Error tracking settings' \
                'enable' 'Turn a project\'s configured error tracking on' \
                'disable' 'Turn a project\'s configured error tracking off' \
                'keys' 'Keys with which SDKs send error events'
        case 'errors settings'
            printf '%s\t%s\n' \
                'get' 'Get a project\'s error tracking settings' \
                'set' 'Set up a project\'s integrated error tracking'
        case 'errors keys'
            printf '%s\t%s\n' \
                'list' 'List a project\'s error tracking keys' \
                'create' 'Create an error tracking key' \
                'delete' 'Delete an error tracking key' \
                'rotate' 'Replace an error tracking key by a new one'
        case 'settings'
            printf '%s\t%s\n' \
                'list' 'List the settings in force' \
                'get' 'Get the settings in force' \
                'set' 'Change settings of the instance' \
                'explain' 'Explain a setting, offline'
        case 'sandbox'
            printf '%s\t%s\n' \
                'start' 'Start an embedded platform on loopback and keep it until Ctrl-C' \
                'exec' 'Run a command against a fresh sandbox'
    end
end

function __forgectl_flags
    switch "$argv[1]"
        case ''
            printf '%s\t%s\n' \
                '--version' 'Print the version' \
                '-V' 'Print the version'
        case 'auth login'
            printf '%s\t%s\n' \
                '--token-stdin' 'Take the token from stdin' \
                '--token-file' 'Take the token from this file' \
                '--token-command' 'Run this command for the token, now and each time it is needed; nothing secret is stored' \
                '--insecure-storage' 'Keep the token in a file that only you can read, where there is no keyring'
        case 'auth status'
            printf '%s\t%s\n' \
                '--offline' 'Send nothing: show only what is stored'
        case 'profiles list'
            printf '%s\t%s\n' \
                '--limit' 'Most rows to show' \
                '-L' 'Most rows to show' \
                '--page' 'Start at this page; alone, show only that page' \
                '--per-page' 'Rows asked for in one request'
        case 'users list'
            printf '%s\t%s\n' \
                '--username' 'Exactly this username, in any case' \
                '--search' 'Part of a name or username, or a whole e-mail address' \
                '--active' 'Active users only' \
                '--external' 'External users only' \
                '--blocked' 'Blocked users only' \
                '--humans' 'People only: no bots and internal users' \
                '--created-after' 'Created after this time' \
                '--created-before' 'Created before this time' \
                '--exclude-active' 'Leave out active users' \
                '--exclude-external' 'Leave out external users' \
                '--exclude-humans' 'Leave out people' \
                '--exclude-internal' 'Leave out alert and support bots' \
                '--without-project-bots' 'Leave out project and group bots' \
                '--extern-uid' 'With this external UID; needs --provider (administrators)' \
                '--provider' 'Identity provider of --extern-uid (administrators)' \
                '--order-by' 'Order by this field (administrators)' \
                '--sort' 'Direction of the order (administrators)' \
                '--two-factor' 'With or without a second factor (administrators)' \
                '--without-projects' 'Without a project (administrators)' \
                '--admins' 'Administrators only; for administrators' \
                '--auditors' 'Auditors only (administrators; Premium, Ultimate)' \
                '--saml-provider-id' 'Created by this SAML provider (administrators; Premium, Ultimate)' \
                '--skip-ldap' 'Leave out LDAP users (administrators; Premium, Ultimate)' \
                '--custom-attribute' 'Custom attribute with this value (administrators)' \
                '--with-custom-attributes' 'Include custom attributes (administrators)' \
                '--keyset' 'Walk by cursor: steady however long the list is, ordered by ID, without a total' \
                '--limit' 'Most rows to show' \
                '-L' 'Most rows to show' \
                '--page' 'Start at this page; alone, show only that page' \
                '--per-page' 'Rows asked for in one request'
        case 'users get'
            printf '%s\t%s\n' \
                '--with-custom-attributes' 'Include custom attributes (administrators)'
        case 'users me'
            printf '%s\t%s\n' \
                '--sudo' 'Act as this user (administrators)'
        case 'events list'
            printf '%s\t%s\n' \
                '--user' 'This user\'s events' \
                '--project' 'This project\'s events' \
                '-p' 'This project\'s events' \
                '--action' 'Only this action: created, pushed, commented, …' \
                '--target-type' 'Only this kind of target: issue, note, …' \
                '--before' 'Before this day' \
                '--after' 'After this day' \
                '--sort' 'By time of creation; newest first unless asc' \
                '--scope' 'all: across all of your projects (your own events only)' \
                '--limit' 'Most rows to show' \
                '-L' 'Most rows to show' \
                '--page' 'Start at this page; alone, show only that page' \
                '--per-page' 'Rows asked for in one request'
        case 'job-token get'
            printf '%s\t%s\n' \
                '--project' 'Project, by ID or path' \
                '-p' 'Project, by ID or path'
        case 'job-token limit'
            printf '%s\t%s\n' \
                '--project' 'Project, by ID or path' \
                '-p' 'Project, by ID or path'
        case 'job-token projects list'
            printf '%s\t%s\n' \
                '--project' 'Project, by ID or path' \
                '-p' 'Project, by ID or path' \
                '--limit' 'Most rows to show' \
                '-L' 'Most rows to show' \
                '--page' 'Start at this page; alone, show only that page' \
                '--per-page' 'Rows asked for in one request'
        case 'job-token projects add'
            printf '%s\t%s\n' \
                '--project' 'Project, by ID or path' \
                '-p' 'Project, by ID or path'
        case 'job-token projects remove'
            printf '%s\t%s\n' \
                '--project' 'Project, by ID or path' \
                '-p' 'Project, by ID or path'
        case 'job-token groups list'
            printf '%s\t%s\n' \
                '--project' 'Project, by ID or path' \
                '-p' 'Project, by ID or path' \
                '--limit' 'Most rows to show' \
                '-L' 'Most rows to show' \
                '--page' 'Start at this page; alone, show only that page' \
                '--per-page' 'Rows asked for in one request'
        case 'job-token groups add'
            printf '%s\t%s\n' \
                '--project' 'Project, by ID or path' \
                '-p' 'Project, by ID or path'
        case 'job-token groups remove'
            printf '%s\t%s\n' \
                '--project' 'Project, by ID or path' \
                '-p' 'Project, by ID or path'
        case 'errors settings get'
            printf '%s\t%s\n' \
                '--project' 'Project, by ID or path' \
                '-p' 'Project, by ID or path'
        case 'errors settings set'
            printf '%s\t%s\n' \
                '--active' 'Turn error tracking on or off (required)' \
                '--integrated' 'Use the platform\'s own tracker (required)' \
                '--project' 'Project, by ID or path' \
                '-p' 'Project, by ID or path'
        case 'errors enable'
            printf '%s\t%s\n' \
                '--project' 'Project, by ID or path' \
                '-p' 'Project, by ID or path' \
                '--integrated' 'Use the platform\'s own tracker'
        case 'errors disable'
            printf '%s\t%s\n' \
                '--project' 'Project, by ID or path' \
                '-p' 'Project, by ID or path' \
                '--integrated' 'Use the platform\'s own tracker'
        case 'errors keys list'
            printf '%s\t%s\n' \
                '--project' 'Project, by ID or path' \
                '-p' 'Project, by ID or path' \
                '--reveal' 'Show the DSN, which is a secret' \
                '--limit' 'Most rows to show' \
                '-L' 'Most rows to show' \
                '--page' 'Start at this page; alone, show only that page' \
                '--per-page' 'Rows asked for in one request'
        case 'errors keys create'
            printf '%s\t%s\n' \
                '--project' 'Project, by ID or path' \
                '-p' 'Project, by ID or path' \
                '--reveal' 'Show the DSN, which is a secret'
        case 'errors keys delete'
            printf '%s\t%s\n' \
                '--project' 'Project, by ID or path' \
                '-p' 'Project, by ID or path'
        case 'errors keys rotate'
            printf '%s\t%s\n' \
                '--project' 'Project, by ID or path' \
                '-p' 'Project, by ID or path' \
                '--dsn-file' 'Write the new DSN to this file' \
                '--reveal' 'Show the new DSN' \
                '--check' 'Command that must succeed before the old key goes; it reads the new DSN from stdin'
        case 'settings list'
            printf '%s\t%s\n' \
                '--limit' 'Most rows to show' \
                '-L' 'Most rows to show' \
                '--page' 'Start at this page; alone, show only that page' \
                '--per-page' 'Rows asked for in one request'
        case 'settings set'
            printf '%s\t%s\n' \
                '--strict' 'Refuse a name that the API documents do not have, instead of warning'
        case 'api'
            printf '%s\t%s\n' \
                '--method' 'Request method' \
                '-X' 'Request method' \
                '--raw-field' 'A text parameter; nested as a[b]=c, a[]=c' \
                '-f' 'A text parameter; nested as a[b]=c, a[]=c' \
                '--field' 'A typed parameter: true, false, null, a number, or @file (@- is stdin)' \
                '-F' 'A typed parameter: true, false, null, a number, or @file (@- is stdin)' \
                '--header' 'A request header' \
                '-H' 'A request header' \
                '--input' 'Request body from this file, as it is' \
                '--paginate' 'Follow the list to its end; one JSON object a line in a pipe' \
                '--include' 'Show the answer\'s status and headers before its body' \
                '-i' 'Show the answer\'s status and headers before its body'
        case 'sandbox start'
            printf '%s\t%s\n' \
                '--port' 'TCP port; any free one unless given' \
                '--data' 'Keep the state in this file, and start from it' \
                '--latency' 'Milliseconds to wait before every answer' \
                '--fault' 'Trouble to make, such as \'GET /users=503*2\', \'429:retry-after=1\', reset, slow, truncate, html' \
                '--tier' 'Tier of the instance' \
                '--hosting' 'Kind of hosting'
        case 'sandbox exec'
            printf '%s\t%s\n' \
                '--data' 'Keep the state in this file, and start from it' \
                '--latency' 'Milliseconds to wait before every answer' \
                '--fault' 'Trouble to make, such as \'GET /users=503*2\', \'429:retry-after=1\', reset, slow, truncate, html' \
                '--tier' 'Tier of the instance' \
                '--hosting' 'Kind of hosting' \
                '--as' 'Whose token the command gets'
        case 'commands'
            printf '%s\t%s\n' \
                '--global-flags' 'List the flags that every command takes instead'
    end
    printf '%s\t%s\n' \
                '--profile' 'Stored profile to use' \
                '--base-url' 'Instance address, the part before /api/v4' \
                '--registry-url' 'Container registry address' \
                '--output' 'Output format; table on a terminal, tsv in a pipe' \
                '-o' 'Output format; table on a terminal, tsv in a pipe' \
                '--fields' 'Which fields, in this order: id,author.name' \
                '--jq' 'Filter the JSON result' \
                '--no-header' 'Leave out the header row of table, csv, and tsv' \
                '--dry-run' 'Print the requests that would be sent, and change nothing' \
                '-n' 'Print the requests that would be sent, and change nothing' \
                '--yes' 'Answer every confirmation with yes' \
                '-y' 'Answer every confirmation with yes' \
                '--no-input' 'Never ask; fail naming the flag that is missing' \
                '--quiet' 'No progress, notices, or summaries' \
                '-q' 'No progress, notices, or summaries' \
                '--debug' 'Trace requests and timings on stderr, secrets redacted' \
                '--timeout' 'Seconds to the first byte, and between bytes' \
                '--retries' 'Attempts after the first (default 4)' \
                '--concurrency' 'Requests in flight at once for lists and bulk verbs (default 6)' \
                '--color' 'When to color output' \
                '--help' 'Show help' \
                '-h' 'Show help'
end

function __forgectl_sources
    switch "$argv[1]"
        case 'profiles show'
            printf '%s\n' 'ask profile'
        case 'profiles use'
            printf '%s\n' 'ask profile'
        case 'profiles set'
            printf '%s\n' 'ask profile' 'none'
        case 'profiles unset'
            printf '%s\n' 'ask profile' 'none'
        case 'profiles remove'
            printf '%s\n' 'ask profile'
        case 'users get'
            printf '%s\n' 'none'
        case 'job-token limit'
            printf '%s\n' 'words on off'
        case 'job-token projects add'
            printf '%s\n' 'none'
        case 'job-token projects remove'
            printf '%s\n' 'none'
        case 'job-token groups add'
            printf '%s\n' 'none'
        case 'job-token groups remove'
            printf '%s\n' 'none'
        case 'errors keys delete'
            printf '%s\n' 'none'
        case 'errors keys rotate'
            printf '%s\n' 'none'
        case 'settings get'
            printf '%s\n' 'ask setting'
        case 'settings set'
            printf '%s\n' 'ask assignment'
        case 'settings explain'
            printf '%s\n' 'ask setting'
        case 'api'
            printf '%s\n' 'none'
        case 'sandbox exec'
            printf '%s\n' 'command'
        case 'completion'
            printf '%s\n' 'words bash zsh fish powershell'
    end
end

function __forgectl_traits
    switch "$argv[1]"
        case 'profiles set'
            echo rest
        case 'profiles unset'
            echo rest
        case 'errors keys delete'
            echo rest
        case 'settings get'
            echo rest
        case 'settings set'
            echo rest
        case 'sandbox exec'
            echo through
    end
end

function __forgectl_value
    switch "$argv[1]"
        case ' --profile'
            echo 'ask profile'
        case ' --base-url' ' --registry-url' ' --fields' ' --jq' ' --timeout' ' --retries' ' --concurrency' 'auth login --token-command' 'profiles list --page' 'profiles list --per-page' 'users list --username' 'users list --search' 'users list --created-after' 'users list --created-before' 'users list --extern-uid' 'users list --provider' 'users list --saml-provider-id' 'users list --custom-attribute' 'users list --page' 'users list --per-page' 'users me --sudo' 'events list --user' 'events list --action' 'events list --target-type' 'events list --before' 'events list --after' 'events list --page' 'events list --per-page' 'job-token projects list --page' 'job-token projects list --per-page' 'job-token groups list --page' 'job-token groups list --per-page' 'errors keys list --page' 'errors keys list --per-page' 'errors keys rotate --check' 'settings list --page' 'settings list --per-page' 'api --raw-field' 'api -f' 'api --field' 'api -F' 'api --header' 'api -H' 'sandbox start --port' 'sandbox start --latency' 'sandbox start --fault' 'sandbox exec --latency' 'sandbox exec --fault'
            echo 'none'
        case ' --output' ' -o'
            echo 'words table json ndjson yaml csv tsv'
        case ' --color'
            echo 'words auto always never'
        case 'auth login --token-file' 'errors keys rotate --dsn-file' 'api --input' 'sandbox start --data' 'sandbox exec --data'
            echo 'file'
        case 'profiles list --limit' 'profiles list -L' 'users list --limit' 'users list -L' 'events list --scope' 'events list --limit' 'events list -L' 'job-token projects list --limit' 'job-token projects list -L' 'job-token groups list --limit' 'job-token groups list -L' 'errors keys list --limit' 'errors keys list -L' 'settings list --limit' 'settings list -L'
            echo 'words all'
        case 'users list --order-by'
            echo 'words id name username created_at updated_at'
        case 'users list --sort' 'events list --sort'
            echo 'words asc desc'
        case 'users list --two-factor'
            echo 'words enabled disabled'
        case 'events list --project' 'events list -p' 'job-token get --project' 'job-token get -p' 'job-token limit --project' 'job-token limit -p' 'job-token projects list --project' 'job-token projects list -p' 'job-token projects add --project' 'job-token projects add -p' 'job-token projects remove --project' 'job-token projects remove -p' 'job-token groups list --project' 'job-token groups list -p' 'job-token groups add --project' 'job-token groups add -p' 'job-token groups remove --project' 'job-token groups remove -p' 'errors settings get --project' 'errors settings get -p' 'errors settings set --project' 'errors settings set -p' 'errors enable --project' 'errors enable -p' 'errors disable --project' 'errors disable -p' 'errors keys list --project' 'errors keys list -p' 'errors keys create --project' 'errors keys create -p' 'errors keys delete --project' 'errors keys delete -p' 'errors keys rotate --project' 'errors keys rotate -p'
            echo 'ask project'
        case 'errors settings set --active' 'errors settings set --integrated' 'errors enable --integrated' 'errors disable --integrated'
            echo 'words true false'
        case 'api --method' 'api -X'
            echo 'words GET HEAD POST PUT PATCH DELETE'
        case 'sandbox start --tier' 'sandbox exec --tier'
            echo 'words free premium ultimate'
        case 'sandbox start --hosting' 'sandbox exec --hosting'
            echo 'words hosted self-managed'
        case 'sandbox exec --as'
            echo 'words administrator owner maintainer developer reporter planner guest outsider'
    end
end

function __forgectl_source
    set -l source (__forgectl_value "$argv[1] $argv[2]")
    test -n "$source"; or set source (__forgectl_value " $argv[2]")
    test -n "$source"; and echo $source
end

# Offers what a source has; every line begins with the prefix, which is a flag's name and its =, or nothing.
function __forgectl_offer -a source word prefix
    switch "$source"
        case 'words *'
            string replace -r '^' -- "$prefix" (string split ' ' -- (string sub -s 7 -- $source))
        case 'ask *'
            set -l lines (command forgectl __complete (string sub -s 5 -- $source) "$word" 2>/dev/null)
            test (count $lines) -gt 0; and string join \n -- $prefix$lines
        case file
            set -l lines (__fish_complete_path "$word")
            test (count $lines) -gt 0; and string join \n -- $prefix$lines
        case directory
            set -l lines (__fish_complete_directories "$word")
            test (count $lines) -gt 0; and string join \n -- $prefix$lines
        case command
            __fish_complete_command
    end
end

# Goes along the words before the cursor, then offers what fits there.
function __forgectl_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    while set -q words[2]; and string match -qr '^[A-Za-z_]+=' -- $words[1]
        set -e words[1]
    end
    set -e words[1]
    set -l at ''
    set -l pending ''
    set -l after ''
    set -l asked ''
    set -l given 0
    set -l children (__forgectl_children '' | string split -f 1 \t)
    for each in $words
        if test -n "$pending"
            set pending ''
        else if test -n "$after"
            set given (math $given + 1)
        else if test "$each" = --
            set after 1
        else if string match -qr '^--.*=' -- "$each"
            continue
        else if string match -qr '^-.' -- "$each"
            set -l source (__forgectl_source "$at" "$each")
            test -n "$source"; and set pending "$each"
        else if test "$each" = help -a -z "$at" -a -z "$asked"
            set asked 1
        else if contains -- "$each" $children
            set at (string trim -- "$at $each")
            set children (__forgectl_children "$at" | string split -f 1 \t)
        else
            set given (math $given + 1)
            test "$(__forgectl_traits "$at")" = through; and set after 1
        end
    end

    set -l sources (__forgectl_sources "$at")
    set -l trait (__forgectl_traits "$at")
    if test -n "$asked"
        __forgectl_children "$at"
        if test -z "$at"
            printf '%s\t%s\n' \
                'exit-codes' 'Help topic' \
                'environment' 'Help topic' \
                'output' 'Help topic'
        end
    else if test -n "$pending"
        __forgectl_offer (__forgectl_source "$at" "$pending") "$word" ''
    else if test -z "$after"; and string match -qr '^--.*=' -- "$word"
        set -l parts (string split -m 1 = -- "$word")
        __forgectl_offer (__forgectl_source "$at" "$parts[1]") "$parts[2]" "$parts[1]="
    else if test -z "$after"; and string match -q -- '-*' "$word"
        __forgectl_flags "$at"
    else if set -q children[1]
        __forgectl_children "$at"
    else if test $given -lt (count $sources)
        __forgectl_offer $sources[(math $given + 1)] "$word" ''
    else if test "$trait" = through
        __forgectl_offer file "$word" ''
    else if test "$trait" = rest
        __forgectl_offer $sources[-1] "$word" ''
    else if test -z "$after"
        __forgectl_flags "$at"
    end
end

complete -c forgectl -e
complete -c forgectl -f -a '(__forgectl_complete)'
