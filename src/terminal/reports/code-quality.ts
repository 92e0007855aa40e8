import type { ReportedFinding } from "./finding.ts";

const severities = { high: "critical", medium: "major", low: "minor" } as const;

/**
 * A report for the code quality widget of merge requests: accepted findings are left out. A finding of an instance has
 * no file, so that its place stands where the widget shows a path.
 */
export function codeQuality(findings: Iterable<ReportedFinding>): string {
  const issues = [...findings]
    .filter(({ state }) => state !== "accepted")
    .map(({ rule, where, severity, state, text, hint, fingerprint }) => ({
      description: `${where}: ${text}${hint === null ? "" : `; try ${hint}`}`,
      check_name: rule,
      fingerprint,
      severity: state === "unknown" ? "info" : severities[severity],
      location: { path: where, lines: { begin: 1 } },
    }));
  return `${JSON.stringify(issues, undefined, 2)}\n`;
}
