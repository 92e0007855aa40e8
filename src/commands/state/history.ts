import { entity, integer, nullable, timestamp, uncut } from "../../api/field.ts";
import { command } from "../../declare/command.ts";
import { listRuns } from "../../state/runs/recorded-runs.ts";
import type { Run } from "../../state/runs/runs.ts";

const KeptRun = entity("KeptRun", {
  run: uncut(),
  instance: uncut(),
  what: uncut("apply, or rollback of another run"),
  started: timestamp(),
  ended: nullable(timestamp("Null for a run that was killed")),
  changes: integer("Changes that were planned"),
  done: integer("Changes that were made, or were as planned already"),
});

export const history = command({
  name: "history",
  summary: "List the runs of apply and rollback on this machine",
  returns: KeptRun,
  prints: "rows",
  examples: [{ line: "state history" }],
  related: ["state show", "state rollback"],
  async run(context) {
    const runs = await listRuns(context);
    return {
      rows: runs.map(rowOf),
      columns: ["run", "what", "changes", "done", "started", "instance"],
    };
  },
});

function rowOf({ entries, run, instance, what, started, ended }: Run): object {
  const done = entries.filter(({ status }) => status === "done" || status === "unchanged").length;
  return { run, instance, what, started, ended, changes: entries.length, done };
}
