import { uploadRequests } from "../../api/endpoints/uploads.ts";

import { list } from "../../verbs/verbs.ts";
import { create } from "./create.ts";
import { remove } from "./delete.ts";
import { download } from "./download.ts";
import { prune } from "./prune.ts";

export const uploads = [
  create,
  list("list", uploadRequests.list, ["id", "filename", "size", "created_at", "uploaded_by.username"], {
    summary: "List the uploads of a project or a group, newest first",
    examples: [
      { line: "uploads list -p acme/storefront" },
      { line: "uploads list -g acme --fields id,filename,size -o csv" },
    ],
    related: ["uploads download", "uploads delete"],
  }),
  download,
  remove,
  prune,
];
