import { group, project } from "../../api/endpoints/scope.ts";
import { createUpload, Upload } from "../../api/endpoints/uploads.ts";
import { array, entity, outcome, required, string, uncut } from "../../api/field.ts";
import { Failure } from "../../base/errors.ts";
import { command } from "../../declare/command.ts";
import { bulk } from "../../jobs/bulk.ts";
import { uploadSource } from "../../transfer/upload.ts";

const SentFile = entity("SentFile", {
  file: uncut("As typed"),
  ...Upload.shape,
  status: outcome("created or failed"),
  error: uncut("Why it failed"),
});

const { scope: _, ...unscoped } = group;
const noGroup = { ...unscoped, refused: "the documented API uploads to projects only; give a project" };

export const create = command({
  name: "create",
  summary: "Upload files for use in Markdown",
  details: "Files are streamed, so their size does not matter. All are checked before the first is sent.",
  args: {
    files: required(
      array(string("", { placeholder: "file", completes: "file", min: 1 }), "File to upload", { placeholder: "file" }),
    ),
  },
  params: { project: required(project), group: noGroup },
  requests: [createUpload],
  returns: SentFile,
  prints: "rows",
  examples: [
    { line: "uploads create screenshot.png -p acme/storefront" },
    { line: "uploads create *.log -p acme/storefront --fields markdown --no-header", note: "links to paste" },
  ],
  undo: { line: "uploads delete {result.id...} -p {project}" },
  related: ["uploads list", "uploads download"],
  async run(context, { project, files }) {
    const sources = [];
    for (const path of files) sources.push({ path, source: await uploadSource(context, path) });
    const rows = await bulk(
      context,
      sources,
      async ({ path, source }) => ({
        file: path,
        ...(await context.api.call(createUpload, { project, file: source }).catch((error: unknown) => {
          throw withLimit(error);
        })),
        status: "created",
      }),
      ({ path }) => ({ file: path }),
    );
    return { rows, columns: ["file", "id", "markdown", "status", "error"], validIfPartial: true };
  },
});

/** Adds the setting that limits uploads. */
function withLimit(error: unknown): unknown {
  if (!(error instanceof Failure) || error.details.status !== 413) return error;
  const reason = `${error.details.reason}; the setting max_attachment_size is the maximum size of an upload in MiB`;
  const hint = "forgectl settings get max_attachment_size";
  return error.with({ reason, hint });
}
