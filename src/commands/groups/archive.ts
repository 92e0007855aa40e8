import { downloadGroupExport } from "../../api/endpoints/groups.ts";
import { Failure } from "../../base/errors.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { type Source, sourceOf } from "../../transfer/body.ts";
import type { DownloadRequest } from "../../transfer/download-request.ts";
import { safeFileName } from "../../transfer/file-name.ts";
import { problemWith } from "./gzip-tar.ts";

/** The archive of a group's export as a download, verified to be readable before it gets its final name. */
export function archiveOf(context: Context, group: string): Omit<DownloadRequest, "output"> & { source: Source } {
  return {
    source: sourceOf(context, downloadGroupExport, { group }),
    label: `the export of group ${group}`,
    name: `${safeFileName(group.replaceAll("/", "-")) ?? "group"}-export.tar.gz`,
    verify: async (file) => {
      const problem = await problemWith(context, file);
      if (problem === undefined) return;
      throw new Failure("integrity", `the export of group ${group} is not a readable gzip tar`, {
        code: "damaged_archive",
        reason: problem,
        hint: `it was not saved; export again: forgectl ${commandLine(["groups", "export", "-g", group, "--wait"])}`,
      });
    },
  };
}
