# bash completion for forgectl; written from its commands by "npm run generate".
# Load it with: source <(forgectl completion bash)

_forgectl_place() {
  children='' flags='' sources=() rest='' through=''
  case $1 in
  '') children='auth profiles registry job-token files artifacts uploads errors envs relations notes discussions users events hooks saml scim ldap projects groups settings each batch state api sandbox completion commands help' flags='--version -V' ;;
  'auth') children='login status token logout' ;;
  'auth login') flags='--token-stdin --token-file --token-command --insecure-storage' ;;
  'auth status') flags='--offline' ;;
  'auth token') : ;;
  'auth logout') : ;;
  'profiles') children='list show use set unset remove path' ;;
  'profiles list') flags='--limit -L --page --per-page' ;;
  'profiles show') sources=('ask profile') ;;
  'profiles use') sources=('ask profile') ;;
  'profiles set') sources=('ask profile' 'none') rest=1 ;;
  'profiles unset') sources=('ask profile' 'none') rest=1 ;;
  'profiles remove') sources=('ask profile') ;;
  'profiles path') : ;;
  'registry') children='list get delete visibility usage prune tags token catalog manifests' ;;
  'registry list') flags='--project -p --tags --tags-count --group -g --limit -L --page --per-page' ;;
  'registry get') flags='--tags --tags-count --size' sources=('none') ;;
  'registry delete') flags='--project -p --wait --wait-timeout' sources=('none') rest=1 ;;
  'registry visibility') flags='--project -p' sources=('words enabled private disabled') ;;
  'registry usage') flags='--project -p --group -g --by --sizes' ;;
  'registry prune') flags='--delete-regex --project -p --group -g --keep-regex --keep-n --older-than --match --via --sizes --journal' ;;
  'registry tags') children='list get delete prune' ;;
  'registry tags list') flags='--project -p --keyset --limit -L --page --per-page' sources=('none') ;;
  'registry tags get') flags='--project -p' sources=('none' 'none') ;;
  'registry tags delete') flags='--project -p' sources=('none' 'none') rest=1 ;;
  'registry tags prune') flags='--delete-regex --project -p --keep-regex --keep-n --older-than --via --repeat --wait-timeout' sources=('none') ;;
  'registry token') flags='--scope' ;;
  'registry catalog') flags='--limit -L --page --per-page' ;;
  'registry manifests') children='delete' ;;
  'registry manifests delete') flags='--legacy' sources=('none' 'none') ;;
  'job-token') children='get limit projects groups plan apply audit' ;;
  'job-token get') flags='--project -p' ;;
  'job-token limit') flags='--project -p' sources=('words on off') ;;
  'job-token projects') children='list add remove' ;;
  'job-token projects list') flags='--project -p --limit -L --page --per-page' ;;
  'job-token projects add') flags='--project -p' sources=('ask project') ;;
  'job-token projects remove') flags='--project -p' sources=('ask project') ;;
  'job-token groups') children='list add remove' ;;
  'job-token groups list') flags='--project -p --limit -L --page --per-page' ;;
  'job-token groups add') flags='--project -p' sources=('ask group') ;;
  'job-token groups remove') flags='--project -p' sources=('ask group') ;;
  'job-token plan') flags='--file -f --project -p --prune --exit-code' ;;
  'job-token apply') flags='--file -f --project -p --prune --max-delete --allow-lockout' ;;
  'job-token audit') flags='--project -p --projects-file --exit-code' ;;
  'files') children='get stat cat download blame create update put delete' ;;
  'files get') flags='--ref --project -p' sources=('none') ;;
  'files stat') flags='--project -p --ref --blame --lines --raw --lfs' sources=('none') ;;
  'files cat') flags='--project -p --ref --lfs' sources=('none') ;;
  'files download') flags='--project -p --ref --lfs --output-file -O --force' sources=('none') ;;
  'files blame') flags='--ref --project -p --lines' sources=('none') ;;
  'files create') flags='--branch -b --message -m --project -p --author-name --author-email --start-branch --content --from --encoding --executable --no-executable' sources=('none') ;;
  'files update') flags='--branch -b --message -m --project -p --author-name --author-email --start-branch --content --from --encoding --executable --no-executable --last-commit-id' sources=('none') ;;
  'files put') flags='--branch -b --message -m --project -p --author-name --author-email --start-branch --content --from --encoding --executable --no-executable' sources=('none') ;;
  'files delete') flags='--branch -b --message -m --project -p --author-name --author-email --start-branch --last-commit-id' sources=('none') ;;
  'artifacts') children='download list cat keep delete purge' ;;
  'artifacts download') flags='--project -p --job-id --ref --job --search-recent --job-token-query --output-file -O --force --extract' ;;
  'artifacts list') flags='--project -p --job-id --ref --job --search-recent --job-token-query --match' ;;
  'artifacts cat') flags='--project -p --job-id --ref --job --search-recent --job-token-query --output-file -O' sources=('none') ;;
  'artifacts keep') flags='--project -p' sources=('none') ;;
  'artifacts delete') flags='--project -p' sources=('none') rest=1 ;;
  'artifacts purge') flags='--project -p' ;;
  'uploads') children='create list download delete prune' ;;
  'uploads create') flags='--project -p' sources=('file') rest=1 ;;
  'uploads list') flags='--project -p --group -g --limit -L --page --per-page' ;;
  'uploads download') flags='--project -p --group -g --output-file -O --force' sources=('none') ;;
  'uploads delete') flags='--project -p --group -g' sources=('none') rest=1 ;;
  'uploads prune') flags='--older-than --project -p --group -g --match --keep-n' ;;
  'errors') children='settings enable disable keys' ;;
  'errors settings') children='get set' ;;
  'errors settings get') flags='--project -p' ;;
  'errors settings set') flags='--active --integrated --project -p' ;;
  'errors enable') flags='--project -p --integrated' ;;
  'errors disable') flags='--project -p --integrated' ;;
  'errors keys') children='list create delete rotate' ;;
  'errors keys list') flags='--reveal --project -p --limit -L --page --per-page' ;;
  'errors keys create') flags='--reveal --project -p' ;;
  'errors keys delete') flags='--project -p' sources=('none') rest=1 ;;
  'errors keys rotate') flags='--project -p --dsn-file --reveal --check' sources=('none') ;;
  'envs') children='list get protect update unprotect plan apply audit' ;;
  'envs list') flags='--project -p --limit -L --page --per-page' ;;
  'envs get') flags='--project -p' sources=('none') ;;
  'envs protect') flags='--allow --project -p --approval' sources=('none') ;;
  'envs update') flags='--project -p --allow --approval --remove-allow --remove-approval --set-allow --set-approval' sources=('none') ;;
  'envs unprotect') flags='--project -p' sources=('none') ;;
  'envs plan') flags='--file -f --project -p --prune --exit-code' ;;
  'envs apply') flags='--file -f --project -p --prune --max-delete --allow-lockout' ;;
  'envs audit') flags='--project -p --projects-file --exit-code' ;;
  'relations') children='export status download' ;;
  'relations export') flags='--project -p --batched --wait --wait-timeout' ;;
  'relations status') flags='--project -p --relation --watch --wait-timeout --since' ;;
  'relations download') flags='--project -p --batched --batch-number --output-file -O --force' sources=('none') ;;
  'notes') children='list get create update upsert delete' ;;
  'notes list') flags='--issue --mr --snippet --epic --project -p --group -g --sort --order-by --activity --limit -L --page --per-page' ;;
  'notes get') flags='--issue --mr --snippet --epic --project -p --group -g' sources=('none') ;;
  'notes create') flags='--issue --mr --snippet --epic --project -p --group -g --body --body-file --captcha-response --spam-log-id --internal --created-at --diff-head-sha' ;;
  'notes update') flags='--issue --mr --snippet --project -p --body --body-file --captcha-response --spam-log-id --confidential --no-confidential' sources=('none') ;;
  'notes upsert') flags='--key --issue --mr --snippet --project -p --body --body-file --captcha-response --spam-log-id' ;;
  'notes delete') flags='--issue --mr --snippet --project -p' sources=('none') rest=1 ;;
  'discussions') children='list get create reply update delete resolve unresolve' ;;
  'discussions list') flags='--issue --mr --snippet --epic --project -p --group -g --limit -L --page --per-page' ;;
  'discussions get') flags='--issue --mr --snippet --epic --project -p --group -g' sources=('none') ;;
  'discussions create') flags='--issue --mr --snippet --epic --project -p --group -g --body --body-file --captcha-response --spam-log-id --created-at' ;;
  'discussions reply') flags='--issue --mr --snippet --project -p --body --body-file --captcha-response --spam-log-id --note-id --created-at' sources=('none') ;;
  'discussions update') flags='--issue --mr --snippet --project -p --body --body-file --captcha-response --spam-log-id' sources=('none' 'none') ;;
  'discussions delete') flags='--issue --mr --snippet --project -p' sources=('none' 'none') ;;
  'discussions resolve') flags='--mr --project -p' sources=('none') ;;
  'discussions unresolve') flags='--mr --project -p' sources=('none') ;;
  'users') children='list get report me' ;;
  'users list') flags='--username --search --active --external --blocked --humans --exclude-active --exclude-external --exclude-humans --exclude-internal --without-project-bots --extern-uid --provider --with-custom-attributes --created-after --created-before --order-by --sort --two-factor --without-projects --admins --auditors --saml-provider-id --skip-ldap --custom-attribute --keyset --limit -L --page --per-page' ;;
  'users get') flags='--with-custom-attributes' sources=('none') ;;
  'users report') flags='--dormant-days --two-factor --never-signed-in --external --admins --exit-code' ;;
  'users me') flags='--sudo' ;;
  'events') children='list' ;;
  'events list') flags='--action --target-type --before --after --sort --user --project -p --scope --limit -L --page --per-page' ;;
  'hooks') children='list get create update delete events resend health test' ;;
  'hooks list') flags='--group -g --limit -L --page --per-page' ;;
  'hooks get') flags='--group -g' sources=('none') ;;
  'hooks create') flags='--group -g --name --description --events --branch-filter --branch-filter-strategy --ssl-verification --no-ssl-verification --token-stdin --token-file --template-file --header --header-file' sources=('none') ;;
  'hooks update') flags='--group -g --url --name --description --events --branch-filter --branch-filter-strategy --ssl-verification --no-ssl-verification --token-stdin --token-file --template-file --header --header-file --no-token --remove-header' sources=('none') ;;
  'hooks delete') flags='--group -g' sources=('none') rest=1 ;;
  'hooks events') flags='--group -g --status --event --limit -L --page --per-page' sources=('none') ;;
  'hooks resend') flags='--group -g' sources=('none' 'none') rest=1 ;;
  'hooks health') flags='--group -g --exit-code' ;;
  'hooks test') flags='--trigger --group -g' sources=('none') ;;
  'saml') children='identities links' ;;
  'saml identities') children='list get update delete' ;;
  'saml identities list') flags='--group -g --limit -L --page --per-page' ;;
  'saml identities get') flags='--group -g' sources=('none') ;;
  'saml identities update') flags='--extern-uid --group -g' sources=('none') ;;
  'saml identities delete') flags='--group -g' sources=('none') ;;
  'saml links') children='list get add remove' ;;
  'saml links list') flags='--group -g --limit -L --page --per-page' ;;
  'saml links get') flags='--group -g --provider' sources=('none') ;;
  'saml links add') flags='--access-level --group -g --member-role-id --provider' sources=('none') ;;
  'saml links remove') flags='--group -g --provider' sources=('none') ;;
  'scim') children='identities' ;;
  'scim identities') children='list get update delete' ;;
  'scim identities list') flags='--group -g --limit -L --page --per-page' ;;
  'scim identities get') flags='--group -g' sources=('none') ;;
  'scim identities update') flags='--extern-uid --group -g' sources=('none') ;;
  'scim identities delete') flags='--group -g' sources=('none') ;;
  'ldap') children='links' ;;
  'ldap links') children='list add remove' ;;
  'ldap links list') flags='--group -g --limit -L --page --per-page' ;;
  'ldap links add') flags='--provider --access-level --group -g --cn --filter --member-role-id' ;;
  'ldap links remove') flags='--group -g --cn --filter --provider --legacy' ;;
  'projects') children='list get' ;;
  'projects list') flags='--search --group -g --membership --limit -L --page --per-page' ;;
  'projects get') sources=('ask project') ;;
  'groups') children='list get export download import' ;;
  'groups list') flags='--search --limit -L --page --per-page' ;;
  'groups get') sources=('ask group') ;;
  'groups export') flags='--group -g --wait --output-file -O --wait-timeout' ;;
  'groups download') flags='--group -g --output-file -O --force --other-than' ;;
  'groups import') flags='--name --path --parent-id' sources=('file') ;;
  'settings') children='list get set explain validate export plan apply rollback diff audit edit schema' ;;
  'settings list') flags='--limit -L --page --per-page --reveal' ;;
  'settings get') flags='--reveal' sources=('ask setting') rest=1 ;;
  'settings set') flags='--strict' sources=('ask assignment') rest=1 ;;
  'settings explain') sources=('ask setting') ;;
  'settings validate') flags='--file -f --strict' ;;
  'settings export') flags='--output-file -O' ;;
  'settings plan') flags='--file -f --secrets --exit-code' ;;
  'settings apply') flags='--file -f --secrets --allow-lockout --wait --wait-timeout' ;;
  'settings rollback') flags='--overwrite' sources=('none') ;;
  'settings diff') flags='--exit-code' sources=('ask profile' 'ask profile') ;;
  'settings audit') flags='--file -f --baseline --min-severity --fix-file --exit-code' ;;
  'settings edit') flags='--allow-lockout' ;;
  'settings schema') : ;;
  'each') flags='--projects-file --groups-file --journal' sources=('command') rest=1 through=1 ;;
  'batch') flags='--journal --keep-order' sources=('file') ;;
  'state') children='export validate plan apply rollback history show schema' ;;
  'state export') flags='--settings --project -p --group -g --projects-file --groups-file --only --output-file -O --dir' ;;
  'state validate') flags='--file -f --strict' ;;
  'state plan') flags='--file -f --prune --secrets --only --project -p --group -g --save --count-extra --exit-code' ;;
  'state apply') flags='--file -f --plan --prune --secrets --max-delete --allow-lockout --only --project -p --group -g --wait --wait-timeout' ;;
  'state rollback') flags='--overwrite' sources=('none') ;;
  'state history') : ;;
  'state show') sources=('file') ;;
  'state schema') : ;;
  'api') flags='--method -X --raw-field -f --field -F --header -H --header-file --input --paginate --captcha-response --spam-log-id --reveal --include -i' sources=('none') ;;
  'sandbox') children='start exec' ;;
  'sandbox start') flags='--port --data --latency --fault --tier --hosting --as-deployed --settings-cache' ;;
  'sandbox exec') flags='--data --latency --fault --tier --hosting --as-deployed --settings-cache --as' sources=('command') rest=1 through=1 ;;
  'completion') sources=('words bash zsh fish powershell') ;;
  'commands') flags='--global-flags' ;;
  esac
}

_forgectl_value() {
  source=''
  case $1 in
  ' --profile') source='ask profile' ;;
  ' --base-url' | ' --registry-url' | ' --fields' | ' --jq' | ' --timeout' | ' --retries' | ' --concurrency' | 'auth login --token-command' | 'profiles list --page' | 'profiles list --per-page' | 'registry list --page' | 'registry list --per-page' | 'registry delete --wait-timeout' | 'registry prune --delete-regex' | 'registry prune --keep-regex' | 'registry prune --keep-n' | 'registry prune --older-than' | 'registry prune --match' | 'registry tags list --page' | 'registry tags list --per-page' | 'registry tags prune --delete-regex' | 'registry tags prune --keep-regex' | 'registry tags prune --keep-n' | 'registry tags prune --older-than' | 'registry tags prune --wait-timeout' | 'registry token --scope' | 'registry catalog --page' | 'registry catalog --per-page' | 'job-token projects list --page' | 'job-token projects list --per-page' | 'job-token groups list --page' | 'job-token groups list --per-page' | 'job-token apply --max-delete' | 'job-token audit --project' | 'job-token audit -p' | 'files get --ref' | 'files stat --ref' | 'files stat --lines' | 'files cat --ref' | 'files download --ref' | 'files blame --ref' | 'files blame --lines' | 'files create --branch' | 'files create -b' | 'files create --message' | 'files create -m' | 'files create --author-name' | 'files create --author-email' | 'files create --start-branch' | 'files create --content' | 'files update --branch' | 'files update -b' | 'files update --message' | 'files update -m' | 'files update --author-name' | 'files update --author-email' | 'files update --start-branch' | 'files update --content' | 'files update --last-commit-id' | 'files put --branch' | 'files put -b' | 'files put --message' | 'files put -m' | 'files put --author-name' | 'files put --author-email' | 'files put --start-branch' | 'files put --content' | 'files delete --branch' | 'files delete -b' | 'files delete --message' | 'files delete -m' | 'files delete --author-name' | 'files delete --author-email' | 'files delete --start-branch' | 'files delete --last-commit-id' | 'artifacts download --job-id' | 'artifacts download --ref' | 'artifacts download --job' | 'artifacts list --job-id' | 'artifacts list --ref' | 'artifacts list --job' | 'artifacts list --match' | 'artifacts cat --job-id' | 'artifacts cat --ref' | 'artifacts cat --job' | 'uploads list --page' | 'uploads list --per-page' | 'uploads prune --older-than' | 'uploads prune --match' | 'uploads prune --keep-n' | 'errors keys list --page' | 'errors keys list --per-page' | 'errors keys rotate --check' | 'envs list --page' | 'envs list --per-page' | 'envs protect --allow' | 'envs protect --approval' | 'envs update --allow' | 'envs update --approval' | 'envs update --remove-allow' | 'envs update --remove-approval' | 'envs update --set-allow' | 'envs update --set-approval' | 'envs apply --max-delete' | 'envs audit --project' | 'envs audit -p' | 'relations export --wait-timeout' | 'relations status --relation' | 'relations status --wait-timeout' | 'relations status --since' | 'relations download --batch-number' | 'notes list --issue' | 'notes list --mr' | 'notes list --snippet' | 'notes list --epic' | 'notes list --page' | 'notes list --per-page' | 'notes get --issue' | 'notes get --mr' | 'notes get --snippet' | 'notes get --epic' | 'notes create --issue' | 'notes create --mr' | 'notes create --snippet' | 'notes create --epic' | 'notes create --body' | 'notes create --captcha-response' | 'notes create --spam-log-id' | 'notes create --created-at' | 'notes create --diff-head-sha' | 'notes update --issue' | 'notes update --mr' | 'notes update --snippet' | 'notes update --body' | 'notes update --captcha-response' | 'notes update --spam-log-id' | 'notes upsert --issue' | 'notes upsert --mr' | 'notes upsert --snippet' | 'notes upsert --key' | 'notes upsert --body' | 'notes upsert --captcha-response' | 'notes upsert --spam-log-id' | 'notes delete --issue' | 'notes delete --mr' | 'notes delete --snippet' | 'discussions list --issue' | 'discussions list --mr' | 'discussions list --snippet' | 'discussions list --epic' | 'discussions list --page' | 'discussions list --per-page' | 'discussions get --issue' | 'discussions get --mr' | 'discussions get --snippet' | 'discussions get --epic' | 'discussions create --issue' | 'discussions create --mr' | 'discussions create --snippet' | 'discussions create --epic' | 'discussions create --body' | 'discussions create --captcha-response' | 'discussions create --spam-log-id' | 'discussions create --created-at' | 'discussions reply --issue' | 'discussions reply --mr' | 'discussions reply --snippet' | 'discussions reply --body' | 'discussions reply --captcha-response' | 'discussions reply --spam-log-id' | 'discussions reply --note-id' | 'discussions reply --created-at' | 'discussions update --issue' | 'discussions update --mr' | 'discussions update --snippet' | 'discussions update --body' | 'discussions update --captcha-response' | 'discussions update --spam-log-id' | 'discussions delete --issue' | 'discussions delete --mr' | 'discussions delete --snippet' | 'discussions resolve --mr' | 'discussions unresolve --mr' | 'users list --username' | 'users list --search' | 'users list --extern-uid' | 'users list --provider' | 'users list --created-after' | 'users list --created-before' | 'users list --saml-provider-id' | 'users list --custom-attribute' | 'users list --page' | 'users list --per-page' | 'users report --dormant-days' | 'users me --sudo' | 'events list --action' | 'events list --target-type' | 'events list --before' | 'events list --after' | 'events list --user' | 'events list --page' | 'events list --per-page' | 'hooks list --page' | 'hooks list --per-page' | 'hooks create --name' | 'hooks create --description' | 'hooks create --branch-filter' | 'hooks create --header' | 'hooks update --url' | 'hooks update --name' | 'hooks update --description' | 'hooks update --branch-filter' | 'hooks update --header' | 'hooks update --remove-header' | 'hooks events --event' | 'hooks events --page' | 'hooks events --per-page' | 'saml identities list --page' | 'saml identities list --per-page' | 'saml identities update --extern-uid' | 'saml links list --page' | 'saml links list --per-page' | 'saml links get --provider' | 'saml links add --member-role-id' | 'saml links add --provider' | 'saml links remove --provider' | 'scim identities list --page' | 'scim identities list --per-page' | 'scim identities update --extern-uid' | 'ldap links list --page' | 'ldap links list --per-page' | 'ldap links add --provider' | 'ldap links add --cn' | 'ldap links add --filter' | 'ldap links add --member-role-id' | 'ldap links remove --cn' | 'ldap links remove --filter' | 'ldap links remove --provider' | 'projects list --search' | 'projects list --page' | 'projects list --per-page' | 'groups list --search' | 'groups list --page' | 'groups list --per-page' | 'groups export --wait-timeout' | 'groups download --other-than' | 'groups import --name' | 'groups import --path' | 'settings list --page' | 'settings list --per-page' | 'settings apply --wait-timeout' | 'state export --project' | 'state export -p' | 'state export --group' | 'state export -g' | 'state export --only' | 'state plan --only' | 'state plan --project' | 'state plan -p' | 'state plan --group' | 'state plan -g' | 'state apply --max-delete' | 'state apply --only' | 'state apply --project' | 'state apply -p' | 'state apply --group' | 'state apply -g' | 'state apply --wait-timeout' | 'api --raw-field' | 'api -f' | 'api --field' | 'api -F' | 'api --header' | 'api -H' | 'api --captcha-response' | 'api --spam-log-id' | 'sandbox start --port' | 'sandbox start --latency' | 'sandbox start --fault' | 'sandbox start --settings-cache' | 'sandbox exec --latency' | 'sandbox exec --fault' | 'sandbox exec --settings-cache') source='none' ;;
  ' --output' | ' -o') source='words table json ndjson yaml csv tsv' ;;
  ' --ca-file' | 'auth login --token-file' | 'registry prune --journal' | 'job-token plan --file' | 'job-token plan -f' | 'job-token apply --file' | 'job-token apply -f' | 'job-token audit --projects-file' | 'files download --output-file' | 'files download -O' | 'files create --from' | 'files update --from' | 'files put --from' | 'artifacts download --output-file' | 'artifacts download -O' | 'artifacts cat --output-file' | 'artifacts cat -O' | 'uploads download --output-file' | 'uploads download -O' | 'errors keys rotate --dsn-file' | 'envs plan --file' | 'envs plan -f' | 'envs apply --file' | 'envs apply -f' | 'envs audit --projects-file' | 'relations download --output-file' | 'relations download -O' | 'notes create --body-file' | 'notes update --body-file' | 'notes upsert --body-file' | 'discussions create --body-file' | 'discussions reply --body-file' | 'discussions update --body-file' | 'hooks create --token-file' | 'hooks create --template-file' | 'hooks create --header-file' | 'hooks update --token-file' | 'hooks update --template-file' | 'hooks update --header-file' | 'groups export --output-file' | 'groups export -O' | 'groups download --output-file' | 'groups download -O' | 'settings validate --file' | 'settings validate -f' | 'settings export --output-file' | 'settings export -O' | 'settings plan --file' | 'settings plan -f' | 'settings apply --file' | 'settings apply -f' | 'settings audit --file' | 'settings audit -f' | 'settings audit --baseline' | 'settings audit --fix-file' | 'each --projects-file' | 'each --groups-file' | 'each --journal' | 'batch --journal' | 'state export --projects-file' | 'state export --groups-file' | 'state export --output-file' | 'state export -O' | 'state validate --file' | 'state validate -f' | 'state plan --file' | 'state plan -f' | 'state plan --save' | 'state apply --file' | 'state apply -f' | 'state apply --plan' | 'api --header-file' | 'api --input' | 'sandbox start --data' | 'sandbox exec --data') source='file' ;;
  ' --color' | 'settings plan --secrets' | 'settings apply --secrets' | 'state plan --secrets' | 'state apply --secrets') source='words auto always never' ;;
  'profiles list --limit' | 'profiles list -L' | 'registry list --limit' | 'registry list -L' | 'registry tags list --limit' | 'registry tags list -L' | 'registry catalog --limit' | 'registry catalog -L' | 'job-token projects list --limit' | 'job-token projects list -L' | 'job-token groups list --limit' | 'job-token groups list -L' | 'uploads list --limit' | 'uploads list -L' | 'errors keys list --limit' | 'errors keys list -L' | 'envs list --limit' | 'envs list -L' | 'notes list --limit' | 'notes list -L' | 'discussions list --limit' | 'discussions list -L' | 'users list --limit' | 'users list -L' | 'events list --scope' | 'events list --limit' | 'events list -L' | 'hooks list --limit' | 'hooks list -L' | 'hooks events --limit' | 'hooks events -L' | 'saml identities list --limit' | 'saml identities list -L' | 'saml links list --limit' | 'saml links list -L' | 'scim identities list --limit' | 'scim identities list -L' | 'ldap links list --limit' | 'ldap links list -L' | 'projects list --limit' | 'projects list -L' | 'groups list --limit' | 'groups list -L' | 'settings list --limit' | 'settings list -L') source='words all' ;;
  'registry list --project' | 'registry list -p' | 'registry delete --project' | 'registry delete -p' | 'registry visibility --project' | 'registry visibility -p' | 'registry usage --project' | 'registry usage -p' | 'registry prune --project' | 'registry prune -p' | 'registry tags list --project' | 'registry tags list -p' | 'registry tags get --project' | 'registry tags get -p' | 'registry tags delete --project' | 'registry tags delete -p' | 'registry tags prune --project' | 'registry tags prune -p' | 'job-token get --project' | 'job-token get -p' | 'job-token limit --project' | 'job-token limit -p' | 'job-token projects list --project' | 'job-token projects list -p' | 'job-token projects add --project' | 'job-token projects add -p' | 'job-token projects remove --project' | 'job-token projects remove -p' | 'job-token groups list --project' | 'job-token groups list -p' | 'job-token groups add --project' | 'job-token groups add -p' | 'job-token groups remove --project' | 'job-token groups remove -p' | 'job-token plan --project' | 'job-token plan -p' | 'job-token apply --project' | 'job-token apply -p' | 'files get --project' | 'files get -p' | 'files stat --project' | 'files stat -p' | 'files cat --project' | 'files cat -p' | 'files download --project' | 'files download -p' | 'files blame --project' | 'files blame -p' | 'files create --project' | 'files create -p' | 'files update --project' | 'files update -p' | 'files put --project' | 'files put -p' | 'files delete --project' | 'files delete -p' | 'artifacts download --project' | 'artifacts download -p' | 'artifacts list --project' | 'artifacts list -p' | 'artifacts cat --project' | 'artifacts cat -p' | 'artifacts keep --project' | 'artifacts keep -p' | 'artifacts delete --project' | 'artifacts delete -p' | 'artifacts purge --project' | 'artifacts purge -p' | 'uploads create --project' | 'uploads create -p' | 'uploads list --project' | 'uploads list -p' | 'uploads download --project' | 'uploads download -p' | 'uploads delete --project' | 'uploads delete -p' | 'uploads prune --project' | 'uploads prune -p' | 'errors settings get --project' | 'errors settings get -p' | 'errors settings set --project' | 'errors settings set -p' | 'errors enable --project' | 'errors enable -p' | 'errors disable --project' | 'errors disable -p' | 'errors keys list --project' | 'errors keys list -p' | 'errors keys create --project' | 'errors keys create -p' | 'errors keys delete --project' | 'errors keys delete -p' | 'errors keys rotate --project' | 'errors keys rotate -p' | 'envs list --project' | 'envs list -p' | 'envs get --project' | 'envs get -p' | 'envs protect --project' | 'envs protect -p' | 'envs update --project' | 'envs update -p' | 'envs unprotect --project' | 'envs unprotect -p' | 'envs plan --project' | 'envs plan -p' | 'envs apply --project' | 'envs apply -p' | 'relations export --project' | 'relations export -p' | 'relations status --project' | 'relations status -p' | 'relations download --project' | 'relations download -p' | 'notes list --project' | 'notes list -p' | 'notes get --project' | 'notes get -p' | 'notes create --project' | 'notes create -p' | 'notes update --project' | 'notes update -p' | 'notes upsert --project' | 'notes upsert -p' | 'notes delete --project' | 'notes delete -p' | 'discussions list --project' | 'discussions list -p' | 'discussions get --project' | 'discussions get -p' | 'discussions create --project' | 'discussions create -p' | 'discussions reply --project' | 'discussions reply -p' | 'discussions update --project' | 'discussions update -p' | 'discussions delete --project' | 'discussions delete -p' | 'discussions resolve --project' | 'discussions resolve -p' | 'discussions unresolve --project' | 'discussions unresolve -p' | 'events list --project' | 'events list -p') source='ask project' ;;
  'registry list --group' | 'registry list -g' | 'registry usage --group' | 'registry usage -g' | 'registry prune --group' | 'registry prune -g' | 'uploads list --group' | 'uploads list -g' | 'uploads download --group' | 'uploads download -g' | 'uploads delete --group' | 'uploads delete -g' | 'uploads prune --group' | 'uploads prune -g' | 'notes list --group' | 'notes list -g' | 'notes get --group' | 'notes get -g' | 'notes create --group' | 'notes create -g' | 'discussions list --group' | 'discussions list -g' | 'discussions get --group' | 'discussions get -g' | 'discussions create --group' | 'discussions create -g' | 'hooks list --group' | 'hooks list -g' | 'hooks get --group' | 'hooks get -g' | 'hooks create --group' | 'hooks create -g' | 'hooks update --group' | 'hooks update -g' | 'hooks delete --group' | 'hooks delete -g' | 'hooks events --group' | 'hooks events -g' | 'hooks resend --group' | 'hooks resend -g' | 'hooks health --group' | 'hooks health -g' | 'hooks test --group' | 'hooks test -g' | 'saml identities list --group' | 'saml identities list -g' | 'saml identities get --group' | 'saml identities get -g' | 'saml identities update --group' | 'saml identities update -g' | 'saml identities delete --group' | 'saml identities delete -g' | 'saml links list --group' | 'saml links list -g' | 'saml links get --group' | 'saml links get -g' | 'saml links add --group' | 'saml links add -g' | 'saml links remove --group' | 'saml links remove -g' | 'scim identities list --group' | 'scim identities list -g' | 'scim identities get --group' | 'scim identities get -g' | 'scim identities update --group' | 'scim identities update -g' | 'scim identities delete --group' | 'scim identities delete -g' | 'ldap links list --group' | 'ldap links list -g' | 'ldap links add --group' | 'ldap links add -g' | 'ldap links remove --group' | 'ldap links remove -g' | 'projects list --group' | 'projects list -g' | 'groups export --group' | 'groups export -g' | 'groups download --group' | 'groups download -g' | 'groups import --parent-id') source='ask group' ;;
  'registry usage --by') source='words tags size' ;;
  'registry prune --via' | 'registry tags prune --via') source='words bulk tags' ;;
  'files create --encoding' | 'files update --encoding' | 'files put --encoding') source='words text base64' ;;
  'artifacts download --extract' | 'state export --dir') source='directory' ;;
  'errors settings set --active' | 'errors settings set --integrated' | 'errors enable --integrated' | 'errors disable --integrated') source='words true false' ;;
  'notes list --sort' | 'users list --sort' | 'events list --sort') source='words asc desc' ;;
  'notes list --order-by') source='words created_at updated_at' ;;
  'notes list --activity') source='words comments history all' ;;
  'users list --order-by') source='words id name username created_at updated_at' ;;
  'users list --two-factor') source='words enabled disabled' ;;
  'users report --two-factor') source='words disabled' ;;
  'hooks create --events' | 'hooks update --events') source='ask hook-event' ;;
  'hooks create --branch-filter-strategy' | 'hooks update --branch-filter-strategy') source='words wildcard regex all_branches' ;;
  'hooks events --status') source='words successful client_failure server_failure' ;;
  'hooks test --trigger') source='words push tag_push merge_requests repository_update issues confidential_issues note confidential_note pipeline wiki_page job deployment feature_flag releases subgroup emoji resource_access_token member push_events tag_push_events merge_requests_events repository_update_events issues_events confidential_issues_events note_events confidential_note_events pipeline_events wiki_page_events job_events deployment_events feature_flag_events releases_events subgroup_events emoji_events resource_access_token_events member_events' ;;
  'saml links add --access-level' | 'ldap links add --access-level') source='words minimal guest planner reporter developer maintainer owner admin' ;;
  'settings audit --min-severity') source='words low medium high' ;;
  'api --method' | 'api -X') source='words GET HEAD POST PUT PATCH DELETE' ;;
  'sandbox start --tier' | 'sandbox exec --tier') source='words free premium ultimate' ;;
  'sandbox start --hosting' | 'sandbox exec --hosting') source='words hosted self-managed' ;;
  'sandbox exec --as') source='words administrator owner maintainer developer reporter planner guest outsider' ;;
  esac
}

_forgectl_source() {
  _forgectl_value "$1 $2"
  [[ -n $source ]] || _forgectl_value " $2"
}

# Bash has split the line at = and : as well; this puts its words together again, up to the cursor.
_forgectl_words() {
  local line=${COMP_LINE:0:COMP_POINT} word i
  words=() count=0
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $count -eq 0 || $line == [[:space:]]* ]]; then
      line=${line#"${line%%[![:space:]]*}"}
      words[count]='' count=$((count + 1))
    fi
    if ((i == COMP_CWORD)); then word=$line; fi
    words[count-1]+=$word
    line=${line#"$word"}
  done
}

# Goes along the words before the cursor: which command it is, how many arguments it has, what the last flag wants.
_forgectl_walk() {
  local word i
  path='' pending='' after='' asked='' given=0
  _forgectl_place ''
  for ((i = 1; i < count - 1; i++)); do
    word=${words[i]}
    if [[ -n $pending ]]; then pending=''
    elif [[ -n $after ]]; then given=$((given + 1))
    elif [[ $word == -- ]]; then after=1
    elif [[ $word == --*=* ]]; then :
    elif [[ $word == -?* ]]; then
      _forgectl_source "$path" "$word"
      [[ -z $source ]] || pending=$word
    elif [[ $word == help && -z $path && -z $asked ]]; then asked=1
    elif [[ " $children " == *" $word "* ]]; then
      path="${path:+$path }$word"
      _forgectl_place "$path"
    else
      given=$((given + 1))
      if [[ -n $through ]]; then after=1; fi
    fi
  done
}

# What a source has to offer, into found; nothing is left to bash's own file names.
_forgectl_find() {
  local line
  case $1 in
  'words '*) IFS=' ' read -r -a found <<<"${1#words }" ;;
  'ask '*)
    while IFS=$'\t' read -r line _; do
      found+=("$line")
    done < <(command forgectl __complete "${1#ask }" "$2" 2>/dev/null)
    ;;
  directory)
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do found+=("$line"); done < <(compgen -d -- "$2")
    ;;
  command) while IFS= read -r line; do found+=("$line"); done < <(compgen -c -- "$2") ;;
  esac
}

# Offers what begins as the word does. Readline replaces only what follows the last = or :, so the rest is cut off.
_forgectl_reply() {
  local prefix=$1 candidate text head='' part char
  for char in = :; do
    [[ $COMP_WORDBREAKS == *"$char"* && $current == *"$char"* ]] || continue
    part=${current%"${current##*"$char"}"}
    if ((${#part} > ${#head})); then head=$part; fi
  done
  for candidate in "${found[@]}"; do
    [[ -n $candidate && $prefix$candidate == "$current"* ]] || continue
    printf -v text %q "$prefix$candidate"
    # Escaped, a comma would be escaped again with the next item of its list.
    text=${text//\\,/,}
    COMPREPLY+=("${text#"$head"}")
    if [[ $candidate == *= ]]; then compopt -o nospace 2>/dev/null; fi
  done
}

_forgectl() {
  local IFS=$' \t\n' globals='--profile --base-url --registry-url --output -o --fields --jq --no-header --dry-run -n --yes -y --no-input --quiet -q --debug --ca-file --timeout --retries --concurrency --color --help -h'
  local words count current path pending after asked given source='' prefix='' found=()
  local children flags sources rest through
  COMPREPLY=()
  _forgectl_words
  current=${words[count-1]}
  _forgectl_walk
  if [[ -n $asked ]]; then
    source="words $children"
    if [[ -z $path ]]; then source+=' exit-codes environment output'; fi
  elif [[ -n $pending ]]; then _forgectl_source "$path" "$pending"
  elif [[ -z $after && $current == --*=* ]]; then
    prefix=${current%%=*}=
    _forgectl_source "$path" "${current%%=*}"
  elif [[ -z $after && $current == -* ]]; then source="words $flags $globals"
  elif [[ -n $children ]]; then source="words $children"
  elif ((given < ${#sources[@]})); then source=${sources[given]}
  elif [[ -n $through ]]; then source='file'
  elif [[ -n $rest ]]; then source=${sources[${#sources[@]} - 1]}
  elif [[ -z $after ]]; then source="words $flags $globals"
  fi
  if [[ $source == file ]]; then return; fi
  compopt +o default 2>/dev/null
  _forgectl_find "$source" "${current#"$prefix"}"
  _forgectl_reply "$prefix"
}

complete -o default -F _forgectl forgectl
