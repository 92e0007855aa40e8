import { dirname } from "node:path";
import { isInCi } from "../base/ci.ts";
import { FileError, UsageError } from "../base/errors.ts";
import type { Context } from "../context.ts";
import type { FileWriter } from "../host.ts";

// A record is a copy of a run's journal, in a file that the command line names.

/** Refuses a name that no record can have, before anything is sent. */
export async function refuseRecord({ files }: Context, path: string): Promise<void> {
  if ((await files.facts(path)) !== undefined) throw exists(path);
  if ((await files.facts(dirname(path)))?.kind !== "folder") {
    throw new UsageError(`--record: the folder of ${path} does not exist`);
  }
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
      hint: "name another file with --record; nothing was sent",
    });
  }
}

function exists(path: string): UsageError {
  return new UsageError(`${path} exists: a record is never replaced`, {
    code: "record_exists",
    reason: "nothing was sent",
    hint: "name another file with --record",
  });
}
