import { deleteArtifacts } from "../../api/endpoints/artifacts.ts";
import { remove } from "../../verbs/remove.ts";
import { cat } from "./cat.ts";
import { download } from "./download.ts";
import { keep } from "./keep.ts";
import { listCommand } from "./list.ts";
import { purge } from "./purge.ts";

const deleteOf = remove("delete", deleteArtifacts, {
  noun: "the artifacts of job",
  many: true,
  details: "The job and its log are kept.",
  examples: [
    { line: "artifacts delete 992 -p acme/storefront" },
    { line: "artifacts delete 992 993 -p acme/storefront --yes", note: "in a script" },
  ],
  related: ["artifacts purge", "artifacts keep"],
  inspectWith: "api projects/{project}/jobs/{job_id}",
});

export const artifacts = [download, listCommand, cat, keep, deleteOf, purge];
