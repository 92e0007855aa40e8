import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { UsageError } from "../../base/errors.ts";
import { nearest } from "../../base/nearest.ts";
import type { Context } from "../../context.ts";
import { codeQuality } from "../../terminal/reports/code-quality.ts";
import type { ReportedFinding } from "../../terminal/reports/finding.ts";
import { markdownTable } from "../../terminal/reports/markdown.ts";
import { sarif } from "../../terminal/reports/sarif.ts";
import { columns } from "./evidence.ts";
import type { Row } from "./row.ts";
import type { AuditRule } from "./rules.ts";

const forms = ["codequality", "sarif"] as const;

export interface Report {
  readonly form: (typeof forms)[number];
  readonly file: string;
}

/** `--report <form>=<file>`: checked before anything is sent. */
export async function readReports(context: Context, given: readonly string[]): Promise<Report[]> {
  const reports: Report[] = [];
  for (const text of given) {
    const at = text.indexOf("=");
    const [form, file] = at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
    const known = forms.find((each) => each === form);
    if (known === undefined) {
      const meant = nearest(form, forms);
      throw new UsageError(`--report: "${form}" is not a form of report`, {
        reason: `forms: ${forms.join(", ")}`,
        ...(meant !== undefined && { hint: `did you mean ${meant}?` }),
      });
    }
    if (file === "") throw new UsageError(`--report ${form}: missing =<file>`);
    const folder = await context.files.facts(dirname(file));
    if (folder?.kind !== "folder") throw new UsageError(`--report: the folder of ${file} does not exist`);
    reports.push({ form: known, file });
  }
  return reports;
}

export interface Findings {
  readonly rules: readonly AuditRule[];
  readonly rows: readonly Row[];
  readonly complete: boolean;
}

export async function writeReports(context: Context, reports: readonly Report[], findings: Findings): Promise<void> {
  const { rules, rows, complete } = findings;
  const reported = rows.flatMap(reportedOf);
  for (const { form, file } of reports) {
    const text =
      form === "codequality"
        ? codeQuality(reported)
        : sarif({ version: context.program.version, rules, findings: reported, complete, ended: context.now() });
    await context.files.write(file, context.redact(text));
  }
}

/** What a reviewer may have to do something about: neither what passed nor what is not set. */
function reportedOf({ where, rule, severity, verdict, finding, try: hint }: Row): ReportedFinding[] {
  if (verdict === "pass" || verdict === "unset") return [];
  const state = verdict === "fail" ? "open" : verdict === "exempt" ? "accepted" : "unknown";
  const fingerprint = createHash("sha256").update(`${rule}\n${where}`).digest("hex");
  return [{ rule, where, severity, state, text: finding ?? rule, hint, fingerprint }];
}

/** The rows as Markdown, with what they add up to above. */
export function markdownOf(rows: readonly Row[], title: string): string {
  return markdownTable({ title, columns, rows: rows.map((row) => columns.map((name) => row[name])) });
}
