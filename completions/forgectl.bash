# bash completion for forgectl, printed by "forgectl completion bash"

_forgectl() {
  local line word width=0
  COMPREPLY=()
  compopt +o default 2>/dev/null
  case ${COMP_TYPE-} in 9 | 33 | 63 | 64) width=${COLUMNS:-80} ;; esac
  while IFS= read -r line; do
    case $line in
    :file) compopt -o default 2>/dev/null ;;
    :folder) compopt -o dirnames 2>/dev/null ;;
    :command)
      while IFS= read -r word; do
        printf -v word %q "$word"
        COMPREPLY+=("$word")
      done < <(compgen -c -- "$2")
      ;;
    *)
      COMPREPLY+=("$line")
      if [[ $line == *[=:,.@/] ]]; then compopt -o nospace 2>/dev/null; fi
      ;;
    esac
  done < <(command forgectl __complete --bash "$COMP_WORDBREAKS" "$width" -- "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
}

complete -o default -F _forgectl forgectl
