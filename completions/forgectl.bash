# bash completion for forgectl, printed by "forgectl completion bash"

_forgectl() {
  local IFS=$'\n' line path
  COMPREPLY=()
  compopt +o default 2>/dev/null
  while read -r line; do
    case $line in
    :file | :folder | :command) path='' ;;
    :*) path=${line#* } ;;
    *)
      COMPREPLY+=("$line")
      if [[ $line == *[=:,.@] ]]; then compopt -o nospace 2>/dev/null; fi
      continue
      ;;
    esac
    case $line in
    :file) compopt -o default 2>/dev/null ;;
    :file*) COMPREPLY+=($(compgen -f -P "$path" -- "${2#"$path"}")) ;;
    :folder*) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -P "$path" -- "${2#"$path"}")) ;;
    :command*) COMPREPLY+=($(compgen -c -- "$2")) ;;
    esac
  done < <(command forgectl __complete --bash "$COMP_WORDBREAKS" -- "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
}

complete -o default -F _forgectl forgectl
