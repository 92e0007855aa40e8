import { quoted } from "../base/line.ts";
import { helpTopics, type Word, type WordTables } from "./words.ts";

/** Completion for zsh 5, as a function for fpath that can be sourced too. */
export function zshScript({ places, globals, values }: WordTables): string {
  const placeCases = places.map(({ path, children, flags, arguments: sources, rest, through }) => {
    const parts = [
      ...(children.length > 0 ? [`children=(\n${wordLines(children)}\n  )`] : []),
      ...(flags.length > 0 ? [`flags=(\n${wordLines(flags)}\n  )`] : []),
      ...(sources.length > 0 ? [`sources=(${sources.map(quoted).join(" ")})`] : []),
      ...(rest ? ["rest=1"] : []),
      ...(through ? ["through=1"] : []),
    ];
    return `  (${quoted(path)}) ${parts.length === 0 ? ":" : parts.join("; ")} ;;`;
  });
  const valueCases = values.map(({ source, keys }) => `  (${keys.map(quoted).join("|")}) source=${quoted(source)} ;;`);
  return template
    .replaceAll("@{", "${")
    .replace("@topics@", helpTopics.map((topic) => quoted(`${topic}:Help topic`)).join(" "))
    .replace("@globals@", () => `(\n${wordLines(globals)}\n  )`)
    .replace("@places@", () => placeCases.join("\n"))
    .replace("@values@", () => valueCases.join("\n"));
}

/** `_describe` takes `word:description`; a colon of the word's own is escaped, and so is every backslash. */
function wordLines(words: readonly Word[]): string {
  const escape = (text: string) => text.replaceAll("\\", "\\\\");
  return words
    .map(({ word, description }) => `    ${quoted(`${escape(word).replaceAll(":", "\\:")}:${escape(description)}`)}`)
    .join("\n");
}

/** The part that stays the same; `@{` stands for the shell's own `${`. */
const template = String.raw`#compdef forgectl
# zsh completion for forgectl; written from its commands by "npm run generate".
# Put it into a folder of fpath as _forgectl, or load it with: source <(forgectl completion zsh)

_forgectl_place() {
  children=() flags=() sources=() rest='' through=''
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

# Goes along the words before the cursor: which command it is, how many arguments it has, what the last flag wants.
_forgectl_walk() {
  local word
  integer i
  at='' pending='' after='' asked='' given=0
  _forgectl_place ''
  for ((i = 2; i < CURRENT; i++)); do
    word=@{(Q)words[i]}
    if [[ -n $pending ]]; then pending=''
    elif [[ -n $after ]]; then given=$((given + 1))
    elif [[ $word == -- ]]; then after=1
    elif [[ $word == --*=* ]]; then :
    elif [[ $word == -?* ]]; then
      _forgectl_source "$at" "$word"
      [[ -z $source ]] || pending=$word
    elif [[ $word == help && -z $at && -z $asked ]]; then asked=1
    elif (( @{children[(I)@{(b)word}:*]} )); then
      at="@{at:+$at }$word"
      _forgectl_place "$at"
    else
      given=$((given + 1))
      if [[ -n $through ]]; then after=1; fi
    fi
  done
}

_forgectl_offer() {
  local line expl
  local -a found open
  case $1 in
  ('words '*) found=(@{(s: :)1#words }); _wanted values expl value compadd -a found ;;
  ('ask '*)
    for line in @{(f)"$(command forgectl __complete "@{1#ask }" "$PREFIX" 2>/dev/null)"}; do
      if [[ @{line%%$'\t'*} == *= ]]; then open+=("@{line%%$'\t'*}"); continue; fi
      line=@{line//\\/\\\\}
      found+=("@{@{line%%$'\t'*}//:/\\:}:@{line#*$'\t'}")
    done
    if (( $#open )); then _wanted values expl value compadd -S '' -a open; fi
    if (( $#found )); then _describe -t values value found; fi
    ;;
  (file) _files ;;
  (directory) _files -/ ;;
  (command) _command_names -e ;;
  (none) _message value ;;
  esac
}

_forgectl() {
  local at pending after asked source rest through
  integer given
  local -a children flags sources
  local -a globals=@globals@
  _forgectl_walk
  if [[ -n $asked ]]; then
    if [[ -z $at ]]; then children+=(@topics@); fi
    _describe -t commands command children
  elif [[ -n $pending ]]; then
    _forgectl_source "$at" "$pending"
    _forgectl_offer "$source"
  elif [[ -z $after && $PREFIX == --*=* ]]; then
    _forgectl_source "$at" "@{PREFIX%%=*}"
    compset -P 1 '*='
    _forgectl_offer "$source"
  elif [[ -z $after && $PREFIX == -* ]]; then
    flags+=($globals)
    _describe -o -t options flag flags
  elif (( $#children )); then _describe -t commands command children
  elif (( given < $#sources )); then _forgectl_offer "$sources[given + 1]"
  elif [[ -n $through ]]; then _files
  elif [[ -n $rest ]]; then _forgectl_offer "$sources[-1]"
  elif [[ -z $after ]]; then
    flags+=($globals)
    _describe -o -t options flag flags
  fi
}

if [[ $funcstack[1] == _forgectl ]]; then
  _forgectl "$@"
else
  compdef _forgectl forgectl
fi
`;
