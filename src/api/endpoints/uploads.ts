import { endpoint } from "../endpoint.ts";
import { bytes, entity, file, id, nullable, object, required, string, timestamp, uncut } from "../field.ts";
import { group, project } from "./scope.ts";

/** The answer to an upload (`1-project-api: Markdown upload`). */
export const Upload = entity(
  "Upload",
  {
    id: id("Upload ID"),
    alt: string(),
    url: uncut("For use in the project's Markdown"),
    full_path: uncut("Path on the instance"),
    markdown: uncut("Ready-made Markdown link"),
  },
  { proof: ["markdown"] },
);

/** An upload as lists have it; newest first. */
export const UploadedFile = entity("UploadedFile", {
  id: required(id("Upload ID")),
  size: bytes("Bytes"),
  filename: uncut(),
  created_at: timestamp(),
  uploaded_by: nullable(object({ id: id(), name: string(), username: string() })),
});

const uploadId = id("Upload ID", { completes: "upload" });
const secret = string("The secret in the upload's URL: 32 characters");
const filename = string("File name of the upload");
const byId = { role: "maintainer" } as const;
const bySecret = { role: "guest" } as const;

export const createUpload = endpoint({
  route: "POST /projects/:project/uploads",
  summary: "Upload a file for use in Markdown",
  params: { project, file: required(file("The file, which is streamed")) },
  encoding: "multipart",
  returns: Upload,
  access: {},
});

export const listProjectUploads = endpoint({
  route: "GET /projects/:project/uploads",
  summary: "List the uploads of a project",
  params: { project },
  returns: UploadedFile,
  page: "offset",
  access: byId,
});

export const getProjectUpload = endpoint({
  route: "GET /projects/:project/uploads/:upload_id",
  summary: "Download an upload of a project by its ID",
  params: { project, upload_id: uploadId },
  returns: "bytes",
  access: byId,
});

export const getProjectUploadBySecret = endpoint({
  route: "GET /projects/:project/uploads/:secret/:filename",
  summary: "Download an upload of a project by its secret",
  params: { project, secret, filename },
  returns: "bytes",
  access: bySecret,
});

export const deleteProjectUpload = endpoint({
  route: "DELETE /projects/:project/uploads/:upload_id",
  summary: "Delete an upload of a project by its ID",
  params: { project, upload_id: uploadId },
  returns: "nothing",
  access: byId,
});

export const deleteProjectUploadBySecret = endpoint({
  route: "DELETE /projects/:project/uploads/:secret/:filename",
  summary: "Delete an upload of a project by its secret",
  params: { project, secret, filename },
  returns: "nothing",
  access: byId,
});

export const listGroupUploads = endpoint({
  route: "GET /groups/:group/uploads",
  summary: "List the uploads of a group",
  params: { group },
  returns: UploadedFile,
  page: "offset",
  access: byId,
});

export const getGroupUpload = endpoint({
  route: "GET /groups/:group/uploads/:upload_id",
  summary: "Download an upload of a group by its ID",
  params: { group, upload_id: uploadId },
  returns: "bytes",
  access: byId,
});

export const getGroupUploadBySecret = endpoint({
  route: "GET /groups/:group/uploads/:secret/:filename",
  summary: "Download an upload of a group by its secret",
  params: { group, secret, filename },
  returns: "bytes",
  access: bySecret,
});

export const deleteGroupUpload = endpoint({
  route: "DELETE /groups/:group/uploads/:upload_id",
  summary: "Delete an upload of a group by its ID",
  params: { group, upload_id: uploadId },
  returns: "nothing",
  access: byId,
});

export const deleteGroupUploadBySecret = endpoint({
  route: "DELETE /groups/:group/uploads/:secret/:filename",
  summary: "Delete an upload of a group by its secret",
  params: { group, secret, filename },
  returns: "nothing",
  access: byId,
});

/** The same requests for each scope; an upload is identified by its ID or by its secret. */
export const uploadRequests = {
  list: [listProjectUploads, listGroupUploads],
  get: [getProjectUpload, getProjectUploadBySecret, getGroupUpload, getGroupUploadBySecret],
  delete: [deleteProjectUpload, deleteProjectUploadBySecret, deleteGroupUpload, deleteGroupUploadBySecret],
} as const;
