import { rmSync } from "node:fs";
import { basename, join, posix } from "node:path";
import type { Script } from "node:vm";
import { idOf, makeFolder, ownerOf, ownsAll, readOwn, replaceOwn } from "./own-folder.ts";
import type { Parts } from "./parts.ts";

/** Loads the program's own chunks, which the build leaves as function expressions in ASCII. */
export interface ChunkLoader {
  require(name: string): unknown;
  /** Stores what this run had to compile. If the folder is not writable, the next run is only slower. */
  keep(): void;
}

/**
 * A short command would spend a third of its time compiling the same code as the run before (npm package, one request:
 * 65 ms of CPU time with the cache, 92 without, on Node 20; 83 and 112 on 22, 77 and 94 on 24, 70 and 95 on 26). V8's
 * result is cached here, unless the build brings it. (Node's own compile cache needs Node 22 and leaves out functions
 * that are compiled on their first call.)
 *
 * @param folder where compiled code is stored; without one, each run compiles
 */
export function chunksOf(host: NodeJS.Process, parts: Parts, folder: string | undefined): ChunkLoader {
  const { Script } = host.getBuiltinModule("node:vm");
  let cache: ReturnType<typeof codeCache> | undefined;
  const modules = new Map<string, { exports: unknown }>();
  const compiled: { script: Script; name: string }[] = [];

  function load(name: string): unknown {
    const known = modules.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const requireFrom = (other: string) =>
      other.startsWith("./") ? load(`${posix.dirname(name)}${other.slice(1)}`) : parts.require(other);
    try {
      compile(name).runInThisContext()(module.exports, requireFrom, module);
    } catch (error) {
      // The next one that needs it fails likewise, and gets no empty module.
      modules.delete(name);
      throw error;
    }
    return module.exports;
  }

  function compile(name: string): Script {
    const source = parts.read(name);
    if (source === undefined) {
      throw new Error(`${parts.fileOf(name)} is missing: the program was updated or removed while it ran`);
    }
    const code = source.toString("latin1");
    const scriptOf = (cachedData: Buffer | undefined) => new Script(code, { filename: parts.fileOf(name), cachedData });
    const brought = parts.compiled(name);
    const ready = brought && scriptOf(brought);
    // V8 rejects what was compiled under other flags than, for example, NODE_OPTIONS gives this run.
    if (ready?.cachedDataRejected === false) return ready;
    if (folder !== undefined) cache ??= codeCache(host, folder);
    // The name contains the hash of the content, so that a name identifies one source.
    const keptAs = posix.basename(name);
    const script = scriptOf(cache?.read(keptAs));
    if (script.cachedDataRejected !== false) compiled.push({ script, name: keptAs });
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
 * node:crypto, which takes longer to load than all of the code takes to read.) The CRC guards against a failing disk:
 * V8 crashes on damaged data, and so would every later run.
 */
function codeCache(host: NodeJS.Process, folder: string) {
  const owner = ownerOf(host);
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

  function write(compiled: readonly { script: Script; name: string }[]): void {
    try {
      makeFolder(folder, foldersOwn, owner);
      const made = compiled.map(({ script, name }) => {
        const file = join(folder, name);
        const content = script.createCachedData();
        replaceOwn(file, content, host);
        return [name, `${idOf(file)}:${sumOf(content)}`] as const;
      });
      // Another process may have added entries meanwhile. A lost entry is compiled again.
      const all = [...new Map([...readIndex(), ...made])].filter(([name, id]) => isFresh(name, id));
      replaceOwn(index, Buffer.from(all.map(([name, id]) => `${name} ${id}\n`).join(""), "latin1"), host);
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
