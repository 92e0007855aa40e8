import { instancesPage } from "./instances.ts";
import { manPage } from "./man.ts";
import { groupPage, indexPage } from "./markdown.ts";
import { completionScript, type Shell } from "./stubs.ts";
import { commandTree, type Entry, globalEntries } from "./tree.ts";

interface PageEntry extends Entry {
  name: string;
  summary: string;
}

const scriptFiles: Record<Shell, string> = {
  bash: "completions/forgectl.bash",
  zsh: "completions/_forgectl",
  fish: "completions/forgectl.fish",
  powershell: "completions/forgectl.ps1",
};

/** The folder of the reference pages; every file in it is generated. */
export const referenceFolder = "docs/reference";

/** Every generated file that is committed: its path from the root of the repository, and its text. */
export async function generatedFiles(
  entries: readonly PageEntry[],
  topics: Readonly<Record<string, string>>,
): Promise<Map<string, string>> {
  const loaded = await Promise.all(entries.map(async (entry) => ({ entry, node: await entry.load() })));
  const nodes = loaded.map(({ node }) => node);
  const pages = loaded.map(({ entry: { name, summary }, node }) => ({ name, summary, commands: commandTree([node]) }));
  const commands = commandTree(nodes);
  const globals = globalEntries();
  return new Map([
    ...Object.entries(scriptFiles).map(([shell, path]) => [path, completionScript(shell as Shell)] as const),
    ...pages.map((page) => [`${referenceFolder}/${page.name}.md`, groupPage(page)] as const),
    [`${referenceFolder}/README.md`, indexPage({ pages, globals, topics })] as const,
    ["docs/instances.md", instancesPage()] as const,
    ["man/forgectl.1", manPage({ commands, globals, topics })] as const,
  ]);
}
