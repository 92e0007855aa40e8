import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, sep } from "node:path";

/** Files and folders that only this user can have written. Imports no other module, since every start uses it. */
export interface Owner {
  /** Undefined on Windows, where a user's folders are private by default. */
  user: number | undefined;
  home: string | undefined;
}

/** The effective user of this process, and `HOME`. */
export function ownerOf(host: NodeJS.Process): Owner {
  return { user: host.geteuid?.(), home: host.env.HOME };
}

/** A relative path would depend on the folder the program is started in. */
export function cacheFolder({ env }: NodeJS.Process): string | undefined {
  const caches = [env.XDG_CACHE_HOME, env.LOCALAPPDATA, env.HOME && join(env.HOME, ".cache")];
  const folder = caches.find((path) => path && isAbsolute(path));
  return folder && join(folder, "forgectl");
}

const writableByOthers = 0o022;
const sticky = 0o1000;
const { O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY, O_WRONLY } = constants;

/**
 * Whether a folder exists, belongs to this user, and no other user can write to it or replace it, nor any
 * folder above it up to the home folder. Outside the home folder, parents may belong to the system or be sticky
 * (`/tmp`).
 */
export function ownsAll(folder: string, { user, home }: Owner): boolean {
  try {
    const real = realpathSync.native(folder);
    if (user === undefined) return true;
    const top = home === undefined ? undefined : realpathSync.native(home);
    const isInHome = top !== undefined && (real === top || real.startsWith(top.endsWith(sep) ? top : top + sep));
    for (let each = real; ; each = dirname(each)) {
      const { uid, mode } = lstatSync(each);
      const isOpen = (mode & writableByOthers) !== 0;
      const isStrict = isInHome || each === real;
      if (isStrict ? uid !== user || isOpen : (uid !== user && uid !== 0) || (isOpen && (mode & sticky) === 0)) {
        return false;
      }
      if (each === (isInHome ? top : dirname(each))) return true;
    }
  } catch {
    return false;
  }
}

/** Reads a regular file of this user, 0600, without following links. */
export function readOwn(path: string, { user }: Owner): { content: Buffer; id: string } | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const facts = fstatSync(descriptor, { bigint: true });
    const isOwn = user === undefined || (facts.uid === BigInt(user) && (facts.mode & 0o777n) === 0o600n);
    if (!facts.isFile() || facts.nlink !== 1n || !isOwn) return undefined;
    return { content: readFileSync(descriptor), id: identity(facts) };
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Identifies a file in its present state: changing or copying the file changes this. */
export function idOf(path: string): string {
  return identity(lstatSync(path, { bigint: true }));
}

function identity({ ino, ctimeNs, size }: BigIntStats): string {
  return `${ino}:${ctimeNs}:${size}`;
}

/** Replaces or creates a file, 0600, in one rename. */
export function replaceOwn(path: string, content: Buffer, { pid }: NodeJS.Process): void {
  const fresh = `${path}.${pid}`;
  try {
    createOwn(fresh, content);
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

/** Creates a file, 0600; an existing file of that name is removed, never written to. */
function createOwn(path: string, content: Buffer): void {
  rmSync(path, { force: true });
  const descriptor = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    writeFileSync(descriptor, content);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Creates a folder and its parents, at most `maxFolders` in all: a missing home folder is not created, nor anything in
 * another user's, or where other users can write. Throws if it could not be created.
 */
export function makeFolder(folder: string, maxFolders: number, owner: Owner): void {
  if (!existsSync(folder)) createFolder(folder, maxFolders, owner);
  if (!ownsAll(folder, owner)) throw new Error(`${folder} can be written by others`);
}

function createFolder(folder: string, maxFolders: number, owner: Owner): void {
  const above = dirname(folder);
  if (maxFolders > 1) makeFolder(above, maxFolders - 1, owner);
  // With `sudo -E`, the home folder of the user, who could not write to what root makes there.
  else if (![0, owner.user].includes(lstatSync(realpathSync.native(above)).uid)) {
    throw new Error(`${above} is another user's`);
  }
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
