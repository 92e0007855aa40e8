import { promises as fs } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf, unlessMissing } from "./file-facts.ts";
import { holdOwnFolder } from "./held-folder.ts";

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

/** Creates a private folder; false if anything has that name, a link too. */
export async function createFolder(path: string): Promise<boolean> {
  try {
    await fs.mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Removes a folder of this user and what is in it. What is deleted is in the folder that was opened, whatever has its
 * name meanwhile; a link, and another user's folder, are left alone.
 */
export async function removeOwnFolder(path: string): Promise<void> {
  const own = await unlessMissing(Promise.resolve().then(() => holdOwnFolder(path)));
  if (own === undefined) return;
  try {
    for (const name of await fs.readdir(own.path)) await fs.rm(join(own.path, name), { recursive: true, force: true });
  } finally {
    own.close();
  }
  await unlessMissing(fs.rmdir(path));
}
