import { isAbsolute, join, relative, sep } from "node:path";
import type { Context } from "../../context.ts";

// Links in a folder of state files. They are not followed, since a repository's may lead anywhere, but what they lead
// to may hold a `keep:` or an exception.

/** What is below a folder. */
export interface Below {
  /** The folder without links. */
  readonly root: string;
  /** Names of the state files, by their paths without links. */
  readonly found: ReadonlyMap<string, string>;
  /** Links, and what else is neither a file nor a folder. */
  readonly links: readonly { readonly shown: string; readonly real: string; readonly isNamed: boolean }[];
}

/** How many entries of what one of them leads to are looked at, and of what all do. */
const maxEntries = 1000;
const maxAll = 20_000;

/** The links that may lead to state files which are not read; `sources` are what is read, by its names. */
export async function leadingElsewhere(
  { files, signal }: Pick<Context, "files" | "signal">,
  { root, found, links }: Below,
  sources: readonly string[],
): Promise<string[]> {
  if (links.length === 0) return [];
  const real = (path: string) => files.real(path).catch(() => undefined);
  const named = new Set(await Promise.all(sources.filter((source) => source !== "-").map(real)));
  const known = new Map<string, boolean>();
  let count = 0;
  const isFolder = async (path: string) => (await files.facts(path).catch(() => undefined))?.kind === "folder";
  /** Whether there is a state file in a folder that is linked to, or something else that is not looked through. */
  const mayHold = async (
    linked: string,
    folder = linked,
    end = Math.min(count + maxEntries, maxAll),
  ): Promise<boolean> => {
    const entries = await files.entries(folder).catch(() => undefined);
    if (entries === undefined) return true;
    for (const { name, kind } of entries) {
      signal.throwIfAborted();
      if (name.startsWith(".")) continue;
      count += 1;
      const path = join(folder, name);
      if (count > end || (kind !== "folder" && isStateFile(name))) return true;
      if (kind === "folder" && (await mayHold(linked, path, end))) return true;
      if (kind === "other" && (await isFolder(path)) && !isReadBelow(linked, (await real(path)) ?? "")) return true;
    }
    return false;
  };
  const leads = async ({ real: path, isNamed }: Below["links"][number]): Promise<boolean> => {
    const target = await real(path);
    if (target === undefined) return isNamed;
    if (named.has(target) || found.has(target)) return false;
    if (!(await isFolder(target))) return isNamed;
    if (isReadBelow(root, target)) return false;
    const isOpen = known.get(target) ?? (await mayHold(target));
    known.set(target, isOpen);
    return isOpen;
  };
  const leading: string[] = [];
  for (const link of links) if (await leads(link)) leading.push(link.shown);
  return leading;
}

/** Whether a folder is looked through where it is: not one behind a dot. */
function isReadBelow(root: string, target: string): boolean {
  const steps = relative(root, target).split(sep);
  return !isAbsolute(steps.join(sep)) && !steps.some((step) => step.startsWith("."));
}

export function isStateFile(name: string): boolean {
  return /(?:\.ya?ml|(?<!\.schema)\.json)$/i.test(name);
}
