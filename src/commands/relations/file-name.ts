import { archiveRelations } from "../../api/endpoints/relations.ts";
import { safeFileName } from "../../transfer/file-name.ts";

/** What an exported relation, or a batch of one, is saved as: `issues.ndjson.gz`, `issues-2.ndjson.gz`. */
export function fileNameOf(relation: string, batch: number | null, mark = ""): string {
  const stem = safeFileName(relation) ?? "relation";
  return `${stem}${mark}${batch === null ? "" : `-${batch}`}${archiveRelations.has(relation) ? ".tar.gz" : ".ndjson.gz"}`;
}
