import { isInCi } from "../../base/ci.ts";
import { FileError, UsageError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import type { FileWriter } from "../../host.ts";
import { folderAbove } from "../../transfer/folder-above.ts";

// A record is a copy of a run's journal, in a file that the command line names.

/** Refuses a name that no record can have, before anything is sent. */
export async function refuseRecord(context: Context, path: string): Promise<void> {
  if ((await context.files.facts(path)) !== undefined) throw exists(path);
  await folderAbove(context, path, "--record");
}

/** Creates a record: 0600, in a CI job under the umask, since other users read its artifacts. */
export async function createRecord({ files, env }: Context, path: string): Promise<FileWriter> {
  try {
    return await files.createPrivate(path, isInCi(env) ? { mode: 0o666 } : {});
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    if (error.code === "EEXIST") throw exists(path);
    throw new UsageError(`the record cannot be written to ${path}`, {
      code: "unwritable_record",
      reason: error.details.reason ?? error.message,
      hint: "name another file with --record",
      nothing: "sent",
    });
  }
}

function exists(path: string): UsageError {
  return new UsageError(`${path} exists: a record is never replaced`, {
    code: "record_exists",
    nothing: "sent",
    hint: "name another file with --record",
  });
}
