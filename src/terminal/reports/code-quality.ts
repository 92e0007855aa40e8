import { createHash } from "node:crypto";
import { type ReportedFinding, withoutSecrets } from "./finding.ts";

const severities = { high: "critical", medium: "major", low: "minor" } as const;

interface Reporting {
  /** The address of the instance. */
  readonly instance: string | undefined;
  redact(text: string): string;
}

/**
 * A report for the code quality widget of merge requests: accepted findings are left out. A finding of an instance has
 * no file, so that the widget shows its object in place of a path.
 */
export function codeQuality(findings: Iterable<ReportedFinding>, { instance = "", redact }: Reporting): string {
  // The widget shows one finding of a fingerprint, of all jobs of a pipeline, which may be for several instances.
  const ofInstance = (print: string) => createHash("sha256").update(`${instance}\n${print}`).digest("hex");
  const issues = [...findings]
    .filter(({ state }) => state !== "accepted")
    .map((finding) => withoutSecrets(finding, redact))
    .map(({ rule, where, place, severity, state, text, hint, fingerprint }) => {
      const path = place?.file.replace(/^(?:\.\/)+/, "") ?? where;
      return {
        description: `${where}: ${text}${hint === null ? "" : `; try ${hint}`}`,
        check_name: rule,
        fingerprint: ofInstance(`${path}\n${fingerprint}`),
        severity: state === "unknown" ? "info" : severities[severity],
        location: { path, lines: { begin: place?.line ?? 1 } },
      };
    });
  return `${JSON.stringify(issues, undefined, 2)}\n`;
}
