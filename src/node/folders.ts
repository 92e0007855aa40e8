import { promises as fs } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a folder and its parents; returns the topmost one created, undefined if all existed. (Node's own
 * `recursive` loops forever and ignores signals if the system reports "no such file" although the parent
 * exists, as below /proc.)
 */
export async function makeFolders(path: string, mode?: number): Promise<string | undefined> {
  if (await isFolder(path)) return undefined;
  const above = dirname(path) === path ? undefined : await makeFolders(dirname(path), mode);
  try {
    await fs.mkdir(path, { mode });
  } catch (error) {
    // Another process may have created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !(await isFolder(path))) throw error;
    return above;
  }
  return above ?? path;
}

/** Also true for a link to a folder. */
function isFolder(path: string): Promise<boolean> {
  return fs.stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}
