import { constants, promises as fs, type Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { PrivateFile } from "../host.ts";
import { writerOn } from "./writer.ts";

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDWR } = constants;

/** Resolves relative paths from the working directory. */
type Resolve = (path: string) => string;

/** Creates a private file; an existing file or link of that name is an error. */
export async function createPrivate(path: string, at: Resolve): Promise<PrivateFile> {
  return privateFile(await fs.open(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600), at);
}

/** Opens a file that `createPrivate` made. The open file is checked, since its name may be replaced meanwhile. */
export async function openPrivate(path: string, at: Resolve): Promise<PrivateFile | undefined> {
  const handle = await fs.open(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
  if (handle === undefined) return undefined;
  const facts = await handle.stat();
  if (facts.isFile() && facts.nlink === 1 && isOwn(facts) && isClosedToOthers(facts)) return privateFile(handle, at);
  await handle.close();
  return undefined;
}

/** On Windows, Node reports neither the owner nor these modes. */
function isOwn(facts: Stats): boolean {
  const user = process.geteuid?.();
  return user === undefined || facts.uid === user;
}

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
