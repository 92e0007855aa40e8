import { join } from "node:path";
import { oneOf } from "../../api/field.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { generatedMark } from "../../reference/roff.ts";
import { completionScript, type ShellName, shells } from "../../reference/stubs.ts";
import { InstalledFile, textIn } from "./install.ts";
import { manualFolder, type Place, placesOf } from "./places.ts";

export const uninstall = command({
  name: "uninstall",
  summary: "Remove what completion install wrote",
  details:
    "Removes the scripts, the one line in each shell's start-up file, and the man pages that completion install wrote, " +
    "and nothing else. A script that was edited by hand is kept, and reported as unchanged. Profiles and tokens are not " +
    "touched: profiles remove and auth logout remove those.",
  params: { shell: oneOf(shells, "Only for this shell; the man pages are kept") },
  returns: InstalledFile,
  prints: "rows",
  examples: [
    { line: "completion uninstall --dry-run", note: "what would be removed" },
    { line: "completion uninstall" },
    { line: "completion uninstall --shell zsh" },
  ],
  related: ["completion install", "profiles remove", "auth logout"],
  standalone: true,
  async run(context, { shell }) {
    const { config } = context;
    const chosen = shell === undefined ? shells : [shell];
    const removals: Removal[] = [];
    for (const each of chosen) {
      for (const place of placesOf(each, context)) removals.push(...(await removalOf(context, each, place)));
    }
    if (shell === undefined) removals.push(...(await manualRemoval(context)));
    if (config.dryRun) context.notice("a dry run: nothing is removed");
    else for (const { act } of removals) await act();
    return { rows: removals.map(({ path, change }) => ({ path, change })), columns: ["path", "change"] };
  },
});

interface Removal {
  path: string;
  change: "updated" | "removed" | "unchanged";
  act(): Promise<void>;
}

/** What is to be done to a file that `completion install` wrote or edited; nothing if it did not. */
async function removalOf({ files }: Context, shell: ShellName, { path, line }: Place): Promise<Removal[]> {
  const target = (await files.real(path)) ?? path;
  const facts = await files.facts(target);
  if (facts?.kind !== "file") return [];
  const text = textIn(await files.read(target), target);
  if (line === undefined) {
    if (text !== completionScript(shell)) return [{ path, change: "unchanged", act: async () => {} }];
    return [{ path, change: "removed", act: () => files.remove(target) }];
  }
  const rest = withoutLine(text, line);
  if (rest === text) return [];
  // It was created for this line alone.
  if (rest === "") return [{ path, change: "removed", act: () => files.remove(target) }];
  return [{ path, change: "updated", act: () => files.write(target, rest, { mode: facts.mode & 0o777 }) }];
}

/** The text without a line and its end; other lines are as they were. */
function withoutLine(text: string, line: string): string {
  return text
    .split(/(?<=\n)/)
    .filter((each) => each.replace(/\r?\n$/, "") !== line)
    .join("");
}

/** The man pages that this program wrote, of any version. */
async function manualRemoval(context: Context): Promise<Removal[]> {
  const { files } = context;
  const folder = manualFolder(context);
  const names = (await files.facts(folder))?.kind === "folder" ? await files.list(folder) : [];
  const own: string[] = [];
  for (const name of names.filter((each) => /^forgectl(?:-[a-z-]+)?\.1$/.test(each))) {
    const path = join(folder, name);
    if ((await files.facts(path))?.kind !== "file") continue;
    if (
      Buffer.from(await files.read(path))
        .toString("utf8")
        .startsWith(generatedMark)
    )
      own.push(path);
  }
  if (own.length === 0) return [];
  return [{ path: folder, change: "removed", act: async () => void (await Promise.all(own.map(files.remove))) }];
}
