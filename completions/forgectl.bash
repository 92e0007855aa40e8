# bash completion for forgectl; written from its commands by "npm run generate".
# Load it with: source <(forgectl completion bash)

_forgectl_place() {
  children='' flags='' sources=() rest='' through=''
  case $1 in
  '') children='auth profiles users events job-token errors settings api sandbox completion commands help' flags='--version -V' ;;
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
  'users') children='list get me' ;;
  'users list') flags='--username --search --active --external --blocked --humans --created-after --created-before --exclude-active --exclude-external --exclude-humans --exclude-internal --without-project-bots --extern-uid --provider --order-by --sort --two-factor --without-projects --admins --auditors --saml-provider-id --skip-ldap --custom-attribute --with-custom-attributes --keyset --limit -L --page --per-page' ;;
  'users get') flags='--with-custom-attributes' sources=('none') ;;
  'users me') flags='--sudo' ;;
  'events') children='list' ;;
  'events list') flags='--user --project -p --action --target-type --before --after --sort --scope --limit -L --page --per-page' ;;
  'job-token') children='get limit projects groups' ;;
  'job-token get') flags='--project -p' ;;
  'job-token limit') flags='--project -p' sources=('words on off') ;;
  'job-token projects') children='list add remove' ;;
  'job-token projects list') flags='--project -p --limit -L --page --per-page' ;;
  'job-token projects add') flags='--project -p' sources=('none') ;;
  'job-token projects remove') flags='--project -p' sources=('none') ;;
  'job-token groups') children='list add remove' ;;
  'job-token groups list') flags='--project -p --limit -L --page --per-page' ;;
  'job-token groups add') flags='--project -p' sources=('none') ;;
  'job-token groups remove') flags='--project -p' sources=('none') ;;
  'errors') children='settings enable disable keys' ;;
  'errors settings') children='get set' ;;
  'errors settings get') flags='--project -p' ;;
  'errors settings set') flags='--active --integrated --project -p' ;;
  'errors enable') flags='--project -p --integrated' ;;
  'errors disable') flags='--project -p --integrated' ;;
  'errors keys') children='list create delete rotate' ;;
  'errors keys list') flags='--project -p --reveal --limit -L --page --per-page' ;;
  'errors keys create') flags='--project -p --reveal' ;;
  'errors keys delete') flags='--project -p' sources=('none') rest=1 ;;
  'errors keys rotate') flags='--project -p --dsn-file --reveal --check' sources=('none') ;;
  'settings') children='list get set explain' ;;
  'settings list') flags='--limit -L --page --per-page' ;;
  'settings get') sources=('ask setting') rest=1 ;;
  'settings set') flags='--strict' sources=('ask assignment') rest=1 ;;
  'settings explain') sources=('ask setting') ;;
  'api') flags='--method -X --raw-field -f --field -F --header -H --input --paginate --include -i' sources=('none') ;;
  'sandbox') children='start exec' ;;
  'sandbox start') flags='--port --data --latency --fault --tier --hosting' ;;
  'sandbox exec') flags='--data --latency --fault --tier --hosting --as' sources=('command') rest=1 through=1 ;;
  'completion') sources=('words bash zsh fish powershell') ;;
  'commands') flags='--global-flags' ;;
  esac
}

_forgectl_value() {
  source=''
  case $1 in
  ' --profile') source='ask profile' ;;
  ' --base-url' | ' --registry-url' | ' --fields' | ' --jq' | ' --timeout' | ' --retries' | ' --concurrency' | 'auth login --token-command' | 'profiles list --page' | 'profiles list --per-page' | 'users list --username' | 'users list --search' | 'users list --created-after' | 'users list --created-before' | 'users list --extern-uid' | 'users list --provider' | 'users list --saml-provider-id' | 'users list --custom-attribute' | 'users list --page' | 'users list --per-page' | 'users me --sudo' | 'events list --user' | 'events list --action' | 'events list --target-type' | 'events list --before' | 'events list --after' | 'events list --page' | 'events list --per-page' | 'job-token projects list --page' | 'job-token projects list --per-page' | 'job-token groups list --page' | 'job-token groups list --per-page' | 'errors keys list --page' | 'errors keys list --per-page' | 'errors keys rotate --check' | 'settings list --page' | 'settings list --per-page' | 'api --raw-field' | 'api -f' | 'api --field' | 'api -F' | 'api --header' | 'api -H' | 'sandbox start --port' | 'sandbox start --latency' | 'sandbox start --fault' | 'sandbox exec --latency' | 'sandbox exec --fault') source='none' ;;
  ' --output' | ' -o') source='words table json ndjson yaml csv tsv' ;;
  ' --color') source='words auto always never' ;;
  'auth login --token-file' | 'errors keys rotate --dsn-file' | 'api --input' | 'sandbox start --data' | 'sandbox exec --data') source='file' ;;
  'profiles list --limit' | 'profiles list -L' | 'users list --limit' | 'users list -L' | 'events list --scope' | 'events list --limit' | 'events list -L' | 'job-token projects list --limit' | 'job-token projects list -L' | 'job-token groups list --limit' | 'job-token groups list -L' | 'errors keys list --limit' | 'errors keys list -L' | 'settings list --limit' | 'settings list -L') source='words all' ;;
  'users list --order-by') source='words id name username created_at updated_at' ;;
  'users list --sort' | 'events list --sort') source='words asc desc' ;;
  'users list --two-factor') source='words enabled disabled' ;;
  'events list --project' | 'events list -p' | 'job-token get --project' | 'job-token get -p' | 'job-token limit --project' | 'job-token limit -p' | 'job-token projects list --project' | 'job-token projects list -p' | 'job-token projects add --project' | 'job-token projects add -p' | 'job-token projects remove --project' | 'job-token projects remove -p' | 'job-token groups list --project' | 'job-token groups list -p' | 'job-token groups add --project' | 'job-token groups add -p' | 'job-token groups remove --project' | 'job-token groups remove -p' | 'errors settings get --project' | 'errors settings get -p' | 'errors settings set --project' | 'errors settings set -p' | 'errors enable --project' | 'errors enable -p' | 'errors disable --project' | 'errors disable -p' | 'errors keys list --project' | 'errors keys list -p' | 'errors keys create --project' | 'errors keys create -p' | 'errors keys delete --project' | 'errors keys delete -p' | 'errors keys rotate --project' | 'errors keys rotate -p') source='ask project' ;;
  'errors settings set --active' | 'errors settings set --integrated' | 'errors enable --integrated' | 'errors disable --integrated') source='words true false' ;;
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
    COMPREPLY+=("${text#"$head"}")
    if [[ $candidate == *= ]]; then compopt -o nospace 2>/dev/null; fi
  done
}

_forgectl() {
  local IFS=$' \t\n' globals='--profile --base-url --registry-url --output -o --fields --jq --no-header --dry-run -n --yes -y --no-input --quiet -q --debug --timeout --retries --concurrency --color --help -h'
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
