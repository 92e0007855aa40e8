import { dirname, isAbsolute, join } from "node:path";
import { entity, oneOf, outcome, uncut } from "../../api/field.ts";
import { UsageError } from "../../base/errors.ts";
import { quoted } from "../../base/line.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import type { Environment } from "../../host.ts";
import { completionScript, type Shell, shells } from "../../reference/stubs.ts";

const InstalledFile = entity("InstalledFile", {
  path: uncut("File that the shell reads"),
  change: outcome("created, updated, unchanged"),
});

export const install = command({
  name: "install",
  summary: "Install completion for a shell",
  details:
    "Writes the script to a file and, except for fish, adds one line that loads it to the shell's start-up file: " +
    "~/.bashrc, .zshrc (in ZDOTDIR or the home folder), or PowerShell's profile.ps1. The default is " +
    "the shell that SHELL names. Files that are up to date are not changed.",
  params: { shell: oneOf(shells, "Shell to install it for") },
  returns: InstalledFile,
  examples: [
    { line: "completion install" },
    { line: "completion install --shell zsh --dry-run", note: "what would be written, and where" },
  ],
  related: ["completion bash", "completion zsh", "completion fish", "completion powershell"],
  standalone: true,
  async run(context, { shell = shellOf(context.env) }) {
    const rows: { path: string; change: string }[] = [];
    for (const { path, edit } of placesOf(shell, context.env))
      rows.push({ path, change: await put(context, path, edit) });
    if (context.config.dryRun) context.notice("a dry run: nothing is written");
    else if (rows.some(({ change }) => change !== "unchanged")) context.notice(`open a new ${shell} to use it`);
    return { rows, columns: ["path", "change"] };
  },
});

/** A file, and its new text. */
interface Place {
  path: string;
  edit(before: string): string;
}

/** The shell that the environment names; undefined if there is no completion for it. */
export function shellIn(env: Environment): Shell | undefined {
  const name = /([^/\\]+?)(?:\.exe)?$/i.exec(env.SHELL ?? "")?.[1];
  const found = shells.find((each) => each === (name === "pwsh" ? "powershell" : name));
  // Windows has no SHELL.
  return found ?? (!env.SHELL && env.LOCALAPPDATA ? "powershell" : undefined);
}

function shellOf(env: Environment): Shell {
  const found = shellIn(env);
  if (found !== undefined) return found;
  throw new UsageError("which shell? SHELL does not name a supported one", {
    code: "missing_flag",
    hint: `give one with --shell: ${shells.join(", ")}`,
  });
}

/** The state that `completion install` would find: up to date, not installed, or different. */
export async function installedFor(shell: Shell, { files, env, config }: Context): Promise<"whole" | "none" | "other"> {
  const places = placesOf(shell, env);
  const dry = { files, config: { ...config, dryRun: true } };
  const changes = await Promise.all(places.map(({ path, edit }) => put(dry, path, edit)));
  if (changes.every((change) => change === "unchanged")) return "whole";
  return changes[0] === "created" ? "none" : "other";
}

function placesOf(shell: Shell, env: Environment): Place[] {
  const home = env.HOME || env.USERPROFILE;
  if (!home) throw new UsageError("HOME is not set, so the target folder is unknown");
  const base = (variable: string, ...otherwise: string[]) => {
    const given = env[variable];
    return given && isAbsolute(given) ? given : join(home, ...otherwise);
  };
  const script = (...path: string[]): Place => ({ path: join(...path), edit: () => completionScript(shell) });
  const loaded = (file: Place, start: string, line: string): Place[] => [
    file,
    { path: start, edit: (before) => withLine(before, line) },
  ];
  switch (shell) {
    case "fish":
      return [script(base("XDG_CONFIG_HOME", ".config"), "fish", "completions", "forgectl.fish")];
    case "bash": {
      const file = script(base("XDG_DATA_HOME", ".local", "share"), "bash-completion", "completions", "forgectl");
      return loaded(file, join(home, ".bashrc"), `source ${quoted(file.path)}`);
    }
    case "zsh": {
      const file = script(base("XDG_DATA_HOME", ".local", "share"), "zsh", "site-functions", "_forgectl");
      return loaded(file, join(base("ZDOTDIR"), ".zshrc"), `source ${quoted(file.path)}`);
    }
    case "powershell": {
      const folder = env.LOCALAPPDATA
        ? join(home, "Documents", "PowerShell")
        : join(base("XDG_CONFIG_HOME", ".config"), "powershell");
      const file = script(folder, "forgectl-completion.ps1");
      return loaded(file, join(folder, "profile.ps1"), `. '${file.path.replaceAll("'", "''")}'`);
    }
  }
}

function withLine(text: string, line: string): string {
  if (text.split(/\r?\n/).includes(line)) return text;
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`;
}

/** Writes a file if its text changes. A link is kept: its target is written. */
async function put(
  { files, config }: Pick<Context, "files" | "config">,
  path: string,
  edit: (before: string) => string,
): Promise<string> {
  const real = (await files.real(path)) ?? path;
  const facts = await files.facts(real);
  const before = facts === undefined ? "" : new TextDecoder("utf-8", { fatal: true }).decode(await files.read(real));
  const after = edit(before);
  if (after === before) return "unchanged";
  if (!config.dryRun) {
    await files.makeFolder(dirname(real));
    await files.write(real, after, { mode: facts === undefined ? 0o644 : facts.mode & 0o777 });
  }
  return facts === undefined ? "created" : "updated";
}
