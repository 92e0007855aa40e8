// The script that each shell loads: a few lines that call the program on TAB. `@{` is replaced by the shells' `${`.

export const shells = ["bash", "zsh", "fish", "powershell"] as const;
export type ShellName = (typeof shells)[number];

/** The completion script of a shell. It never changes with the commands: `forgectl __complete` answers for them. */
export function completionScript(shell: ShellName): string {
  return scripts[shell].replaceAll("@{", "${");
}

/**
 * For bash 3.2 and later, which shows descriptions as a part of the words: only where it lists them (TAB, and the
 * listings of COMP_TYPE), never where it inserts one. Readline quotes the files and folders that it completes.
 */
const bash = `# bash completion for forgectl, printed by "forgectl completion bash"

_forgectl() {
  local line word width=0
  COMPREPLY=()
  compopt +o default 2>/dev/null
  case @{COMP_TYPE-} in 9 | 33 | 63 | 64) width=@{COLUMNS:-80} ;; esac
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
  done < <(command forgectl __complete --bash "$COMP_WORDBREAKS" "$width" -- "@{COMP_LINE:0:COMP_POINT}" 2>/dev/null)
}

complete -o default -F _forgectl forgectl
`;

/** For zsh 5, as a function for fpath that can be sourced too. */
const zsh = String.raw`#compdef forgectl
# zsh completion for forgectl, printed by "forgectl completion zsh"

_forgectl() {
  local line word own
  local -a whole open
  for line in "@{(@f)$(command forgectl __complete --line -- "@{words[1,CURRENT-1]} $PREFIX" 2>/dev/null)}"; do
    if [[ $line == :* ]]; then own=$line; continue; fi
    word=@{line%%$'\t'*}
    # zsh does not quote for backticks, which read these once more.
    if [[ $PREBUFFER$LBUFFER == *\`* && $word == *[\\\`\$\"]* ]]; then continue; fi
    line="@{@{word//\\/\\\\}//:/\\:}@{@{@{line#$word}//\\/\\\\}/$'\t'/:}"
    if [[ $word == *[=:,.@] ]]; then open+=("$line"); elif [[ -n $word ]]; then whole+=("$line"); fi
  done
  _describe -t values value whole -- open -S ''
  if [[ -n $own ]]; then compset -p "@{own#* }"; fi
  case $own in
  (:file*) _files ;;
  (:folder*) _files -/ ;;
  (:command*) _command_names -e ;;
  esac
}

if [[ $funcstack[1] == _forgectl ]]; then
  _forgectl "$@"
else
  if (( ! $+functions[compdef] )); then autoload -Uz compinit && compinit; fi
  compdef _forgectl forgectl
fi
`;

/** For fish 3.1 and later. */
const fish = String.raw`# fish completion for forgectl, printed by "forgectl completion fish"

function __forgectl_complete
    set -l word (commandline -ct | string replace -r '^[\'"]' '')
    for line in (command forgectl __complete --line -- (commandline -pc | string collect) 2>/dev/null)
        set -l own (string split ' ' -- $line)
        set -l start (string sub -l "$own[2]" -- "$word" 2>/dev/null)
        switch $line
            case ':file *'
                string replace -r '^' -- "$start" (__fish_complete_path (string sub -s (math $own[2] + 1) -- "$word"))
            case ':folder *'
                string replace -r '^' -- "$start" (__fish_complete_directories (string sub -s (math $own[2] + 1) -- "$word"))
            case ':command *'
                __fish_complete_command
            case '*'
                printf '%s\n' $line
        end
    end
end

complete -c forgectl -e
complete -c forgectl -f -a '(__forgectl_complete)'
`;

/**
 * For PowerShell 5 and later. It completes paths by itself if nothing else is offered. The program quotes the words, so
 * that one place knows how; its answer is ASCII, whatever the console's encoding.
 */
const powershell = String.raw`# PowerShell completion for forgectl, printed by "forgectl completion powershell"

Register-ArgumentCompleter -Native -CommandName forgectl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object {
      if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value }
      else { $_.Extent.Text }
    })
  # Older versions do not hand on an empty word.
  $next = if ($wordToComplete) { @('--powershell') } else { @('--powershell', '--next') }
  & forgectl __complete @next -- @words 2>$null | ForEach-Object {
    $typed, $word, $description = $_ -split '\t' | ForEach-Object { [regex]::Unescape($_) }
    [System.Management.Automation.CompletionResult]::new($typed, $word, 'ParameterValue', $description)
  }
}
`;

const scripts: Readonly<Record<ShellName, string>> = { bash, zsh, fish, powershell };
