import { existsSync, readdirSync, readFileSync } from "node:fs";
import { after } from "../node/timers.ts";
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
  /** Reads what is needed only later, for a run that lasts: an update may replace the files meanwhile. */
  hold?(): Promise<void>;
}

/** The one package that the bundle loads, which has a native addon. */
export const keyringPackage = "@napi-rs/keyring";

/** The file of `--jq`, which the bundle asks for by this name. */
export const wasm = "jq.wasm";

/** A run that takes longer than this may outlive the files that it was started from. */
const lastingMs = 300;

/** Holds the parts of a run that lasts; the function returned cancels it. */
export function holdIfLasting({ hold }: Parts): () => void {
  return after(lastingMs, () => void hold?.().catch(() => undefined));
}

/** The parts of the program as plain files of a folder; compiled code exists only for the Node that built them. */
export function partsIn(folder: string, host: NodeJS.Process): Parts {
  const { versions, arch } = host;
  // Not `join`, which scans every path.
  const fileOf = (name: string) => `${folder}/${name}`;
  const held = new Map<string, Buffer>();
  const read = (name: string) => held.get(name) ?? (existsSync(fileOf(name)) ? readFileSync(fileOf(name)) : undefined);
  return {
    read,
    compiled: (name) => read(`compiled/${versions.v8}-${arch}/${name}`),
    fileOf,
    require: (name) => {
      if (name === wasm) return read(wasm);
      return name === keyringPackage ? requireOptional(host, folder, name) : require(name);
    },
    hold: async () => {
      const { setImmediate: next } = host.getBuiltinModule("node:timers/promises");
      // One after the other, none of them pending: a second Ctrl-C is no exit code while a read is (`watchSignals`).
      for (const name of [wasm, ...readdirSync(fileOf("chunks")).map((chunk) => `chunks/${chunk}`)]) {
        held.set(name, readFileSync(fileOf(name)));
        await next();
      }
    },
  };
}
