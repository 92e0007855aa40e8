import { dirname, join } from "node:path";
import { UsageError } from "../base/errors.ts";
import { isSpecial } from "../base/special-file.ts";
import type { Context } from "../context.ts";
import type { Body } from "./body.ts";
import type { DownloadRequest } from "./download-request.ts";
import { fileNameIn } from "./file-name.ts";
import { folderAbove } from "./folder-above.ts";
import { refusePipe } from "./source.ts";

type Named = Pick<DownloadRequest, "output" | "force" | "name" | "serverName">;

export interface Target {
  /** As typed, or derived from what was typed; undefined if the server names it. */
  typed: string | undefined;
  folder: string;
  /** A device or a pipe, which is written to directly. */
  isDevice: boolean;
}

/**
 * The target of a content, checked before anything is sent. The one rule for existing files: one is replaced only if
 * `-O` names it or `--force` is given.
 */
export async function checkTarget(context: Context, wanted: Named): Promise<Target> {
  const typed = wanted.output ?? (wanted.serverName ? undefined : wanted.name);
  const folder = dirname(typed ?? wanted.name);
  const kind = typed === undefined ? undefined : (await context.files.facts(typed))?.kind;
  if (kind === "folder" || typed?.endsWith("/")) throw new UsageError(`${typed} is a folder; name a file in it`);
  if (typed !== undefined && (kind === "other" || kind === "file") && isSpecial(typed)) {
    return { typed, folder, isDevice: true };
  }
  if (typed !== undefined) refusePipe(kind, typed, "use stdout: -O - >");
  if (typed !== undefined && kind !== undefined && !mayReplace(wanted)) throw exists(typed);
  await folderAbove(context, typed ?? wanted.name);
  return { typed, folder, isDevice: false };
}

/** The path in a folder, with the server's file name or the command's default. */
export async function nameTarget(context: Context, folder: string, wanted: Named, body: Body): Promise<string> {
  const target = join(folder, fileNameIn(body.headers) ?? wanted.name);
  const present = await context.files.facts(target).catch(() => undefined);
  if (present === undefined || (present.kind === "file" && mayReplace(wanted))) return target;
  await body.discard();
  if (present.kind === "file") throw exists(target, "the server chose that name");
  throw new UsageError(`${target} exists and is not a file`, { hint: "name the file with -O <file>" });
}

/** Refuses a file that appeared under the name during the download. */
export async function refuseIfCreatedMeanwhile(context: Context, wanted: Named, target: string): Promise<void> {
  if (!mayReplace(wanted) && (await context.files.facts(target)) !== undefined) throw exists(target);
}

function mayReplace({ output, force }: Named): boolean {
  return output !== undefined || force === true;
}

function exists(target: string, reason?: string): UsageError {
  return new UsageError(`${target} already exists`, {
    code: "file_exists",
    ...(reason !== undefined && { reason }),
    hint: "name another file with -O <file>, or replace this one with --force",
  });
}
