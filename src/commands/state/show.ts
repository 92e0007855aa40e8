import { entity, json, nullable, outcome, required, string, uncut } from "../../api/field.ts";
import { UsageError } from "../../base/errors.ts";
import { actionTones } from "../../base/tone.ts";
import { command } from "../../declare/command.ts";
import { readSavedRows } from "../../state/plan/plan-file.ts";
import { PlanChange, planColumns, planPassage } from "../../state/plan/plan-row-view.ts";
import { readRecord } from "../../state/runs/record.ts";
import { readRun } from "../../state/runs/recorded-runs.ts";
import type { Signs } from "../../terminal/signs.ts";

const RunChange = entity("RunChange", {
  address: uncut(),
  action: string("", { tones: actionTones }),
  status: outcome(),
  error: nullable(uncut()),
  before: nullable(json("The managed fields before the change")),
  after: nullable(json("The managed fields after the change")),
});

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
    return {
      rows,
      columns: planColumns,
      entity: PlanChange,
      passage: (row: object, signs: Signs) => planPassage(row as never, signs),
    };
  },
});
