import { dirname, join } from "node:path";
import { boolean, entity, oneOf, outcome, uncut } from "../../api/field.ts";
import { UsageError } from "../../base/errors.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import type { Files } from "../../host.ts";
import { completionScript, type ShellName, shells } from "../../reference/stubs.ts";
import { utf8 } from "../../transfer/source.ts";
import { ownPages } from "../own-pages.ts";
import { manualFolder, placesOf, shellOf, type User } from "./places.ts";

export const InstalledFile = entity("InstalledFile", {
  path: uncut("File that the shell reads, or the folder of the man pages"),
  change: outcome("created, updated, unchanged, removed"),
});

export const install = command({
  name: "install",
  summary: "Install completion for a shell",
  details:
    "Writes the script to a file and, except for fish, adds one line that loads it to the shell's start-up file: " +
    "~/.bashrc, .zshrc (in ZDOTDIR or the home folder), or PowerShell's profile.ps1. The default is " +
    "the shell that SHELL names. --man also copies the man pages to ~/.local/share/man/man1 (in XDG_DATA_HOME); most " +
    "systems' man finds them there only if ~/.local/bin is in PATH. Files that are up to date are not changed; " +
    "completion uninstall removes all of it.",
  params: {
    shell: oneOf(shells, "Shell to install it for"),
    man: boolean("Install the man pages too"),
  },
  returns: InstalledFile,
  prints: "rows",
  examples: [
    { line: "completion install" },
    { line: "completion install --man", note: "and the man pages" },
    { line: "completion install --shell zsh --dry-run", note: "what would be written, and where" },
  ],
  related: [
    "completion uninstall",
    "man",
    "completion bash",
    "completion zsh",
    "completion fish",
    "completion powershell",
  ],
  standalone: true,
  async run(context, { shell = shellOf(context.env), man }) {
    const { files, config } = context;
    // All files are read first, so that none is written if one of them cannot be edited.
    const edits = await editsFor(shell, context);
    const manual = man ? await manualEdits(context) : [];
    if (config.dryRun) context.notice("a dry run: nothing is written");
    else for (const edit of [...edits, ...manual]) await write(files, edit);
    const isChanged = edits.some(({ change }) => change !== "unchanged");
    if (isChanged && !config.dryRun) context.notice(`open a new ${shell} to use it`);
    if (man && !isSearched(context)) {
      context.notice(`man may search there only with: export ${commandLine([`MANPATH=${manualPath(context)}:`])}`);
    }
    const rows = edits.map(({ path, change }) => ({ path, change }));
    if (man) rows.push({ path: manualFolder(context), change: changeOf(manual) });
    return { rows, columns: ["path", "change"] };
  },
});

/** Most systems' man takes a folder for each in PATH: ~/.local/share/man for ~/.local/bin. */
function isSearched(user: User): boolean {
  const { env } = user;
  const path = manualPath(user);
  if (env.MANPATH?.split(":").includes(path)) return true;
  return (env.PATH ?? "").split(":").some((bin) => join(dirname(bin), "share", "man") === path);
}

function manualPath(user: User): string {
  return dirname(manualFolder(user));
}

/** How what is installed compares with what `completion install` would write. */
export async function installedFor(
  shell: ShellName,
  context: User & Pick<Context, "files">,
): Promise<"current" | "missing" | "different"> {
  const edits = await editsFor(shell, context);
  if (edits.every(({ change }) => change === "unchanged")) return "current";
  return edits[0]?.change === "created" ? "missing" : "different";
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
function editsFor(shell: ShellName, context: User & Pick<Context, "files">): Promise<Edit[]> {
  const { files } = context;
  return Promise.all(
    placesOf(shell, context).map(async ({ path, line }): Promise<Edit> => {
      const target = (await files.real(path)) ?? path;
      const edit = (before: string) => (line === undefined ? completionScript(shell) : withLine(before, line));
      const facts = await files.facts(target);
      if (facts === undefined) return { path, target, after: edit(""), mode: 0o644, change: "created" };
      const before = textIn(await files.read(target), target);
      const after = edit(before);
      return { path, target, after, mode: facts.mode & 0o777, change: after === before ? "unchanged" : "updated" };
    }),
  );
}

/** The man pages as files. */
async function manualEdits(context: User & Pick<Context, "files" | "program">): Promise<Edit[]> {
  const folder = manualFolder(context);
  const { manual } = await ownPages(context);
  return Promise.all(
    Object.entries(manual).map(async ([name, after]): Promise<Edit> => {
      const path = join(folder, `${name}.1`);
      const facts = await context.files.facts(path);
      const before = facts && Buffer.from(await context.files.read(path)).toString("utf8");
      const change = before === undefined ? "created" : before === after ? "unchanged" : "updated";
      return { path, target: path, after, mode: 0o644, change };
    }),
  );
}

/** One word for the pages together. */
function changeOf(edits: readonly Edit[]): Edit["change"] {
  if (edits.every(({ change }) => change === "unchanged")) return "unchanged";
  return edits.every(({ change }) => change === "created") ? "created" : "updated";
}

/** The text with its byte order mark, which PowerShell needs. Other encodings are refused: an edit damages them. */
export function textIn(bytes: Uint8Array, path: string): string {
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
