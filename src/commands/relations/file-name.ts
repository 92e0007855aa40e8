import { archiveRelations } from "../../api/endpoints/relations.ts";
import { safeFileName } from "../../transfer/file-name.ts";

/** The file name of an exported relation or batch: `issues.ndjson.gz`, `issues-2.ndjson.gz`. */
export function fileNameOf(relation: string, batch: number | null, mark = ""): string {
  const stem = safeFileName(relation) ?? "relation";
  return `${stem}${mark}${batch === null ? "" : `-${batch}`}${archiveRelations.has(relation) ? ".tar.gz" : ".ndjson.gz"}`;
}
