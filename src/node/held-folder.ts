import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";

const { O_CREAT, O_DIRECTORY = 0, O_EXCL, O_NOFOLLOW = 0, O_RDONLY, O_WRONLY } = constants;

/**
 * An open folder. On Linux, paths that begin with its `path` lead into this very folder, even if another process
 * renames it or puts a link in its place meanwhile; elsewhere `path` is its name.
 */
export interface HeldFolder {
  readonly path: string;
  close(): void;
}

const descriptors = "/proc/self/fd";

/** Opens a folder; a link to one is followed. */
export function holdFolder(path: string): HeldFolder {
  return held(path, 0);
}

/** Opens a folder of this user; undefined if the path is a link, or the folder another user's. */
export function holdOwnFolder(path: string): HeldFolder | undefined {
  const folder = holdChild(path);
  if (isOwn(folder)) return folder;
  folder.close();
  return undefined;
}

/** Opens the folder at a relative path below another. An error of the system if part of the path is not a folder. */
export function holdBelow(root: HeldFolder, path: string): HeldFolder {
  let folder: HeldFolder = { path: root.path, close: () => undefined };
  for (const name of path.split(/[/\\]/)) {
    if (name === "" || name === ".") continue;
    const above = folder;
    try {
      folder = holdChild(join(above.path, name));
    } finally {
      above.close();
    }
  }
  return folder;
}

function holdChild(path: string): HeldFolder {
  if (!lstatSync(path).isDirectory()) throw Object.assign(new Error(`${path} is not a folder`), { code: "ENOTDIR" });
  return held(path, O_NOFOLLOW);
}

function held(path: string, flags: number): HeldFolder {
  if (process.platform !== "linux" || !existsSync(descriptors)) return { path, close: () => undefined };
  const descriptor = openSync(path, O_RDONLY | O_DIRECTORY | flags);
  return { path: `${descriptors}/${descriptor}`, close: () => closeSync(descriptor) };
}

/** Whether this user made it. Some file systems show one user as the owner of everything. */
function isOwn({ path }: HeldFolder): boolean {
  const owner = statSync(path).uid;
  const user = process.geteuid?.();
  return user === undefined || owner === user || owner === ownerOfNewFiles(path);
}

function ownerOfNewFiles(folder: string): number | undefined {
  const path = join(folder, `.forgectl-${crypto.randomUUID()}.tmp`);
  let descriptor: number;
  try {
    descriptor = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  } catch {
    return undefined;
  }
  try {
    return fstatSync(descriptor).uid;
  } finally {
    closeSync(descriptor);
    unlinkSync(path);
  }
}
