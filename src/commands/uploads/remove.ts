import { group, project } from "../../api/endpoints/scope.ts";
import {
  deleteGroupUpload,
  deleteGroupUploadBySecret,
  deleteProjectUpload,
  deleteProjectUploadBySecret,
} from "../../api/endpoints/uploads.ts";
import { array, required, string } from "../../api/field.ts";
import { bulk, distinct } from "../../command/bulk.ts";
import { command } from "../../command/command.ts";
import { confirm } from "../../command/confirm.ts";
import { deletionOf, deletions } from "../../command/deleted.ts";
import type { Context } from "../../context.ts";
import { parseUpload, type UploadReference } from "./reference.ts";

const Deleted = deletionOf({ upload: string("As given") });

export const remove = command({
  name: "delete",
  summary: "Delete uploads of a project or a group",
  details:
    "Links to a deleted upload lead nowhere. An upload is its ID, SECRET/FILENAME, or the Markdown or URL with them.",
  args: {
    uploads: required(
      array(string("", { placeholder: "upload" }), "Upload: ID, SECRET/FILENAME, Markdown, or URL", {
        placeholder: "upload",
      }),
    ),
  },
  params: { project, group },
  requests: [deleteProjectUpload, deleteProjectUploadBySecret, deleteGroupUpload, deleteGroupUploadBySecret],
  returns: Deleted,
  examples: [{ line: "uploads delete 1 2 -p acme/storefront --yes" }],
  related: ["uploads list"],
  async run(context, { uploads, project, group = "" }) {
    const items = distinct(uploads).map((upload) => ({ upload, reference: parseUpload(upload) }));
    const place = project === undefined ? `group ${group}` : `project ${project}`;
    await confirm(context, {
      action: `delete upload${items.length > 1 ? "s" : ""} ${items.map(({ upload }) => upload).join(", ")} (${place})`,
    });
    const rows = await bulk(
      context,
      items,
      async ({ upload, reference }) => {
        if (project === undefined) await removeFromGroup(context, group, reference);
        else await removeFromProject(context, project, reference);
        return { upload, status: "deleted" };
      },
      ({ upload }) => ({ upload }),
    );
    return deletions(Deleted, rows);
  },
});

function removeFromProject(context: Context, project: string, reference: UploadReference): Promise<undefined> {
  return "upload_id" in reference
    ? context.api.call(deleteProjectUpload, { project, ...reference })
    : context.api.call(deleteProjectUploadBySecret, { project, ...reference });
}

function removeFromGroup(context: Context, group: string, reference: UploadReference): Promise<undefined> {
  return "upload_id" in reference
    ? context.api.call(deleteGroupUpload, { group, ...reference })
    : context.api.call(deleteGroupUploadBySecret, { group, ...reference });
}
