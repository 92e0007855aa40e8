import { join } from "node:path";
import { cacheFolder, makeFolder, ownerOf, readOwn, replaceOwn } from "./own-folder.ts";
import { keyringPackage, type Parts, wasm } from "./parts.ts";

/** Names of what an executable carries besides the files of the bundle (scripts/package/executable.mjs). */
const compiledBelow = "compiled/";
const keyringAddon = "keyring.node";

/** The parts of the program inside the executable that this process runs. */
export function embeddedParts(host: NodeJS.Process): Parts {
  const { getRawAsset } = host.getBuiltinModule("node:sea");

  function read(name: string): Buffer | undefined {
    try {
      return Buffer.from(getRawAsset(name) as ArrayBuffer);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_SINGLE_EXECUTABLE_APPLICATION_ASSET_NOT_FOUND") throw error;
      return undefined;
    }
  }

  function load(name: string): unknown {
    if (name === wasm) return read(wasm);
    const addon = name === keyringPackage ? read(keyringAddon) : undefined;
    return addon === undefined ? require(name) : loadAddon(host, addon);
  }

  return {
    read,
    compiled: (name) => read(compiledBelow + name),
    fileOf: (name) => `forgectl/${name}`,
    require: load,
  };
}

/**
 * The system loads an addon only from a file: this one is stored in the user's own cache folder, and is compared with
 * the executable's copy before each use. Throws if there is no such folder.
 */
function loadAddon(host: NodeJS.Process, content: Buffer): unknown {
  const caches = cacheFolder(host);
  if (caches === undefined) throw new Error("there is no cache folder: neither XDG_CACHE_HOME nor HOME is set");
  const folder = join(caches, "addons");
  const owner = ownerOf(host);
  makeFolder(folder, foldersOwn, owner);
  // Each version of the program has its own copy.
  const sum = host.getBuiltinModule("node:zlib").crc32(content).toString(16);
  const file = join(folder, `keyring-${sum}.node`);
  if (readOwn(file, owner)?.content.equals(content) !== true) replaceOwn(file, content, host);
  const module = { exports: {} };
  host.dlopen(module, file);
  return module.exports;
}

/** `.cache`, `forgectl`, `addons`. */
const foldersOwn = 3;
