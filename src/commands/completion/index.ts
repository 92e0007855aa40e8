import { completionScript, type ShellName, shells } from "../../reference/stubs.ts";
import { print } from "../../verbs/print.ts";
import { install } from "./install.ts";
import { uninstall } from "./uninstall.ts";

/** The name of a shell, and the file that an example writes. */
const about: Readonly<Record<ShellName, { title: string; line: string; before?: string; note: string }>> = {
  bash: {
    title: "bash",
    before: "mkdir -p ~/.local/share/bash-completion/completions",
    line: "completion bash > ~/.local/share/bash-completion/completions/forgectl",
    note: "for bash-completion",
  },
  zsh: {
    title: "zsh",
    before: "mkdir -p ~/.zfunc",
    line: "completion zsh > ~/.zfunc/_forgectl",
    note: "with ~/.zfunc in fpath",
  },
  fish: {
    title: "fish",
    before: "mkdir -p ~/.config/fish/completions",
    line: "completion fish > ~/.config/fish/completions/forgectl.fish",
    note: "for fish",
  },
  powershell: {
    title: "PowerShell",
    line: "completion powershell | Out-String | Invoke-Expression",
    note: "in $PROFILE",
  },
};

const scripts = shells.map((shell) => {
  const { title, ...example } = about[shell];
  return print(shell, () => completionScript(shell), {
    summary: `Print the completion script for ${title}`,
    details:
      "The script asks forgectl on TAB: commands, flags, their values, fields, settings, names in the stored profiles, " +
      "and what the instance lists: projects, groups, users, repositories, tags, hooks. That takes one request; TAB waits " +
      "0.3 s for the answer, and a later one is used by the next TAB. Answers are stored for 5 minutes, for " +
      "this user alone. FORGECTL_COMPLETION_TIMEOUT=0 turns requests off. The script stays the same when forgectl is updated.",
    examples: [example],
    related: ["completion install"],
    standalone: true,
  });
});

export const completion = [...scripts, install, uninstall];
