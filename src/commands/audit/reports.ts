import { createHash } from "node:crypto";
import type { Context } from "../../context.ts";
import { codeQuality } from "../../terminal/reports/code-quality.ts";
import type { ReportedFinding } from "../../terminal/reports/finding.ts";
import { markdownTable } from "../../terminal/reports/markdown.ts";
import { sarif } from "../../terminal/reports/sarif.ts";
import { type Report, writeReports } from "../../verbs/report-flag.ts";
import { columns } from "./evidence.ts";
import type { Distinct, Row } from "./row.ts";
import type { AuditRule } from "./rules.ts";

export const auditForms = ["codequality", "sarif"] as const;

export interface Findings {
  readonly rules: readonly AuditRule[];
  readonly rows: readonly Distinct[];
  readonly complete: boolean;
}

export async function writeAuditReports(
  context: Context,
  reports: readonly Report<(typeof auditForms)[number]>[],
  { rules, rows, complete }: Findings,
): Promise<void> {
  const findings = rows.flatMap(reportedOf);
  const { program, redact } = context;
  const { version } = program;
  await writeReports(context, reports, {
    codequality: () => codeQuality(findings, { redact, instance: context.config.baseUrl?.value }),
    sarif: () => sarif({ version, rules, findings, complete, ended: context.now(), redact }),
  });
}

/** What a reviewer may have to do something about: neither what passed nor what is not set. */
function reportedOf({ row, subject }: Distinct): ReportedFinding[] {
  const { where, rule, severity, verdict, finding, try: hint } = row;
  if (verdict === "pass" || verdict === "unset") return [];
  const state = verdict === "fail" ? "open" : verdict === "exempt" ? "accepted" : "unknown";
  // Pages show one finding of a fingerprint: two blocked users of an environment have two.
  const identity = subject === undefined ? `${rule}\n${where}` : JSON.stringify([rule, where, subject]);
  const fingerprint = createHash("sha256").update(identity).digest("hex");
  return [{ rule, where, severity, state, text: finding ?? rule, hint, fingerprint }];
}

/** The rows as Markdown, with what they add up to above. */
export function markdownOf(rows: readonly Row[], title: string): string {
  return markdownTable({ title, columns, rows: rows.map((row) => columns.map((name) => row[name])) });
}
