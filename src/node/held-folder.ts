import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "./file-facts.ts";
import { isOwn } from "./owners.ts";

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
  if (isOwnFolder(folder)) return folder;
  folder.close();
  return undefined;
}

/**
 * Opens folders below another, each from the one above it. Those that a path has in common with the path before stay
 * open: thousands of paths through the same hundred folders open these once.
 */
export class HeldPath {
  readonly #root: HeldFolder;
  readonly #open: { name: string; folder: HeldFolder }[] = [];
  #isIntact = true;

  /** @param root stays open until `close` */
  constructor(root: HeldFolder) {
    this.#root = root;
  }

  /**
   * The folder at a relative path, open until the next call. An error of the system if part of the path is not a
   * folder.
   */
  at(path: string): HeldFolder {
    const names = path.split(/[/\\]/).filter((name) => name !== "" && name !== ".");
    const other = names.findIndex((name, depth) => name !== this.#open[depth]?.name);
    const kept = other < 0 ? names.length : other;
    this.#closeBelow(kept);
    for (const name of names.slice(kept)) {
      this.#open.push({ name, folder: holdChild(join(this.#last.path, name)) });
    }
    return this.#last;
  }

  close(): void {
    this.#closeBelow(0);
    this.#root.close();
  }

  /** Whether all folders so far were in their places until their last use; closes them, but for the root. */
  isIntact(): boolean {
    this.#closeBelow(0);
    return this.#isIntact;
  }

  get #last(): HeldFolder {
    return this.#open.at(-1)?.folder ?? this.#root;
  }

  #closeBelow(depth: number): void {
    while (this.#open.length > depth) {
      const { name, folder } = this.#open.pop() as { name: string; folder: HeldFolder };
      this.#isIntact &&= isAt(join(this.#last.path, name), folder);
      folder.close();
    }
  }
}

/** Whether a path still leads to a folder; what cannot be read is no proof of it. */
export function leadsTo(path: string, folder: HeldFolder, look = statSync): boolean {
  try {
    const [there, own] = [look(path), statSync(folder.path)];
    return there.ino === own.ino && there.dev === own.dev;
  } catch {
    return false;
  }
}

/** The same, and not through a link. */
function isAt(path: string, folder: HeldFolder): boolean {
  return leadsTo(path, folder, lstatSync);
}

function holdChild(path: string): HeldFolder {
  if (!lstatSync(path).isDirectory()) throw Object.assign(new Error(`${path} is not a folder`), { code: "ENOTDIR" });
  return held(path, O_NOFOLLOW);
}

function held(path: string, flags: number): HeldFolder {
  if (process.platform !== "linux" || !existsSync(descriptors)) return { path, close: () => undefined };
  const descriptor = openFolder(path, O_DIRECTORY | flags);
  return { path: `${descriptors}/${descriptor}`, close: () => closeSync(descriptor) };
}

/** Linux has it, and Node does not name it: a folder that may be entered is opened although it may not be listed. */
const O_PATH = 0o10000000;

function openFolder(path: string, flags: number): number {
  try {
    return openSync(path, O_RDONLY | flags);
  } catch (error) {
    if (codeOf(error) !== "EACCES") throw error;
    return openSync(path, O_PATH | flags);
  }
}

/** Whether this user made it. Some file systems show one user as the owner of everything. */
function isOwnFolder({ path }: HeldFolder): boolean {
  const facts = statSync(path);
  return isOwn(facts) || facts.uid === ownerOfNewFiles(path);
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
