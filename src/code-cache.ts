import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Script } from "node:vm";

/** Loads the program's own chunks, which the build leaves as function expressions in ASCII. */
export interface Chunks {
  require(path: string): unknown;
  /** Keeps what this run had to compile. A folder that cannot be written to costs the next run its time, no more. */
  keep(): void;
}

const checksumBytes = 4;

/**
 * A third of the time of a short command goes to V8 compiling what the run before it compiled, too; here that is kept.
 * (Node's own compile cache comes with Node 22, and leaves out the functions that are compiled when first called.)
 *
 * @param folder where compiled code is kept; without one, each run compiles.
 */
export function chunksOf(host: NodeJS.Process, folder: string | undefined): Chunks {
  const { Script } = host.getBuiltinModule("node:vm");
  const cache = folder === undefined ? undefined : codeCache(host, folder);
  const modules = new Map<string, { exports: unknown }>();
  const compiled: { script: Script; name: string }[] = [];

  function load(path: string): unknown {
    const known = modules.get(path);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(path, module);
    const requireFrom = (name: string) => (name.startsWith(".") ? load(join(dirname(path), name)) : require(name));
    compile(path).runInThisContext()(module.exports, requireFrom, module);
    return module.exports;
  }

  function compile(path: string): Script {
    // The name carries the hash of the content: under one name there is one source.
    const name = basename(path);
    const script = new Script(readFileSync(path, "latin1"), {
      filename: path,
      cachedData: cache?.read(name),
    });
    if (script.cachedDataRejected !== false) compiled.push({ script, name });
    return script;
  }

  function keep(): void {
    if (cache && compiled.length > 0) cache.write(compiled);
  }

  return { require: load, keep };
}

/** Each file is a checksum and V8's data: V8 itself would run what is damaged, and crash. */
function codeCache(host: NodeJS.Process, folder: string) {
  const { crc32 } = host.getBuiltinModule("node:zlib");
  const user = host.geteuid?.();

  /** Compiled code is run as it is: only what this user wrote is taken. */
  function read(name: string): Buffer | undefined {
    let descriptor: number | undefined;
    try {
      descriptor = openSync(join(folder, name), "r");
      if (user !== undefined && fstatSync(descriptor).uid !== user) return undefined;
      const content = readFileSync(descriptor);
      const data = content.subarray(checksumBytes);
      return content.readUInt32LE() === crc32(data) ? data : undefined;
    } catch {
      return undefined;
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  }

  function replace(file: string, content: Buffer): void {
    const fresh = `${file}.${host.pid}`;
    try {
      writeFileSync(fresh, content, { mode: 0o600 });
      renameSync(fresh, file);
    } catch (error) {
      rmSync(fresh, { force: true });
      throw error;
    }
  }

  function write(compiled: readonly { script: Script; name: string }[]): void {
    try {
      makeFolder(folder, foldersOwn);
      for (const { script, name } of compiled) {
        const data = script.createCachedData();
        const checksum = Buffer.alloc(checksumBytes);
        checksum.writeUInt32LE(crc32(data));
        replace(join(folder, name), Buffer.concat([checksum, data]));
      }
    } catch {
      // As if there were no folder.
    }
  }

  return { read, write };
}

/** `.cache`, `forgectl`, `code`, and one for each version of Node. */
const foldersOwn = 4;

/** Makes a folder with those above it, so many in all: a home that is not there is not made. */
function makeFolder(folder: string, most: number): void {
  if (existsSync(folder)) return;
  if (most > 1) makeFolder(dirname(folder), most - 1);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
