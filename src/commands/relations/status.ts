import { listRelationStatuses, RelationStatus, relationNames } from "../../api/endpoints/relations.ts";
import { project } from "../../api/endpoints/scope.ts";
import { boolean, required, string, timestamp } from "../../api/field.ts";
import { commandLine } from "../../base/shell-words.ts";
import { command } from "../../declare/command.ts";
import { secondsToWait, waitFlags } from "../../verbs/poll.ts";
import { columns, defaultWaitSeconds, isAfter, readPatiently, readStatuses, settled } from "./export-wait.ts";

export const status = command({
  name: "status",
  summary: listRelationStatuses.summary,
  details:
    "Statuses are -2 (pending), 0 (started), 1 (finished), and -1 (failed). With --wait it waits until all relations have " +
    "ended, and fails (exit 9) if one of them failed. Instances begin an export some time after its request, and show the one " +
    "before until then, or none: after relations export, use the line that it prints, with --since.",
  params: {
    project: required(project),
    relation: string("Only this relation", { min: 1, suggests: relationNames }),
    ...waitFlags("Wait until all have ended", defaultWaitSeconds),
    watch: boolean("The same as --wait"),
    since: timestamp("Only statuses changed after this time: those of a newer export"),
  },
  requests: [listRelationStatuses],
  returns: RelationStatus,
  prints: "rows",
  examples: [
    { line: "relations status -p acme/storefront" },
    { line: "relations status -p acme/platform/gateway --relation issues -o json" },
    { line: "relations status -p acme/storefront --wait --wait-timeout 60" },
  ],
  related: ["relations export", "relations download"],
  async run(context, { project, relation, wait, watch, wait_timeout, since }) {
    const limitSeconds = secondsToWait({ wait: wait || watch, wait_timeout }, defaultWaitSeconds);
    const view = { columns };
    const resume = commandLine([
      ...["relations", "status", "-p", project, "--wait"],
      ...(relation === undefined ? [] : ["--relation", relation]),
      ...(since === undefined ? [] : ["--since", since]),
    ]);
    const wanted = { project, relation };
    const entries = await (limitSeconds === undefined
      ? readStatuses(context, wanted)
      : readPatiently(context, {
          project,
          relation: since === undefined ? relation : undefined,
          limitSeconds,
          resume,
        }));
    // Without an export there is nothing to wait for, unless one was announced.
    if (limitSeconds === undefined || (entries.length === 0 && since === undefined)) {
      return { rows: entries.filter((entry) => isAfter(entry.updated_at, since)), ...view };
    }
    const settling = { project, relation, since, hasEarlier: "unknown", limitSeconds, resume } as const;
    return { rows: await settled(context, settling), ...view };
  },
});
