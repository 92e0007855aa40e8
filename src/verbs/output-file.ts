import { UsageError } from "../base/errors.ts";
import { isSpecial } from "../base/special-file.ts";
import type { Context } from "../context.ts";
import { folderAbove } from "../transfer/folder-above.ts";
import { refusePipe } from "../transfer/source.ts";

/**
 * Refuses a path that no file can be written to, with a UsageError, before anything is sent: a folder, a named pipe,
 * which would block until someone reads it, or a path below a file.
 *
 * @param flag as typed, for the error: `--save`
 */
export async function checkOutputFile(context: Context, path: string, flag: string): Promise<void> {
  const kind = (await context.files.facts(path))?.kind;
  if (kind === "folder" || path.endsWith("/")) {
    throw new UsageError(`${flag}: ${path} is a folder; name a file in it`, { nothing: "sent" });
  }
  refusePipe(kind, path, "write to a file, then: cat FILE >");
  if (kind === undefined || !isSpecial(path)) await folderAbove(context, path, flag);
}

/** Writes a requested file, and returns the outcome; a dry run writes nothing. */
export async function writeText(context: Context, path: string, text: string): Promise<"written" | "would be written"> {
  if (context.config.dryRun) return "would be written";
  await context.files.write(path, text);
  return "written";
}
