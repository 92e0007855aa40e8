import { group, project } from "../../api/endpoints/scope.ts";
import { listGroupUploads, listProjectUploads, UploadedFile } from "../../api/endpoints/uploads.ts";
import { command } from "../../declare/command.ts";
import { listFlags, windowOf } from "../../declare/list-flags.ts";

export const list = command({
  name: "list",
  summary: "List the uploads of a project or a group, newest first",
  params: { project, group, ...listFlags },
  requests: [listProjectUploads, listGroupUploads],
  returns: UploadedFile,
  examples: [
    { line: "uploads list -p acme/storefront" },
    { line: "uploads list -g acme --fields id,filename,size -o csv" },
  ],
  related: ["uploads download", "uploads delete"],
  async run(context, { project, group = "", ...input }) {
    const window = windowOf(input);
    const rows =
      project === undefined
        ? context.api.list(listGroupUploads, { group }, window)
        : context.api.list(listProjectUploads, { project }, window);
    return {
      rows,
      columns: ["id", "filename", "size", "created_at", "uploaded_by.username"],
      cut: rows.cut,
      entity: UploadedFile,
    };
  },
});
