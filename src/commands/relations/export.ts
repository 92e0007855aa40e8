import { exportRelations, listRelationStatuses, RelationStatus } from "../../api/endpoints/relations.ts";
import { project } from "../../api/endpoints/scope.ts";
import { boolean, entity, json, required, string } from "../../api/field.ts";
import { commandLine } from "../../base/shell-words.ts";
import { command } from "../../declare/command.ts";
import { secondsToWait, waitFlags } from "../../verbs/poll.ts";
import { latestChange, timeBefore } from "./export-times.ts";
import { columns, defaultWaitSeconds, settled } from "./export-wait.ts";

/** With `--wait`, a status of a relation; without it, the scheduled export. Both in one entity. */
const Export = entity("RelationExport", {
  ...RelationStatus.shape,
  status: json("A number, as in relations status; without --wait the word scheduled"),
  project: string("As given"),
  message: json("Message of the instance"),
});

export const exportAll = command({
  name: "export",
  summary: exportRelations.summary,
  details:
    "The export runs in the background, one relation after another. It is part of group migration and cannot be mixed " +
    "with the export and import of whole projects.",
  params: {
    project: required(project),
    batched: boolean("Split large relations into batches"),
    ...waitFlags("Wait until every relation is finished, and show the results", defaultWaitSeconds),
  },
  requests: [exportRelations, listRelationStatuses],
  returns: Export,
  examples: [
    { line: "relations export -p acme/storefront" },
    { line: "relations export -p acme/storefront --batched --wait" },
  ],
  related: ["relations status", "relations download"],
  async run(context, { project, batched, ...waiting }) {
    const limitSeconds = secondsToWait(waiting, defaultWaitSeconds);
    const again = commandLine(["relations", "export", "-p", project, "--wait", ...(batched ? ["--batched"] : [])]);
    const since =
      limitSeconds !== undefined && !context.config.dryRun
        ? await latestChange(context, { project, limitSeconds, resume: again })
        : undefined;
    // The export is queued: until it begins, the statuses are those of the one before, or none.
    const before =
      limitSeconds === undefined && !context.config.dryRun ? await timeBefore(context, project) : undefined;
    const answer = (await context.api.call(exportRelations, { project, batched })) as { message?: unknown } | null;
    if (limitSeconds === undefined) {
      const record = { project, batched: batched ?? false, status: "scheduled", message: answer?.message ?? null };
      const message = `scheduled; forgectl ${statusLine(project, before)} waits for it`;
      return { record, columns: Object.keys(record), message };
    }
    const rows = await settled(context, { project, since, batched, limitSeconds, resume: statusLine(project, since) });
    return { rows, columns };
  },
});

function statusLine(project: string, since?: string): string {
  return commandLine([
    ...["relations", "status", "-p", project, "--wait"],
    ...(since === undefined ? [] : ["--since", since]),
  ]);
}
