import { Failure } from "../base/errors.ts";
import type { HeldFiles } from "../host.ts";

/** Refuses to call a folder done which another process has renamed or replaced since it was opened. */
export function refuseReplaced(files: Pick<HeldFiles, "isInPlace">, folder: string): void {
  if (files.isInPlace()) return;
  throw new Failure("conflict", `${folder} was renamed or replaced meanwhile`, {
    code: "changed_meanwhile",
    reason: "what was written is in the folder that had this name at the start",
    hint: "name a folder that no one else changes",
  });
}
