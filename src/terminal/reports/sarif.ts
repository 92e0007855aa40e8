import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { type Place, type ReportedFinding, type ReportedRule, withoutSecrets } from "./finding.ts";

const schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
const levels = { high: "error", medium: "warning", low: "note" } as const;

interface Run {
  readonly version: string;
  readonly rules: readonly ReportedRule[];
  readonly findings: Iterable<ReportedFinding>;
  /** Everything could be read. */
  readonly complete: boolean;
  /** Milliseconds since 1970. */
  readonly ended: Date;
  redact(text: string): string;
}

/** A report in the Static Analysis Results Interchange Format 2.1.0; objects are logical locations. */
export function sarif({ version, rules, findings, complete, ended, redact }: Run): string {
  const index = new Map(rules.map(({ id }, at) => [id, at]));
  const run = {
    tool: { driver: { name: "forgectl", version, rules: rules.map((rule) => described(rule, redact)) } },
    invocations: [{ executionSuccessful: complete, endTimeUtc: ended.toISOString() }],
    results: Array.from(findings, (finding) => resultOf(withoutSecrets(finding, redact), index.get(finding.rule))),
  };
  return `${JSON.stringify({ $schema: schema, version: "2.1.0", runs: [run] }, undefined, 2)}\n`;
}

function described({ id, severity, expect, why }: ReportedRule, redact: Run["redact"]): object {
  return {
    id,
    shortDescription: { text: redact(why) },
    fullDescription: { text: `Expected: ${redact(expect)}` },
    defaultConfiguration: { level: levels[severity] },
  };
}

function resultOf(finding: ReportedFinding, index?: number): object {
  const { rule, where, place, severity, state, text, hint, fingerprint } = finding;
  const isDecided = state !== "unknown";
  return {
    ruleId: rule,
    ...(index !== undefined && { ruleIndex: index }),
    kind: isDecided ? "fail" : "review",
    level: isDecided ? levels[severity] : "none",
    message: { text: plainText(hint === null ? text : `${text}; try ${hint}`) },
    locations: [
      {
        ...(place !== undefined && { physicalLocation: physical(place) }),
        logicalLocations: [{ fullyQualifiedName: where, kind: "resource" }],
      },
    ],
    partialFingerprints: { "ruleAndPlace/v1": fingerprint },
    // Present in all results or in none.
    suppressions: state === "accepted" ? [{ kind: "external", status: "accepted", justification: text }] : [],
  };
}

/** Brackets would begin a link to what others wrote; a reader shows the text without the backslashes. */
function plainText(text: string): string {
  return text.replace(/[\\[\]]/g, "\\$&");
}

/** Names of files are parts of a URI. */
function physical({ file, line }: Place): object {
  const uri = isAbsolute(file) ? pathToFileURL(file).href : file.split(/[\\/]/).map(encodeURIComponent).join("/");
  return { artifactLocation: { uri: uri.replace(/^(?:\.\/)+/, "") }, region: { startLine: Math.max(1, line) } };
}
