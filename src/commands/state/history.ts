import { entity, integer, json, nullable, outcome, required, string, timestamp, uncut } from "../../api/field.ts";
import { UsageError } from "../../base/errors.ts";
import { actionTones } from "../../base/tone.ts";
import { command } from "../../declare/command.ts";
import { readRecord } from "../../state/record.ts";
import { listRuns, readRun } from "../../state/recorded-runs.ts";
import type { Run } from "../../state/runs.ts";
import { readSavedRows } from "../../state/saved.ts";
import { PlanChange, planColumns, planPassage } from "../../state/show.ts";

const KeptRun = entity("KeptRun", {
  run: uncut(),
  instance: uncut(),
  what: uncut("apply, or rollback of another run"),
  started: timestamp(),
  ended: nullable(timestamp("Null for a run that was killed")),
  changes: integer("Changes that were planned"),
  done: integer("Changes that were made, or were as planned already"),
});

const RunChange = entity("RunChange", {
  address: uncut(),
  action: string("", { tones: actionTones }),
  status: outcome(),
  error: nullable(uncut()),
  before: nullable(json("The managed fields before the change")),
  after: nullable(json("The managed fields after the change")),
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

export const show = command({
  name: "show",
  summary: "Show a saved plan, or a run, in full",
  details:
    "A record is read on any machine, for its own instance only. One that was altered, or has no first line, is refused " +
    "(exit 2). Changes that a run did not begin are not_tried.",
  args: {
    plan: required(
      string("ID of a run, or file of its record or of a saved plan", {
        placeholder: "plan|run|record",
        completes: "file",
      }),
    ),
  },
  examples: [
    { line: "state show plan.json" },
    { line: "state show 20261121T164502Z-7f3a -o json" },
    { line: "state show run.ndjson", note: "the record of a run on another machine" },
  ],
  related: ["state history", "state plan"],
  async run(context, { plan }) {
    const kept = await readRun(context, plan);
    const facts = kept === undefined ? await context.files.facts(plan) : undefined;
    if (kept === undefined && facts === undefined) {
      throw new UsageError(`${plan} is neither the file of a plan or a record, nor a run on this machine`, {
        hint: "forgectl state history",
      });
    }
    // A pipe can be read once.
    const run = kept ?? (facts?.kind === "file" ? await readRecord(context, plan) : undefined);
    if (run !== undefined) {
      return { rows: run.entries, columns: ["address", "action", "status", "error"], entity: RunChange };
    }
    const rows = await readSavedRows(context, plan);
    return { rows, columns: planColumns, entity: PlanChange, passage: (row: object) => planPassage(row as never) };
  },
});
