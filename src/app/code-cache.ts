import { readFileSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Script } from "node:vm";
import { createOwn, idOf, makeFolder, type Owner, ownsAll, readOwn } from "./own-folder.ts";

/** Loads the program's own chunks, which the build leaves as function expressions in ASCII. */
export interface Chunks {
  require(path: string): unknown;
  /** Stores what this run had to compile. If the folder is not writable, the next run is only slower. */
  keep(): void;
}

/**
 * A short command would spend a third of its time compiling the same code as the run before; V8's result is cached here.
 * (Node's own compile cache needs Node 22 and leaves out functions that are compiled on their first call.)
 *
 * @param folder where compiled code is stored; without one, each run compiles
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
    // The name contains the hash of the content, so that a name stands for one source.
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

/**
 * V8 runs cached data unchecked, so only what this program wrote here is read, in folders that no other user can write
 * to. The index names each file with its number and the nanosecond of its last change, which the system alone sets:
 * files that were checked out, unpacked, or copied here have others, whatever their index says. (A MAC would need
 * node:crypto, which takes longer to load than all of the code takes to read.) The CRC guards against a failing disk: V8
 * crashes on damaged data, and so would every later run.
 */
function codeCache(host: NodeJS.Process, folder: string) {
  const owner: Owner = { user: host.geteuid?.(), home: host.env.HOME };
  const sumOf = (content: Buffer) => host.getBuiltinModule("node:zlib").crc32(content).toString(16);
  const index = join(folder, "index");
  const known = ownsAll(folder, owner) ? readIndex() : new Map<string, string>();

  function read(name: string): Buffer | undefined {
    const expected = known.get(name);
    const file = expected === undefined ? undefined : readOwn(join(folder, name), owner);
    return file !== undefined && `${file.id}:${sumOf(file.content)}` === expected ? file.content : undefined;
  }

  function readIndex(): Map<string, string> {
    const text = readOwn(index, owner)?.content.toString("latin1") ?? "";
    return new Map([...text.matchAll(/^(\S+) (\S+)$/gm)].map(([, name = "", id = ""]) => [name, id]));
  }

  function replace(file: string, content: Buffer): void {
    const fresh = `${file}.${host.pid}`;
    try {
      createOwn(fresh, content);
      renameSync(fresh, file);
    } catch (error) {
      rmSync(fresh, { force: true });
      throw error;
    }
  }

  function write(compiled: readonly { script: Script; name: string }[]): void {
    try {
      makeFolder(folder, foldersOwn, owner);
      const made = compiled.map(({ script, name }) => {
        const file = join(folder, name);
        const content = script.createCachedData();
        replace(file, content);
        return [name, `${idOf(file)}:${sumOf(content)}`] as const;
      });
      // Another process may have added entries meanwhile. A lost entry is compiled again.
      const all = [...new Map([...readIndex(), ...made])].filter(([name, id]) => isFresh(name, id));
      replace(index, Buffer.from(all.map(([name, id]) => `${name} ${id}\n`).join(""), "latin1"));
    } catch {
      // Continue without a cache.
    }
  }

  /** Files of earlier versions are removed after a month; those still in use are compiled again. */
  function isFresh(name: string, id: string): boolean {
    const changedNs = Number(id.split(":")[1]);
    if (Date.now() - changedNs / 1e6 < keptMs) return true;
    rmSync(join(folder, basename(name)), { force: true });
    return false;
  }

  return { read, write };
}

const keptMs = 30 * 86_400_000;
/** `.cache`, `forgectl`, `code`, and one for each version of Node. */
const foldersOwn = 4;
