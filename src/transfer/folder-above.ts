import { dirname } from "node:path";
import { UsageError } from "../base/errors.ts";
import { groupDigits } from "../base/wording.ts";
import type { Context } from "../context.ts";

/** No system has a path of more: each level is looked up by itself. */
const maxLevels = 2048;

/**
 * The nearest existing folder above a path: missing ones are created when something is written there. If a file is in
 * the way, a UsageError, before anything is sent.
 *
 * @param label the flag as typed, for the error: `--extract`
 */
export async function folderAbove({ files }: Pick<Context, "files">, path: string, label?: string): Promise<string> {
  const said = label === undefined ? "" : `${label}: `;
  const levels = path.split("/").length;
  if (levels > maxLevels) throw new UsageError(`${said}a path of ${groupDigits(levels)} levels is too long`);
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const facts = await files.facts(folder);
    if (facts?.kind === "folder") return folder;
    if (facts !== undefined) throw new UsageError(`${said}${folder} is not a folder`);
    if (dirname(folder) === folder) throw new UsageError(`${said}the folder ${folder} does not exist`);
  }
}
