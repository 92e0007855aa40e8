import type { Example } from "../declare/command.ts";
import { instancesPage } from "./instances.ts";
import { type ManualPage, manPages } from "./man.ts";
import { groupPage, indexPage } from "./markdown.ts";
import { completionScript, type ShellName } from "./stubs.ts";
import { commandTree, type Entry, globalEntries } from "./tree.ts";

interface PageEntry extends Entry {
  name: string;
  about: string;
  summary: string;
}

/** Help that belongs to no command. */
interface General {
  topics: Readonly<Record<string, string>>;
  examples: readonly Example[];
  date: string;
}

const scriptFiles: Record<ShellName, string> = {
  bash: "completions/forgectl.bash",
  zsh: "completions/_forgectl",
  fish: "completions/forgectl.fish",
  powershell: "completions/forgectl.ps1",
};

/** The folders of the reference's pages and of the man pages: every file in them is generated. */
export const referenceFolder = "docs/reference";
export const manualFolder = "man";

/** Every generated file that is committed: its path from the root of the repository, and its text. */
export async function generatedFiles(
  entries: readonly PageEntry[],
  { topics, examples, date }: General,
): Promise<Map<string, string>> {
  const loaded = await Promise.all(entries.map(async (entry) => ({ entry, node: await entry.load() })));
  const pages = loaded.map(
    ({ entry: { name, about, summary }, node }): ManualPage => ({
      name,
      about,
      summary,
      commands: commandTree([node]),
    }),
  );
  const globals = globalEntries();
  return new Map([
    ...Object.entries(scriptFiles).map(([shell, path]) => [path, completionScript(shell as ShellName)] as const),
    ...pages.map((page) => [`${referenceFolder}/${page.name}.md`, groupPage(page)] as const),
    [`${referenceFolder}/README.md`, indexPage({ pages, globals, topics })] as const,
    ["docs/instances.md", instancesPage()] as const,
    ...[...manPages({ pages, globals, topics, examples, date })].map(
      ([name, text]) => [`${manualFolder}/${name}`, text] as const,
    ),
  ]);
}

/**
 * The date of the man pages: that of the newest release in the changelog, so that a page changes with its text alone.
 */
export function lastRelease(changelog = ""): string {
  return /^## .*(\d{4}-\d{2}-\d{2})/m.exec(changelog)?.[1] ?? beforeReleases;
}

/** The date as long as the changelog has no release. */
const beforeReleases = "2026-11-22";
