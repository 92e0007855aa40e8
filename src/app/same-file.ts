import { basename, dirname, join, relative } from "node:path";
import { UsageError } from "../base/errors.ts";
import { isTooDeep } from "../base/path-levels.ts";
import { isSpecial } from "../base/special-file.ts";
import type { Context } from "../context.ts";
import type { NamedFile } from "../declare/named-files.ts";

/**
 * Refuses, before anything is sent, a file that a command would write over another of its own files: what it reads, or
 * what it has just written. Links are followed; a file in a folder that it reads counts too. And `-`, which elsewhere
 * is stdout.
 */
export async function refuseSameFile({ files }: Pick<Context, "files">, named: readonly NamedFile[]): Promise<void> {
  const seen = new Map<string, NamedFile>();
  const written = named.filter(({ writes }) => writes !== undefined);
  if (written.length === 0) return;
  for (const file of [...named.filter(({ writes }) => writes === undefined), ...written]) {
    if (file.path === "-") throw noStdout(file);
    if (isSpecial(file.path) || isTooDeep(file.path)) continue;
    const real = await realPath(files, file.path);
    const other = seen.get(real) ?? (file.writes && (await folderOf(files, real, seen)));
    if (other === undefined) seen.set(real, file);
    else if (file.writes !== undefined) throw sameFile(other, file);
  }
}

/** The path with every link resolved; of a file that does not exist, those of the folders above it. */
async function realPath(files: Context["files"], path: string): Promise<string> {
  const real = await files.real(path);
  if (real !== undefined || dirname(path) === path) return real ?? path;
  return join(await realPath(files, dirname(path)), basename(path));
}

/** The folder of state files that is read and contains an existing one of that path. */
async function folderOf(
  files: Context["files"],
  real: string,
  seen: ReadonlyMap<string, NamedFile>,
): Promise<NamedFile | undefined> {
  if (!/(?:\.ya?ml|(?<!\.schema)\.json)$/i.test(real) || (await files.real(real)) === undefined) return undefined;
  for (let folder = dirname(real); folder !== dirname(folder); folder = dirname(folder)) {
    const read = seen.get(folder);
    // Names with a leading dot are left out.
    const isRead = !/^\.|[\\/]\./.test(relative(folder, real));
    if (read !== undefined && read.writes === undefined) return isRead ? read : undefined;
  }
  return undefined;
}

function noStdout({ label }: NamedFile): UsageError {
  return new UsageError(`${label} does not write to stdout`, {
    nothing: "sent",
    hint: "name a file or folder; ./- is one whose name is -",
  });
}

function sameFile(other: NamedFile, { label, path }: NamedFile): UsageError {
  return new UsageError(`${other.label} and ${label} name one file: ${path}`, {
    code: "same_file",
    ...(other.path !== path && { reason: `${other.label} is ${other.path}` }),
    nothing: "sent",
    hint: `name another file with ${label}`,
  });
}
