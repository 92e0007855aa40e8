import { quoted } from "../base/line.ts";
import { helpTopics, type WordTables } from "./words.ts";

/** Completion for bash 3.2 and later; bash shows no descriptions. */
export function bashScript({ places, globals, values }: WordTables): string {
  const placeCases = places.map(({ path, children, flags, arguments: sources, rest, through }) => {
    const parts = [
      ...(children.length > 0 ? [`children=${quoted(children.map(({ word }) => word).join(" "))}`] : []),
      ...(flags.length > 0 ? [`flags=${quoted(flags.map(({ word }) => word).join(" "))}`] : []),
      ...(sources.length > 0 ? [`sources=(${sources.map(quoted).join(" ")})`] : []),
      ...(rest ? ["rest=1"] : []),
      ...(through ? ["through=1"] : []),
    ];
    return `  ${quoted(path)}) ${parts.length === 0 ? ":" : parts.join(" ")} ;;`;
  });
  const valueCases = values.map(({ source, keys }) => `  ${keys.map(quoted).join(" | ")}) source=${quoted(source)} ;;`);
  return template
    .replaceAll("@{", "${")
    .replace("@topics@", helpTopics.join(" "))
    .replace("@globals@", () => quoted(globals.map(({ word }) => word).join(" ")))
    .replace("@places@", () => placeCases.join("\n"))
    .replace("@values@", () => valueCases.join("\n"));
}

/** The part that stays the same; `@{` stands for the shell's own `${`. */
const template = String.raw`# bash completion for forgectl; written from its commands by "npm run generate".
# Load it with: source <(forgectl completion bash)

_forgectl_place() {
  children='' flags='' sources=() rest='' through=''
  case $1 in
@places@
  esac
}

_forgectl_value() {
  source=''
  case $1 in
@values@
  esac
}

_forgectl_source() {
  _forgectl_value "$1 $2"
  [[ -n $source ]] || _forgectl_value " $2"
}

# Bash has split the line at = and : as well; this puts its words together again, up to the cursor.
_forgectl_words() {
  local line=@{COMP_LINE:0:COMP_POINT} word i
  words=() count=0
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=@{COMP_WORDS[i]}
    if [[ $count -eq 0 || $line == [[:space:]]* ]]; then
      line=@{line#"@{line%%[![:space:]]*}"}
      words[count]='' count=$((count + 1))
    fi
    if ((i == COMP_CWORD)); then word=$line; fi
    words[count-1]+=$word
    line=@{line#"$word"}
  done
}

# Goes along the words before the cursor: which command it is, how many arguments it has, what the last flag wants.
_forgectl_walk() {
  local word i
  path='' pending='' after='' asked='' given=0
  _forgectl_place ''
  for ((i = 1; i < count - 1; i++)); do
    word=@{words[i]}
    if [[ -n $pending ]]; then pending=''
    elif [[ -n $after ]]; then given=$((given + 1))
    elif [[ $word == -- ]]; then after=1
    elif [[ $word == --*=* ]]; then :
    elif [[ $word == -?* ]]; then
      _forgectl_source "$path" "$word"
      [[ -z $source ]] || pending=$word
    elif [[ $word == help && -z $path && -z $asked ]]; then asked=1
    elif [[ " $children " == *" $word "* ]]; then
      path="@{path:+$path }$word"
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
  'words '*) IFS=' ' read -r -a found <<<"@{1#words }" ;;
  'ask '*)
    while IFS=$'\t' read -r line _; do
      found+=("$line")
    done < <(command forgectl __complete "@{1#ask }" "$2" 2>/dev/null)
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
    part=@{current%"@{current##*"$char"}"}
    if ((@{#part} > @{#head})); then head=$part; fi
  done
  for candidate in "@{found[@]}"; do
    [[ -n $candidate && $prefix$candidate == "$current"* ]] || continue
    printf -v text %q "$prefix$candidate"
    # Escaped, a comma would be escaped again with the next item of its list.
    text=@{text//\\,/,}
    COMPREPLY+=("@{text#"$head"}")
    if [[ $candidate == *= ]]; then compopt -o nospace 2>/dev/null; fi
  done
}

_forgectl() {
  local IFS=$' \t\n' globals=@globals@
  local words count current path pending after asked given source='' prefix='' found=()
  local children flags sources rest through
  COMPREPLY=()
  _forgectl_words
  current=@{words[count-1]}
  _forgectl_walk
  if [[ -n $asked ]]; then
    source="words $children"
    if [[ -z $path ]]; then source+=' @topics@'; fi
  elif [[ -n $pending ]]; then _forgectl_source "$path" "$pending"
  elif [[ -z $after && $current == --*=* ]]; then
    prefix=@{current%%=*}=
    _forgectl_source "$path" "@{current%%=*}"
  elif [[ -z $after && $current == -* ]]; then source="words $flags $globals"
  elif [[ -n $children ]]; then source="words $children"
  elif ((given < @{#sources[@]})); then source=@{sources[given]}
  elif [[ -n $through ]]; then source='file'
  elif [[ -n $rest ]]; then source=@{sources[@{#sources[@]} - 1]}
  elif [[ -z $after ]]; then source="words $flags $globals"
  fi
  if [[ $source == file ]]; then return; fi
  compopt +o default 2>/dev/null
  _forgectl_find "$source" "@{current#"$prefix"}"
  _forgectl_reply "$prefix"
}

complete -o default -F _forgectl forgectl
`;
