import { compareTexts } from "../../base/compare-texts.ts";
import { unlessHidden } from "../../base/shell-words.ts";
import { filledLine } from "../../base/template.ts";
import type { Config } from "../../config/config.ts";
import type { Severity } from "../../settings/hardening.ts";
import { addressFlags, typedInstanceFlags } from "../../verbs/instance-flags.ts";
import type { amender } from "./amendments.ts";
import type { Judgment } from "./areas.ts";
import type { AuditRule } from "./rules.ts";

export const verdicts = ["fail", "unknown", "unset", "exempt", "pass"] as const;
export type Verdict = (typeof verdicts)[number];

/** A row of the audit: one rule at one place. */
export interface Row {
  readonly where: string;
  readonly rule: string;
  readonly severity: Severity;
  readonly verdict: Verdict;
  readonly finding: string | null;
  readonly since: string | null;
  readonly try: string | null;
}

/** A row, with what distinguishes it from others of its rule and place. */
export interface Distinct {
  readonly row: Row;
  readonly subject: string | undefined;
}

/** The row of a judgment, as a baseline amends its rule at that place. */
export function rowOf(
  judgment: Judgment,
  { rule, scope, amend, config }: { rule: AuditRule; scope: string; amend: ReturnType<typeof amender>; config: Config },
): Row {
  const { where, verdict, detail, unread, doubt = "the instance does not show it", since = null } = judgment;
  const { severity = rule.severity, exempt } = amend(rule.id, [where, scope]);
  const about = detail === undefined ? rule.why : `${rule.why} (${detail})`;
  const base = { where, rule: rule.id, severity };
  if (verdict === "pass") return { ...base, verdict, finding: null, since: null, try: null };
  if (exempt !== undefined) {
    const finding = `accepted until ${exempt.until}: ${exempt.reason}`;
    return { ...base, verdict: "exempt", finding, since: null, try: null };
  }
  // Only what fails is called a risk.
  if (verdict !== "fail") {
    if (unread !== undefined) return unreadableRow(where, rule.id, severity, unread);
    const finding = verdict === "unset" ? `expected ${rule.expect}; not set` : doubt;
    return { ...base, verdict, finding, since: null, try: null };
  }
  const known = (name: string) => judgment.values?.[name];
  const templates = rule.otherwise === undefined ? [rule.try] : [rule.try, rule.otherwise];
  const line = templates.map((each) => filledLine(each, known)).find((each) => each !== undefined);
  const mend = line === undefined ? null : `forgectl${typedInstanceFlags(config)} ${line}`;
  return { ...base, verdict, finding: about, since, try: mend };
}

/** A row for a file, which others read on their machines: its line names the instance by its address. */
export function readElsewhere(row: Row, config: Config): Row {
  const here = `forgectl${typedInstanceFlags(config)} `;
  return row.try?.startsWith(here)
    ? { ...row, try: `forgectl${addressFlags(config)} ${row.try.slice(here.length)}` }
    : row;
}

/** A row for a file, without secrets. */
export function withoutSecrets(row: Row, redact: (text: string) => string): Row {
  const { where, finding, try: line } = row;
  return { ...row, where: redact(where), finding: finding && redact(finding), try: unlessHidden(line, redact) };
}

/** The row of a rule, or of an area of a scope, for which something could not be read. */
export function unreadableRow(where: string, rule: string, severity: Severity, reason: string): Row {
  return { where, rule, severity, verdict: "unknown", finding: `not read: ${reason}`, since: null, try: null };
}

const rank: Readonly<Record<string, number>> = { high: 0, medium: 1, low: 2 };

/** Findings first, the most severe on top. */
export function compareRows(a: Row, b: Row): number {
  return (
    verdicts.indexOf(a.verdict) - verdicts.indexOf(b.verdict) ||
    (rank[a.severity] ?? 0) - (rank[b.severity] ?? 0) ||
    compareTexts(a.rule, b.rule) ||
    compareTexts(a.where, b.where)
  );
}
