import { isAbsolute, join } from "node:path";
import { missing, UsageError } from "../../base/errors.ts";
import { quoted, quotedForPowerShell } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import type { Environment } from "../../host.ts";
import { type ShellName, shells } from "../../reference/stubs.ts";

// The files that `completion install` writes for each shell, and what it writes there.

/** What the folders depend on. */
export type User = Pick<Context, "env" | "home">;

/** A file, and its new text. */
export interface Place {
  path: string;
  /** The line that is added to it; undefined if the file is the script. */
  line: string | undefined;
}

/** The shell that the environment names; undefined if there is no completion for it. */
export function shellIn(env: Environment): ShellName | undefined {
  const name = env.SHELL?.split(/[/\\]/)
    .at(-1)
    ?.replace(/\.exe$/i, "");
  const found = shells.find((each) => each === (name === "pwsh" ? "powershell" : name));
  // Windows has no SHELL.
  return found ?? (!env.SHELL && env.LOCALAPPDATA ? "powershell" : undefined);
}

export function shellOf(env: Environment): ShellName {
  const found = shellIn(env);
  if (found !== undefined) return found;
  throw missing(`--shell <${shells.join("|")}>`, {
    code: "missing_flag",
    reason: "SHELL does not name a supported shell",
  });
}

export function placesOf(shell: ShellName, user: User): Place[] {
  const { env } = user;
  const home = homeOf(user);
  const script = (...path: string[]): Place => ({ path: join(...path), line: undefined });
  const loaded = (file: Place, start: string, line: string): Place[] => [file, { path: start, line }];
  switch (shell) {
    case "fish":
      return [script(base(home, env.XDG_CONFIG_HOME, ".config"), "fish", "completions", "forgectl.fish")];
    case "bash": {
      const file = script(
        base(home, env.XDG_DATA_HOME, ".local", "share"),
        "bash-completion",
        "completions",
        "forgectl",
      );
      return loaded(file, join(home, ".bashrc"), `source ${quoted(file.path)}`);
    }
    case "zsh": {
      const file = script(base(home, env.XDG_DATA_HOME, ".local", "share"), "zsh", "site-functions", "_forgectl");
      return loaded(file, join(base(home, env.ZDOTDIR), ".zshrc"), `source ${quoted(file.path)}`);
    }
    case "powershell": {
      const folder = env.LOCALAPPDATA
        ? join(home, "Documents", "PowerShell")
        : join(base(home, env.XDG_CONFIG_HOME, ".config"), "powershell");
      const file = script(folder, "forgectl-completion.ps1");
      return loaded(file, join(folder, "profile.ps1"), `. ${quotedForPowerShell(file.path)}`);
    }
  }
}

/** The folder of the man pages of this user, which `man` finds by itself if ~/.local/bin is in PATH. */
export function manualFolder(user: User): string {
  return join(base(homeOf(user), user.env.XDG_DATA_HOME, ".local", "share"), "man", "man1");
}

/** Where the Debian package and other packages put the script, for all users; PowerShell has no folder for that. */
export function packagedPlace(shell: ShellName): string | undefined {
  const below = {
    bash: "bash-completion/completions/forgectl",
    zsh: "zsh/vendor-completions/_forgectl",
    fish: "fish/vendor_completions.d/forgectl.fish",
    powershell: undefined,
  }[shell];
  return below && `/usr/share/${below}`;
}

function homeOf({ home }: User): string {
  if (home !== undefined) return home;
  throw new UsageError("this user has no home folder, so the target folder is unknown", { hint: "set HOME" });
}

function base(home: string, given: string | undefined, ...otherwise: string[]): string {
  return given && isAbsolute(given) ? given : join(home, ...otherwise);
}
