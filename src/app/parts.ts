import { existsSync, readFileSync } from "node:fs";
import { requireOptional } from "./optional-package.ts";

/** What the build made of the program: files in a folder, or the same files inside an executable. */
export interface Parts {
  /** Undefined if there is no such part. Names are paths with slashes: `help/help-users.json`. */
  read(name: string): Buffer | undefined;
  /**
   * What V8 made of a chunk when the program was built, for the Node that built it, or the one inside the executable.
   */
  compiled(name: string): Buffer | undefined;
  /** The file of a chunk in stack traces. */
  fileOf(name: string): string;
  /** Loads anything that is not a chunk: Node's own modules, and the keyring's package. */
  require(name: string): unknown;
}

/** The one package that the bundle loads, which has a native addon. */
export const keyringPackage = "@napi-rs/keyring";

/** The file of `--jq`, which the bundle asks for by this name. */
export const wasm = "jq.wasm";

/** The parts of the program as plain files of a folder; compiled code exists only for the Node that built them. */
export function partsIn(folder: string, host: NodeJS.Process): Parts {
  const { versions, arch } = host;
  // Not `join`, which scans every path.
  const fileOf = (name: string) => `${folder}/${name}`;
  const read = (name: string) => (existsSync(fileOf(name)) ? readFileSync(fileOf(name)) : undefined);
  return {
    read,
    compiled: (name) => read(`compiled/${versions.v8}-${arch}/${name}`),
    fileOf,
    require: (name) => {
      if (name === wasm) return read(wasm);
      return name === keyringPackage ? requireOptional(host, folder, name) : require(name);
    },
  };
}
