import { helpTopics, type Word, type WordTables } from "./words.ts";

/** Completion for PowerShell 7. Where nothing is returned, PowerShell offers files by itself. */
export function powershellScript({ places, globals, values }: WordTables): string {
  const cases = (pick: (place: WordTables["places"][number]) => readonly string[]) =>
    places.flatMap((place) => {
      const items = pick(place);
      return items.length === 0 ? [] : [`    ${quote(place.path)} { return @(\n${lines(items)}\n    ) }`];
    });
  const traits = cases(({ rest, through }) => (through ? ["through"] : rest ? ["rest"] : []));
  const valueCases = values.map(
    ({ source, keys }) => `    { $_ -cin @(\n${lines(keys)}\n    ) } { return ${quote(source)} }`,
  );
  return template
    .replace("@children@", () => cases(({ children }) => children.map(pair)).join("\n"))
    .replace("@flags@", () => cases(({ flags }) => flags.map(pair)).join("\n"))
    .replace("@globals@", () => lines(globals.map(pair)))
    .replace("@sources@", () => cases(({ arguments: sources }) => sources).join("\n"))
    .replace("@traits@", () => traits.join("\n"))
    .replace("@values@", () => valueCases.join("\n"))
    .replace("@topics@", helpTopics.map((topic) => quote(`${topic} Help topic`)).join(", "));
}

/** A word and its description in one string; the first space ends the word. */
function pair({ word, description }: Word): string {
  return `${word} ${description}`;
}

function lines(items: readonly string[]): string {
  return items.map((item) => `      ${quote(item)}`).join("\n");
}

/** PowerShell takes typographic apostrophes for its own quote as well; each is doubled. */
function quote(text: string): string {
  return `'${text.replace(/['\u2018\u2019\u201a\u201b]/g, "$&$&")}'`;
}

const template = String.raw`# PowerShell completion for forgectl; written from its commands by "npm run generate".
# Load it from $PROFILE with: forgectl completion powershell | Out-String | Invoke-Expression

function __forgectl_children([string] $At) {
  switch -CaseSensitive -Exact ($At) {
@children@
  }
}

function __forgectl_flags([string] $At) {
  switch -CaseSensitive -Exact ($At) {
@flags@
  }
}

function __forgectl_sources([string] $At) {
  switch -CaseSensitive -Exact ($At) {
@sources@
  }
}

function __forgectl_trait([string] $At) {
  switch -CaseSensitive -Exact ($At) {
@traits@
  }
}

function __forgectl_value([string] $Key) {
  switch -CaseSensitive -Exact ($Key) {
@values@
  }
}

function __forgectl_source([string] $At, [string] $Flag) {
  $source = __forgectl_value "$At $Flag"
  if (-not $source) { $source = __forgectl_value " $Flag" }
  return $source
}

# What a source has to offer: words, each with its description after a space.
function __forgectl_find([string] $Source, [string] $Word) {
  if ($Source -clike 'words *') { return $Source.Substring(6) -split ' ' }
  if ($Source -clike 'ask *') {
    return & forgectl __complete ($Source.Substring(4)) "$Word" 2>$null | ForEach-Object { $_ -creplace "\t", ' ' }
  }
  if ($Source -ceq 'command') { return (Get-Command -Name "$Word*" -CommandType Application, Cmdlet).Name }
}

Register-ArgumentCompleter -Native -CommandName forgectl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $globals = @(
@globals@
  )
  $at = ''; $pending = ''; $after = $false; $asked = $false; $given = 0
  $children = @(__forgectl_children '')
  $names = @($children | ForEach-Object { ($_ -split ' ', 2)[0] })
  $elements = @($commandAst.CommandElements | Select-Object -Skip 1)
  foreach ($element in $elements) {
    if ($element.Extent.EndOffset -gt $cursorPosition) { break }
    if ($element.Extent.EndOffset -eq $cursorPosition -and $wordToComplete) { break }
    $each = $element.Extent.Text
    if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $each = $element.Value }
    if ($pending) { $pending = '' }
    elseif ($after) { $given++ }
    elseif ($each -ceq '--') { $after = $true }
    elseif ($each -clike '--*=*') { }
    elseif ($each -clike '-?*') { if (__forgectl_source $at $each) { $pending = $each } }
    elseif ($each -ceq 'help' -and -not $at -and -not $asked) { $asked = $true }
    elseif ($names -ccontains $each) {
      $at = "$at $each".Trim()
      $children = @(__forgectl_children $at)
      $names = @($children | ForEach-Object { ($_ -split ' ', 2)[0] })
    }
    else {
      $given++
      if ((__forgectl_trait $at) -ceq 'through') { $after = $true }
    }
  }

  $sources = @(__forgectl_sources $at)
  $trait = __forgectl_trait $at
  $prefix = ''
  $found = @()
  if ($asked) {
    $found = $children
    if (-not $at) { $found += @topics@ }
  }
  elseif ($pending) { $found = __forgectl_find (__forgectl_source $at $pending) $wordToComplete }
  elseif (-not $after -and $wordToComplete -clike '--*=*') {
    $flag, $value = $wordToComplete -split '=', 2
    $prefix = "$flag="
    $found = __forgectl_find (__forgectl_source $at $flag) $value
  }
  elseif (-not $after -and $wordToComplete -clike '-*') { $found = @(__forgectl_flags $at) + $globals }
  elseif ($children.Count -gt 0) { $found = $children }
  elseif ($given -lt $sources.Count) { $found = __forgectl_find $sources[$given] $wordToComplete }
  elseif ($trait -ceq 'through') { }
  elseif ($trait -ceq 'rest') { $found = __forgectl_find $sources[-1] $wordToComplete }
  elseif (-not $after) { $found = @(__forgectl_flags $at) + $globals }

  foreach ($item in $found) {
    $word, $description = $item -split ' ', 2
    $text = "$prefix$word"
    if (-not $text.StartsWith($wordToComplete, [System.StringComparison]::Ordinal)) { continue }
    if (-not $description) { $description = $word }
    $typed = $text
    if ($text -match '[\s''"$;&|<>(){}@#,]') { $typed = "'" + $text.Replace("'", "''") + "'" }
    [System.Management.Automation.CompletionResult]::new($typed, $text, 'ParameterValue', $description)
  }
}
`;
