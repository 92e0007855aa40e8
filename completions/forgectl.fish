# fish completion for forgectl, printed by "forgectl completion fish"

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
