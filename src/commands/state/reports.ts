import { createHash } from "node:crypto";
import { compareTexts } from "../../base/compare-texts.ts";
import type { Context } from "../../context.ts";
import type { PlanRow } from "../../state/plan/plan-row.ts";
import { rowText } from "../../state/plan/plan-row-view.ts";
import { codeQuality } from "../../terminal/reports/code-quality.ts";
import type { Place, ReportedFinding } from "../../terminal/reports/finding.ts";
import { terraform } from "../../terminal/reports/terraform.ts";
import { type Report, writeReports } from "../../verbs/report-flag.ts";

export const planForms = ["terraform", "codequality"] as const;
export type PlanReport = Report<(typeof planForms)[number]>;

/** A row of a plan that is not as the files declare it. */
export interface OpenRow {
  readonly row: PlanRow;
  /** Why it could not be read or changed; null of a plan. */
  readonly error: string | null;
}

/**
 * Writes the reports of a plan: the counts of what is planned, and as findings what differs, after an apply what still
 * differs.
 */
export async function writePlanReports(
  context: Context,
  reports: readonly PlanReport[],
  { planned, open }: { planned: readonly PlanRow[]; open: readonly OpenRow[] },
): Promise<void> {
  const { config, redact } = context;
  const count = (...actions: readonly PlanRow["action"][]) =>
    planned.filter(({ action }) => actions.includes(action)).length;
  await writeReports(context, reports, {
    terraform: () =>
      terraform({
        create: count("create"),
        update: count("update", "replace"),
        delete: count("delete", "disarm"),
      }),
    codequality: () => codeQuality(open.map(findingOf), { redact, instance: config.baseUrl?.value }),
  });
}

function findingOf({ row, error }: OpenRow): ReportedFinding {
  const { address, id, action, lockout } = row;
  const isUnread = action === "unreadable";
  const identity = JSON.stringify([action, address, id, ...declaredIn(row)]);
  const text = error === null ? rowText(row) : `${rowText(row)}; ${error}`;
  return {
    rule: `state.${action}`,
    where: address,
    place: placeOf(row),
    severity: lockout !== null ? "high" : action === "create" || action === "update" ? "low" : "medium",
    state: isUnread ? "unknown" : "open",
    text,
    hint: null,
    fingerprint: createHash("sha256").update(identity).digest("hex"),
  };
}

/**
 * What is declared of the fields that differ: pages of merge requests show as new what has another fingerprint, and all
 * settings are one object.
 */
function declaredIn({ fields }: PlanRow): unknown[] {
  return fields
    .map(({ path, to, secret }) => (secret ? [path] : [path, to]))
    .sort(([one], [other]) => compareTexts(String(one), String(other)));
}

/** What a file names; stdin is no file of a repository. */
function placeOf({ file, line }: PlanRow): Place | undefined {
  return file === null || file === "" || file === "-" ? undefined : { file, line: line ?? 1 };
}
