import { realpath } from "node:fs/promises";
import { basename, dirname, extname } from "node:path";
import { syncFolder } from "./writer.ts";

/**
 * Stores a JSON object in a file of this user alone (0600), by conf: beside the target under a temporary name, synced,
 * renamed. A link at the target is kept: the real file is the one replaced. conf has no lock; the caller must hold one.
 */
export async function storeJson(path: string, value: Readonly<Record<string, unknown>>): Promise<void> {
  const { default: Conf } = await import("conf");
  const extension = extname(path);
  const conf = new Conf<Record<string, unknown>>({
    cwd: dirname(path),
    configName: basename(path, extension),
    fileExtension: extension,
    projectSuffix: "",
    configFileMode: 0o600,
    clearInvalidConfig: false,
    accessPropertiesByDotNotation: false,
    serialize: (tree) => `${JSON.stringify(tree, undefined, 2)}\n`,
    // The file is replaced as a whole, and only config/shape.ts reads it.
    deserialize: () => ({}),
  });
  conf.store = { ...value };
  await syncFolder(dirname(await realpath(path)));
}
