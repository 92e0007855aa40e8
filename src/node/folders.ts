import { promises as fs } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it; gives the topmost that was made, undefined where all were there. (Node's own
 * `recursive` goes round forever, deaf to signals, where the system says "no such file" though the folder above is
 * there: below /proc.)
 */
export async function makeFolders(path: string, mode?: number): Promise<string | undefined> {
  if (await isFolder(path)) return undefined;
  const above = dirname(path) === path ? undefined : await makeFolders(dirname(path), mode);
  try {
    await fs.mkdir(path, { mode });
  } catch (error) {
    // Somebody else may have been faster.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !(await isFolder(path))) throw error;
    return above;
  }
  return above ?? path;
}

/** A link to a folder is one. */
function isFolder(path: string): Promise<boolean> {
  return fs.stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}
