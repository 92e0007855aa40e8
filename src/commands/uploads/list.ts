import { listGroupUploads, listProjectUploads } from "../../api/endpoints/uploads.ts";
import { list as listVerb } from "../../verbs/verbs.ts";

export const list = listVerb(
  "list",
  [listProjectUploads, listGroupUploads],
  ["id", "filename", "size", "created_at", "uploaded_by.username"],
  {
    summary: "List the uploads of a project or a group, newest first",
    examples: [
      { line: "uploads list -p acme/storefront" },
      { line: "uploads list -g acme --fields id,filename,size -o csv" },
    ],
    related: ["uploads download", "uploads delete"],
  },
);
