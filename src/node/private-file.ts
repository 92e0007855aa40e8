import {
  closeSync,
  constants,
  promises as fs,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
} from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { Doubt, OwnFile, PrivateFile } from "../host.ts";
import { isForeign, isOwn } from "./owners.ts";
import { tooLarge, wholeBytes } from "./read-file.ts";
import { writerOn } from "./writer.ts";

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY, O_RDWR } = constants;

/** Resolves relative paths from the working directory. */
type Resolve = (path: string) => string;

/** Creates a private file; an existing file or link of that name is an error. The umask applies to the mode. */
export async function createPrivate(path: string, at: Resolve, mode = 0o600): Promise<PrivateFile> {
  return privateFile(await fs.open(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, mode), at);
}

/** Opens a file that `createPrivate` made. The open file is checked, since its name may be replaced meanwhile. */
export async function openPrivate(path: string, at: Resolve): Promise<PrivateFile | undefined> {
  const found = await openOwn(path, at).catch(() => undefined);
  return typeof found === "object" ? found : undefined;
}

/** The same, with the reason if it is not such a file; undefined if nothing exists. */
export async function openOwn(path: string, at: Resolve): Promise<PrivateFile | Doubt | undefined> {
  let handle: FileHandle;
  try {
    handle = await fs.open(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    return unopened(error);
  }
  const doubt = doubtAbout(await handle.stat());
  if (doubt === undefined) return privateFile(handle, at);
  await handle.close();
  return doubt;
}

function unopened(error: unknown): Doubt | undefined {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (["ENOENT", "ENOTDIR"].includes(code)) return undefined;
  if (isLinkError(code)) return "link";
  // A folder, or a socket.
  if (["EISDIR", "ENXIO"].includes(code)) return "kind";
  throw error;
}

/** BSD systems report EMLINK. */
function isLinkError(code: string | undefined): boolean {
  return code === "ELOOP" || code === "EMLINK";
}

/**
 * Reads a file whole, and says through the same handle whether it is this user's alone. Every command reads its
 * profiles so: for such a file, the thread pool would cost more than the read.
 */
export function readOwn(path: string): OwnFile {
  const { descriptor, isLink } = openToRead(path);
  try {
    const facts = fstatSync(descriptor);
    if (facts.isFIFO()) throw Object.assign(new Error("it is a named pipe"), { code: "EINVAL" });
    // A device may block; of a folder the system says that it is one.
    if (!facts.isFile() && !facts.isDirectory()) throw Object.assign(new Error("it is not a file"), { code: "EINVAL" });
    if (facts.size > wholeBytes) throw tooLarge(wholeBytes);
    const bytes = readFileSync(descriptor);
    const foreign = (isLink && isForeign(lstatSync(path)) ? "owner" : undefined) ?? writerOf(facts);
    return { bytes, doubt: isLink ? "link" : doubtAbout(facts), foreign };
  } finally {
    closeSync(descriptor);
  }
}

function openToRead(path: string): { descriptor: number; isLink: boolean } {
  try {
    return { descriptor: openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK), isLink: false };
  } catch (error) {
    if (!isLinkError((error as NodeJS.ErrnoException).code)) throw error;
    return { descriptor: openSync(path, O_RDONLY | O_NONBLOCK), isLink: true };
  }
}

function doubtAbout(facts: Stats): Doubt | undefined {
  if (!facts.isFile()) return "kind";
  if (facts.nlink !== 1) return "link";
  if (!isOwn(facts)) return "owner";
  return isClosedToOthers(facts) ? undefined : "open";
}

/** Why another user than this one and root may have written it. */
function writerOf(facts: Stats): Doubt | undefined {
  if (isForeign(facts)) return "owner";
  return process.platform !== "win32" && (facts.mode & 0o022) !== 0 ? "writable" : undefined;
}

/** On Windows, Node does not report these modes. */
function isClosedToOthers(facts: Stats): boolean {
  return process.platform === "win32" || (facts.mode & 0o077) === 0;
}

async function privateFile(handle: FileHandle, at: Resolve): Promise<PrivateFile> {
  const { size, dev, ino, birthtimeMs } = await handle.stat();
  return {
    ...writerOn(handle),
    size,
    // The inode number of a removed file is reused.
    id: `${dev}:${ino}:${birthtimeMs}`,
    stream: () => streamOf(handle),
    async isAt(path) {
      const [open, named] = [await handle.stat(), await fs.lstat(at(path)).catch(() => undefined)];
      return named?.isFile() === true && named.dev === open.dev && named.ino === open.ino;
    },
    truncate: (to) => handle.truncate(to),
    async takeModeOf(path) {
      const present = await fs.lstat(at(path)).catch(() => undefined);
      const mode = present?.isFile() && isOwn(present) ? present.mode & 0o777 : 0o666 & ~process.umask();
      await handle.chmod(mode);
    },
  };
}

const chunkBytes = 1024 * 1024;

async function* streamOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}
