# PowerShell completion for forgectl, printed by "forgectl completion powershell"

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
