import { downloadRelation, relationNames } from "../../api/endpoints/relations.ts";
import { project } from "../../api/endpoints/scope.ts";
import { boolean, integer, required, string } from "../../api/field.ts";
import { UsageError } from "../../base/errors.ts";
import { command } from "../../declare/command.ts";
import { isArchive } from "../../transfer/archive-file.ts";
import { sourceOf } from "../../transfer/body.ts";
import { deliver, SavedFile, targetFlags } from "../../transfer/download.ts";
import { fileNameOf } from "./file-name.ts";

export const download = command({
  name: "download",
  summary: downloadRelation.summary,
  details:
    "The file is NDJSON, one object per line, compressed with gzip. A batched export is downloaded batch by batch.",
  args: { relation: required(string("Top-level relation, such as issues", { min: 1, suggests: relationNames })) },
  params: {
    project: required(project),
    batched: boolean("From a batched export; needs --batch-number"),
    batch_number: integer("Number of the batch, from 1; needs --batched", { placeholder: "n", min: 1 }),
    ...targetFlags("<relation>.ndjson.gz, or <relation>-<n>.ndjson.gz"),
  },
  requests: [downloadRelation],
  returns: SavedFile,
  prints: "record",
  examples: [
    { line: "relations download issues -p acme/platform/gateway" },
    {
      before: "forgectl relations export -p acme/storefront --batched --wait",
      line: "relations download issues -p acme/storefront --batched --batch-number 2 -O issues-2.ndjson.gz",
    },
  ],
  related: ["relations export", "relations status"],
  async run(context, { project, relation, batched = false, batch_number: batch, ...target }) {
    if (batched !== (batch !== undefined)) {
      throw new UsageError(
        batched
          ? "--batched needs --batch-number: batches are downloaded one at a time"
          : "--batch-number needs --batched",
      );
    }
    const input = { project, relation, ...(batched && { batched, batch_number: batch }) };
    const label = batched ? `batch ${batch} of ${relation}` : relation;
    return deliver(context, {
      source: sourceOf(context, downloadRelation, input),
      label,
      ...target,
      verify: isArchive(context, label, "gzip"),
      name: fileNameOf(relation, batch ?? null),
    });
  },
});
