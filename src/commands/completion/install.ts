import { dirname, isAbsolute, join } from "node:path";
import { entity, oneOf, outcome, uncut } from "../../api/field.ts";
import { UsageError } from "../../base/errors.ts";
import { quoted, quotedForPowerShell } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import type { Environment, Files } from "../../host.ts";
import { completionScript, type Shell, shells } from "../../reference/stubs.ts";
import { utf8 } from "../../transfer/source.ts";

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
    const { files, config } = context;
    // All files are read first, so that none is written if one of them cannot be edited.
    const edits = await editsFor(shell, context);
    if (config.dryRun) context.notice("a dry run: nothing is written");
    else for (const edit of edits) await write(files, edit);
    const isChanged = edits.some(({ change }) => change !== "unchanged");
    if (isChanged && !config.dryRun) context.notice(`open a new ${shell} to use it`);
    return { rows: edits.map(({ path, change }) => ({ path, change })), columns: ["path", "change"] };
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

/** How what is installed compares with what `completion install` would write. */
export async function installedFor(
  shell: Shell,
  context: Pick<Context, "files" | "env">,
): Promise<"current" | "missing" | "different"> {
  const edits = await editsFor(shell, context);
  if (edits.every(({ change }) => change === "unchanged")) return "current";
  return edits[0]?.change === "created" ? "missing" : "different";
}

function placesOf(shell: Shell, env: Environment): Place[] {
  const home = env.HOME || env.USERPROFILE;
  if (!home) throw new UsageError("HOME is not set, so the target folder is unknown");
  if (!isAbsolute(home)) throw new UsageError(`HOME: ${JSON.stringify(home)} is not an absolute path`);
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
      return loaded(file, join(folder, "profile.ps1"), `. ${quotedForPowerShell(file.path)}`);
    }
  }
}

function withLine(text: string, line: string): string {
  if (text.split(/\r?\n/).includes(line)) return text;
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`;
}

/** A file to be written, and its new text. */
interface Edit {
  /** As the shell names it. */
  path: string;
  /** The target, if it is a link: links are kept. */
  target: string;
  after: string;
  mode: number;
  change: "created" | "updated" | "unchanged";
}

/** Reads each file that the shell needs; one that is not UTF-8 text is a UsageError. */
function editsFor(shell: Shell, { files, env }: Pick<Context, "files" | "env">): Promise<Edit[]> {
  return Promise.all(
    placesOf(shell, env).map(async ({ path, edit }): Promise<Edit> => {
      const target = (await files.real(path)) ?? path;
      const facts = await files.facts(target);
      if (facts === undefined) return { path, target, after: edit(""), mode: 0o644, change: "created" };
      const before = textIn(await files.read(target), target);
      const after = edit(before);
      return { path, target, after, mode: facts.mode & 0o777, change: after === before ? "unchanged" : "updated" };
    }),
  );
}

/** The text with its byte order mark, which PowerShell needs. Other encodings are refused: an edit damages them. */
function textIn(bytes: Uint8Array, path: string): string {
  try {
    const text = utf8(bytes, path);
    return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? `\uFEFF${text}` : text;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw error.with({ hint: "convert it to UTF-8, then run forgectl completion install" });
  }
}

async function write(files: Files, { target, after, mode, change }: Edit): Promise<void> {
  if (change === "unchanged") return;
  await files.makeFolder(dirname(target));
  await files.write(target, after, { mode });
}
