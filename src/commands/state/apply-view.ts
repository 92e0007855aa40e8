import { DryRunStop } from "../../api/api.ts";
import { entity, nullable, outcome, string, uncut } from "../../api/field.ts";
import { Failure } from "../../base/errors.ts";
import { actionTones } from "../../base/tone.ts";
import type { Context } from "../../context.ts";
import { resultsOf } from "../../jobs/job.ts";
import { applyPlan, type Outcome } from "../../state/apply/apply.ts";
import { planRequests, requireSecrets } from "../../state/apply/step-requests.ts";
import { dumpPreimage } from "../../state/export/preimage.ts";
import type { Change } from "../../state/kind.ts";
import { isWrite, type Plan } from "../../state/plan/plan.ts";
import { type PlanLimits, refusePlan } from "../../state/plan/plan-refusal.ts";
import { addressOfChange, planRow } from "../../state/plan/plan-row.ts";
import { beginRun, type OpenRun } from "../../state/runs/runs.ts";
import type { RowsView } from "../../terminal/view.ts";
import { isMade, judge } from "./apply-outcome.ts";
import { partial } from "./flags.ts";
import { confirmPlan } from "./plan-question.ts";
import { reasonsOf, showBeforeAsking, summary, unreadableWords } from "./plan-view.ts";
import { type PlanReport, writePlanReports } from "./reports.ts";

/** A change and its outcome. */
export const AppliedChange = entity("AppliedChange", {
  address: uncut("scope#kind/key"),
  action: string("create, update, replace, delete, or disarm", { tones: actionTones }),
  status: outcome(
    "done, unchanged, altered, not_taken, refused, failed, unknown, skipped, stale, unreadable, or not_tried",
  ),
  error: nullable(uncut()),
});

/** A row of what was planned and is not among the changes of the plan. */
interface OtherRow {
  readonly address: string;
  readonly action: string;
  readonly status: "skipped" | "unreadable";
  readonly error: string;
}

export interface Applying extends PlanLimits {
  /** `apply`, or `rollback of <run>`: the recorded name of the run. */
  readonly what: string;
  /** The only kind that a rollback restores. */
  readonly only?: string | undefined;
  /** A file for a record of the run. */
  readonly record?: string | undefined;
  readonly reports?: readonly PlanReport[];
  /** The command that completes the rest, as typed after the program's name. */
  readonly again: readonly string[];
  readonly waitSeconds: number | undefined;
  /** Changes whose objects are already as planned. */
  readonly already?: readonly Change[];
  /** What could not be read beside the changes. */
  readonly unread?: readonly OtherRow[];
  /** What the run could not restore in any case; reported at its end, with exit 9. */
  readonly lost?: string | undefined;
}

export const appliedColumns = ["address", "action", "status", "error"];

/**
 * Asks once, makes the changes, and shows the outcome of each: every planned change is a row. If there is nothing to
 * change, nothing is asked, sent, or written. With `--dry-run` the requests are shown.
 */
export async function applyView(context: Context, plan: Plan, how: Applying): Promise<RowsView> {
  const writes = plan.changes.filter(isWrite);
  const others = [...skippedRows(how), ...unreadableRows(plan, how)];
  const unreadable = others.filter(({ status }) => status === "unreadable");
  refusePlan(plan, how);
  if (context.config.dryRun && writes.length > 0) {
    await planRequests(context, plan.changes);
    throw new DryRunStop(leftOf(unreadable, how));
  }
  if (writes.length === 0) {
    return {
      rows: others,
      columns: appliedColumns,
      finishes: true,
      until: async (printed) => {
        await printed;
        await report(context, plan, [], how);
        context.notice(summary(plan));
        const left = leftOf(unreadable, how);
        if (left !== undefined) throw left;
      },
    };
  }
  await requireSecrets(context, plan.changes);
  await showBeforeAsking(context, plan, how.lost);
  await confirmPlan(context, plan);
  let run: OpenRun | undefined;
  const begin = async () => {
    run = await beginRun(context, how);
    return run;
  };
  return {
    rows: work(context, { plan, others, begin }, how),
    validIfPartial: true,
    columns: appliedColumns,
    run: () => run?.id,
  };
}

/** What would be left is exit 9, whatever is changed. */
function leftOf(unreadable: readonly OtherRow[], { lost }: Applying): Failure | undefined {
  if (unreadable.length > 0) return partial(unreadableWords(unreadable.length), reasonsOf(unreadable));
  return lost === undefined ? undefined : partial(lost);
}

function skippedRows({ already = [] }: Applying): OtherRow[] {
  return already.map((change) => ({
    address: addressOfChange(change),
    action: change.action,
    status: "skipped",
    error: change.fields.some(({ secret }) => secret)
      ? "already as planned; its secrets cannot be compared"
      : "already as planned",
  }));
}

function unreadableRows({ changes }: Plan, { unread = [] }: Applying): OtherRow[] {
  const rows = changes
    .filter(({ action }) => action === "unreadable")
    .map((change): OtherRow => {
      const error = change.reason ?? "it could not be read";
      return { address: addressOfChange(change), action: change.action, status: "unreadable", error };
    });
  return [...rows, ...unread];
}

interface Work {
  readonly plan: Plan;
  readonly others: readonly OtherRow[];
  begin(): Promise<OpenRun>;
}

async function* work(context: Context, { plan, others, begin }: Work, how: Applying): AsyncGenerator<object, void> {
  const run = await begin().catch(async (error: unknown) => {
    if (error instanceof Failure && error.exit === "conflict") await report(context, plan, [], how);
    throw error;
  });
  const writes = plan.changes.filter(isWrite);
  const outcomes: Outcome[] = [];
  const unreadable = others.filter(({ status }) => status === "unreadable").length;
  const task = context.progress.start("applying", { total: writes.length, unit: "items" });
  let count = 0;
  const made = () => task.update(++count);
  yield* resultsOf<Plan, object>(context, {
    items: [plan],
    // Rows come when a list is done; progress is that of its changes.
    progress: { update: () => undefined, stop: () => task.stop() },
    async act({ changes }, emit) {
      for (const row of others) emit(row);
      await run.keep(await dumpPreimage(context.config.baseUrl?.value ?? "", writes));
      for await (const outcome of applyPlan(context, changes, run, { ...how, readAtMs: plan.readAtMs, made })) {
        outcomes.push(outcome);
        const { change, status, error } = outcome;
        emit({ address: addressOfChange(change), action: change.action, status, error });
      }
    },
    close: () => run.close(unreadable === 0 && outcomes.length >= writes.length && outcomes.every(isMade)),
    conclude: async () => {
      await report(context, plan, outcomes, how);
      judge(context, outcomes, { ...how, run: run.id, unreadable, uncompared: plan.uncompared ?? 0 });
    },
  });
}

/** Reports what was planned, and what is left of it. */
async function report(context: Context, plan: Plan, outcomes: readonly Outcome[], how: Applying): Promise<void> {
  const { reports = [], already = [] } = how;
  // Settings may be changed in two parts.
  const byAddress = new Map<string, Outcome[]>(outcomes.map(({ change }) => [addressOfChange(change), []]));
  for (const outcome of outcomes) byAddress.get(addressOfChange(outcome.change))?.push(outcome);
  const of = (change: Change) => byAddress.get(addressOfChange(change)) ?? [];
  const left = plan.changes.filter(
    (change) => change.action !== "extra" && !(of(change).length > 0 && of(change).every(isMade)),
  );
  await writePlanReports(context, reports, {
    planned: [...plan.changes, ...already].map(planRow),
    open: left.map((change) => ({
      row: planRow(change),
      error: of(change).find((outcome) => !isMade(outcome))?.error ?? null,
    })),
  });
}
