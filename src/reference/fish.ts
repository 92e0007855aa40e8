import { helpTopics, type Word, type WordTables } from "./words.ts";

/** Completion for fish 3. */
export function fishScript({ places, globals, values }: WordTables): string {
  const cases = (pick: (place: WordTables["places"][number]) => string) =>
    places.flatMap((place) => {
      const body = pick(place);
      return body === "" ? [] : [`        case ${quote(place.path)}\n            ${body}`];
    });
  const sources = cases(({ arguments: each }) =>
    each.length === 0 ? "" : `printf '%s\\n' ${each.map(quote).join(" ")}`,
  );
  const traits = cases(({ rest, through }) => (rest || through ? `echo ${through ? "through" : "rest"}` : ""));
  const valueCases = values.map(
    ({ source, keys }) => `        case ${keys.map(quote).join(" ")}\n            echo ${quote(source)}`,
  );
  return template
    .replace("@children@", () => cases(({ children }) => print(children)).join("\n"))
    .replace("@flags@", () => cases(({ flags }) => print(flags)).join("\n"))
    .replace("@globals@", () => print(globals))
    .replace("@sources@", () => sources.join("\n"))
    .replace("@traits@", () => traits.join("\n"))
    .replace("@values@", () => valueCases.join("\n"))
    .replace("@topics@", print(helpTopics.map((word) => ({ word, description: "Help topic" }))));
}

function print(words: readonly Word[]): string {
  if (words.length === 0) return "";
  const pairs = words.map(({ word, description }) => `${quote(word)} ${quote(description)}`);
  return `printf '%s\\t%s\\n' \\\n                ${pairs.join(" \\\n                ")}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

const template = String.raw`# fish completion for forgectl; written from its commands by "npm run generate".
# Put it into ~/.config/fish/completions/, or load it with: forgectl completion fish | source

function __forgectl_children
    switch "$argv[1]"
@children@
    end
end

function __forgectl_flags
    switch "$argv[1]"
@flags@
    end
    @globals@
end

function __forgectl_sources
    switch "$argv[1]"
@sources@
    end
end

function __forgectl_traits
    switch "$argv[1]"
@traits@
    end
end

function __forgectl_value
    switch "$argv[1]"
@values@
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
            @topics@
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
`;
