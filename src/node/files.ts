import { promises as fs } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { FileError } from "../base/errors.ts";
import type { Files, FileWriter, HeldFiles } from "../host.ts";
import { archivesAt } from "./archives.ts";
import { createWhole, discard, renameSteadily, writeWhole } from "./atomic-write.ts";
import { codeOf, entriesOf, factsOf, unlessMissing } from "./file-facts.ts";
import { createFolder, makeFolders, removeOwnFolder } from "./folders.ts";
import { holdFolder, leadsTo } from "./held-folder.ts";
import { lives } from "./holder.ts";
import { foreignPart } from "./owners.ts";
import { createPrivate, openOwn, openPrivate, readOwn } from "./private-file.ts";
import { readReal, readWhole, streamFile, wholeBytes } from "./read-file.ts";
import { openWriter, syncFolder } from "./writer.ts";

const lentBytes = 2 * 1024 * 1024;

/** Node's file system, with relative paths taken from `cwd`. The one place that turns system errors into FileErrors. */
export function nodeFiles(cwd: string): Files {
  return filesAt((path) => resolve(cwd, path));
}

/** @param named what an error says, with the paths that `at` returns as they were named */
function filesAt(at: (path: string) => string, named = (text: string) => text): Files {
  const reading = <T>(path: string, act: (path: string) => Promise<T>) => act(at(path)).catch(refused(path, "read"));
  const writing = <T>(path: string, act: (path: string) => Promise<T>) => act(at(path)).catch(refused(path, "written"));
  /** Missing folders above the path are created. */
  const creating = <T>(path: string, act: (path: string) => Promise<T>) =>
    writing(path, (target) =>
      act(target).catch(async (error: unknown) => {
        if (codeOf(error) !== "ENOENT" || (await makeFolders(dirname(target))) === undefined) throw error;
        return act(target);
      }),
    );
  return {
    facts: (path) => reading(path, factsOf),
    isWritable: (path) => reading(path, isWritable),
    read: (path, limit = wholeBytes) => reading(path, (target) => readWhole(target, limit)),
    readReal: (path) => reading(path, (target) => unlessMissing(readReal(target))),
    stream: (path, start) => inWords(path, streamFile(at(path), start)),
    lend: (path) => inWords(path, lendFile(at(path))),
    write: (path, content, options) => creating(path, (target) => writeWhole(target, content, options?.mode)),
    store: (path, value) =>
      writing(path, async (target) => {
        const { storeJson } = await import("./json-store.ts");
        await storeJson(target, value);
      }),
    create: (path, content, options) => creating(path, (target) => createWhole(target, content, options?.mode)),
    append: async (path) => withReasons(path, await creating(path, openWriter)),
    createPrivate: async (path, options) =>
      withReasons(path, await creating(path, (target) => createPrivate(target, at, options?.mode))),
    openPrivate: async (path) => {
      const file = await openPrivate(at(path), at);
      return file && withReasons(path, file);
    },
    openOwn: async (path) => {
      const file = await reading(path, (target) => openOwn(target, at));
      return typeof file === "object" ? withReasons(path, file) : file;
    },
    readOwn: (path) => reading(path, async (target) => readOwn(target)),
    foreignPart: async (path, folder, mustExist) => foreignPart(at(path), at(folder), mustExist),
    rename: (from, to) =>
      writing(to, async (target) => {
        await renameSteadily(at(from), target);
        await syncFolder(dirname(target));
      }),
    remove: (path) => writing(path, fs.unlink),
    createFolder: (path) => creating(path, createFolder),
    makeFolder: (path, options) => writing(path, async (target) => void (await makeFolders(target, options?.mode))),
    list: (path) => reading(path, (folder) => fs.readdir(folder)),
    entries: (path) => reading(path, entriesOf),
    sweep: (path) => writing(path, sweepFolder),
    real: (path) => reading(path, (target) => unlessMissing(fs.realpath(target))),
    temporaryFolder: () => {
      const temporary = process.getBuiltinModule("node:os").tmpdir();
      return writing(temporary, (folder) => fs.mkdtemp(join(folder, "forgectl-")));
    },
    removeFolder: (path) => writing(path, removeOwnFolder),
    hold: (folder) => reading(folder, async (target) => heldFiles(target, at, named)),
  };
}

function heldFiles(folder: string, at: (path: string) => string, named: (text: string) => string): HeldFiles {
  const held = holdFolder(folder);
  const inside = (path: string) => {
    const whole = at(path);
    const isInside = whole === folder || whole.startsWith(folder + sep);
    return isInside ? held.path + whole.slice(folder.length) : whole;
  };
  const inWords = (text: string) =>
    named(text.replace(/\/proc\/self\/fd\/\d+/g, (found) => (found === held.path ? folder : found)));
  return {
    ...filesAt(inside, inWords),
    archives: archivesAt(inside, inWords),
    isInPlace: () => leadsTo(folder, held),
    release: held.close,
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

/** The administrator may write anywhere, but not to a folder of the kernel's, which has no bit for writing. */
async function isWritable(path: string): Promise<boolean> {
  const { mode } = await fs.stat(path);
  const isAllowed = fs.access(path, fs.constants.W_OK).then(
    () => true,
    () => false,
  );
  return (mode & 0o222) !== 0 && isAllowed;
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

async function sweepFolder(folder: string): Promise<void> {
  for (const name of await fs.readdir(folder)) {
    const [, id] = /^\.forgectl-(\d+)-\w+\.tmp$/.exec(name) ?? [];
    if (id !== undefined && !lives(Number(id), "?")) await discard(join(folder, name));
  }
}
