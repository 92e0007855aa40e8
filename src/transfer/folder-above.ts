import { dirname } from "node:path";
import { UsageError } from "../base/errors.ts";
import { isTooDeep } from "../base/path-levels.ts";
import type { Context } from "../context.ts";

/**
 * The nearest existing folder above a path: missing ones are created when something is written there. If a file is in
 * the way, a UsageError, before anything is sent.
 *
 * @param label the flag as typed, for the error: `--extract`
 */
export async function folderAbove({ files }: Pick<Context, "files">, path: string, label?: string): Promise<string> {
  const said = label === undefined ? "" : `${label}: `;
  if (isTooDeep(path)) throw new UsageError(`${said}no path has that many levels`);
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const facts = await files.facts(folder);
    if (facts?.kind === "folder") return folder;
    if (facts !== undefined) throw new UsageError(`${said}${folder} is not a folder`);
    if (dirname(folder) === folder) throw new UsageError(`${said}the folder ${folder} does not exist`);
  }
}
