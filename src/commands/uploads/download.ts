import { group, project } from "../../api/endpoints/scope.ts";
import { uploadRequests } from "../../api/endpoints/uploads.ts";
import { required, string } from "../../api/field.ts";
import { command } from "../../declare/command.ts";
import { sourceOf } from "../../transfer/body.ts";
import { deliver, targetFlags } from "../../transfer/download.ts";
import { safeFileName } from "../../transfer/file-name.ts";
import { choose } from "../../verbs/choose.ts";
import { readUpload } from "./owner.ts";

export const download = command({
  name: "download",
  summary: "Download an upload of a project or a group",
  details:
    "An upload is given by ID, SECRET/FILENAME, or Markdown or a URL with them; a URL must be of this instance " +
    "and of the project or group given. By ID it requires the Maintainer role, by secret the Guest role. Without -O it is " +
    "saved in this folder under the upload's name.",
  args: {
    upload: required(
      string("Upload: ID, SECRET/FILENAME, Markdown, or URL", { placeholder: "upload", completes: "upload" }),
    ),
  },
  params: { project, group, ...targetFlags("the upload's name") },
  requests: uploadRequests.get,
  examples: [
    { line: "uploads download 1 -p acme/storefront" },
    {
      line: "uploads download '![logo](/uploads/6e173ac296917f04694ac02bf691a741/logo.png)' -p acme/storefront -O logo.png",
      note: "as pasted from an issue",
    },
  ],
  related: ["uploads list"],
  async run(context, { upload, output, force, ...scope }) {
    const reference = await readUpload(context, upload, scope);
    const input = { ...scope, ...reference };
    const source = sourceOf(context, choose(uploadRequests.get, input), input);
    const name = "filename" in reference ? safeFileName(reference.filename) : `upload-${reference.upload_id}`;
    return deliver(context, {
      source,
      label: `upload ${upload}`,
      output,
      force,
      name: name ?? "upload",
      serverName: true,
    });
  },
});
