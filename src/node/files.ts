import { promises as fs, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { FileError } from "../base/errors.ts";
import type { FileFacts, Files, FileWriter } from "../host.ts";
import { makeFolders } from "./folders.ts";
import { lives } from "./holder.ts";
import { createPrivate, openOwn, openPrivate, readOwn } from "./private-file.ts";
import { openWriter, syncFolder } from "./writer.ts";

const chunkBytes = 1024 * 1024;
const lentBytes = 2 * 1024 * 1024;

/** Node's file system, with relative paths taken from `cwd`. The one place that turns system errors into FileErrors. */
export function nodeFiles(cwd: string): Files {
  const at = (path: string): string => resolve(cwd, path);
  const reading = <T>(path: string, act: (path: string) => Promise<T>) => act(at(path)).catch(refused(path, "read"));
  const writing = <T>(path: string, act: (path: string) => Promise<T>) => act(at(path)).catch(refused(path, "written"));
  return {
    facts: (path) => reading(path, factsOf),
    isWritable: (path) => reading(path, isWritable),
    read: (path) => reading(path, readWhole),
    stream: (path, start) => inWords(path, streamFile(at(path), start)),
    lend: (path) => inWords(path, lendFile(at(path))),
    write: (path, content, options) => writing(path, (target) => writeWhole(target, content, options?.mode)),
    store: (path, value) =>
      writing(path, async (target) => {
        const { storeJson } = await import("./stored.ts");
        await storeJson(target, value);
      }),
    create: (path, content, options) => writing(path, (target) => createWhole(target, content, options?.mode)),
    append: async (path) => withReasons(path, await writing(path, openWriter)),
    createPrivate: async (path, options) =>
      withReasons(path, await writing(path, (target) => createPrivate(target, at, options?.mode))),
    openPrivate: async (path) => {
      const file = await openPrivate(at(path), at);
      return file && withReasons(path, file);
    },
    openOwn: async (path) => {
      const file = await reading(path, (target) => openOwn(target, at));
      return typeof file === "object" ? withReasons(path, file) : file;
    },
    readOwn: (path) => reading(path, async (target) => readOwn(target)),
    rename: (from, to) =>
      writing(to, async (target) => {
        await renameSteadily(at(from), target);
        await syncFolder(dirname(target));
      }),
    remove: (path) => writing(path, fs.unlink),
    makeFolder: (path, options) => writing(path, async (target) => void (await makeFolders(target, options?.mode))),
    list: (path) => reading(path, (folder) => fs.readdir(folder)),
    sweep: (path) => writing(path, sweepFolder),
    real: (path) => reading(path, (target) => unlessMissing(fs.realpath(target))),
    temporaryFolder: () => {
      const temporary = process.getBuiltinModule("node:os").tmpdir();
      return writing(temporary, (folder) => fs.mkdtemp(join(folder, "forgectl-")));
    },
    removeFolder: (path) => writing(path, (target) => fs.rm(target, { recursive: true, force: true })),
  };
}

function refused(path: string, doing: "read" | "written") {
  return (error: unknown): never => {
    throw error instanceof Error && codeOf(error) !== undefined ? new FileError(path, doing, error) : error;
  };
}

async function* inWords(path: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    refused(path, "read")(error);
  }
}

/** Turns write errors of an open file into FileErrors too. */
function withReasons<T extends FileWriter>(path: string, file: T): T {
  const writing = refused(path, "written");
  return {
    ...file,
    write: (chunks) => file.write(chunks).catch(writing),
    sync: () => file.sync().catch(writing),
    close: () => file.close().catch(writing),
  };
}

const smallBytes = 64 * 1024;

/** Open descriptors that the shell passes, such as `<(command)`: opening them does not block. */
const passed = /^\/(?:dev|proc)\/(?!shm\/)/;

/** Every command reads its profiles: for a small or missing file, the thread pool would cost more than the read. */
async function readWhole(path: string): Promise<Uint8Array> {
  const facts = statSync(path);
  // Opening it would block until a writer appears, and neither Ctrl-C nor `timeout` would end that.
  if (facts.isFIFO() && !passed.test(path)) throw Object.assign(new Error("it is a named pipe"), { code: "EINVAL" });
  // A read that may block must not prevent Ctrl-C.
  return facts.isFile() && facts.size <= smallBytes ? readFileSync(path) : fs.readFile(path);
}

async function factsOf(path: string): Promise<FileFacts | undefined> {
  const found = await unlessMissing(fs.stat(path));
  if (found === undefined) return undefined;
  return {
    kind: found.isFile() ? "file" : found.isDirectory() ? "folder" : "other",
    size: found.size,
    mode: found.mode & 0o7777,
    modifiedMs: found.mtimeMs,
  };
}

/** The administrator may write anywhere, but not to a folder of the kernel's, which has no bit for writing. */
async function isWritable(path: string): Promise<boolean> {
  const { mode } = await fs.stat(path);
  const isAllowed = fs.access(path, fs.constants.W_OK).then(
    () => true,
    () => false,
  );
  return (mode & 0o222) !== 0 && isAllowed;
}

async function* streamFile(path: string, start = 0): AsyncGenerator<Uint8Array> {
  const handle = await fs.open(path, "r");
  try {
    // Without a position, pipes and devices can be read too.
    let position = start === 0 ? null : start;
    while (true) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, position);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      if (position !== null) position += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

/** Reads the next chunk while one is in use; the third buffer is for a socket that still holds the previous one. */
async function* lendFile(path: string): AsyncGenerator<Uint8Array> {
  const handle = await fs.open(path, "r");
  const buffers = Array.from({ length: 3 }, () => Buffer.allocUnsafeSlow(lentBytes));
  const read = (turn: number, at: number) => handle.read(buffers[turn % buffers.length] as Buffer, 0, lentBytes, at);
  let reading = read(0, 0);
  try {
    for (let turn = 1, position = 0; ; turn++) {
      const { bytesRead, buffer } = await reading;
      if (bytesRead === 0) return;
      position += bytesRead;
      reading = read(turn, position);
      reading.catch(() => undefined);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await reading.catch(() => undefined);
    await handle.close();
  }
}

/**
 * Writes beside the target, syncs, renames, and syncs the folder. A link at the target is replaced and never written
 * through; a caller that wants to keep the link passes the real path. An existing file keeps its
 * mode unless another is given. A device or a pipe (`/dev/null`) is written to directly.
 */
async function writeWhole(target: string, content: string | Uint8Array, mode: number | undefined): Promise<void> {
  const present = await factsOf(target);
  if (present?.kind === "other") return fs.writeFile(target, content);
  const finalMode = mode ?? present?.mode;
  const temporary = await writeTemporary(target, content, finalMode);
  try {
    await renameSteadily(temporary, target);
  } catch (error) {
    await discard(temporary);
    throw error;
  }
  await syncFolder(dirname(target));
}

/** Creates a file atomically: it is written under a temporary name and linked. */
async function createWhole(target: string, content: string | Uint8Array, mode: number | undefined): Promise<boolean> {
  const temporary = await writeTemporary(target, content, mode);
  try {
    await fs.link(temporary, target);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    // FAT and some network file systems have no links.
    if (["EPERM", "ENOTSUP", "ENOSYS", "EMLINK", "EINVAL"].includes(codeOf(error) ?? "")) {
      return createPlain(target, content, mode);
    }
    throw error;
  } finally {
    await discard(temporary);
  }
}

async function createPlain(target: string, content: string | Uint8Array, mode: number | undefined): Promise<boolean> {
  try {
    await fs.writeFile(target, content, { flag: "wx", ...(mode !== undefined && { mode }) });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Writes and syncs a temporary file beside the target; its name is short even if the target's is long. */
async function writeTemporary(target: string, content: string | Uint8Array, mode: number | undefined): Promise<string> {
  if (basename(target) === "") throw Object.assign(new Error(`${target} is a folder`), { code: "EISDIR" });
  const temporary = join(dirname(target), `.forgectl-${process.pid}-${randomWord()}.tmp`);
  const handle = await fs.open(temporary, "wx", mode ?? 0o666);
  try {
    await handle.writeFile(content);
    // The umask may have cleared bits of the requested mode.
    if (mode !== undefined) await handle.chmod(mode);
    await handle.sync();
  } catch (error) {
    await handle.close();
    await discard(temporary);
    throw error;
  }
  await handle.close();
  return temporary;
}

async function sweepFolder(folder: string): Promise<void> {
  for (const name of await fs.readdir(folder)) {
    const [, id] = /^\.forgectl-(\d+)-\w+\.tmp$/.exec(name) ?? [];
    if (id !== undefined && !lives(Number(id), "?")) await discard(join(folder, name));
  }
}

/** On Windows a rename fails temporarily while a reader or a virus scanner has the target open. */
async function renameSteadily(from: string, to: string): Promise<void> {
  const attempts = process.platform === "win32" ? 10 : 1;
  for (let attempt = 1; ; attempt++) {
    try {
      return await fs.rename(from, to);
    } catch (error) {
      if (attempt >= attempts || !["EPERM", "EACCES", "EBUSY"].includes(codeOf(error) ?? "")) throw error;
      await new Promise((done) => setTimeout(done, attempt * 20));
    }
  }
}

async function discard(temporary: string): Promise<void> {
  await fs.rm(temporary, { force: true });
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

function randomWord(): string {
  return Math.random().toString(36).slice(2, 12);
}
