import { createHash } from "node:crypto";
import { getSettings } from "../../api/endpoints/settings.ts";
import { boolean, entity, json, nullable, oneOf, string, uncut } from "../../api/field.ts";
import { whenFound } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { type Baseline, readBaseline, standard } from "../../settings/baseline.ts";
import { fixOf } from "../../settings/fix.ts";
import { expectedText, isAtLeast, severities } from "../../settings/hardening.ts";
import { type Judged, judge } from "../../settings/judgment.ts";
import { lastingIn } from "../../settings/lasting.ts";
import { lockoutsOf } from "../../settings/lockout.ts";
import type { Declared } from "../../state/kind.ts";
import { settingsKind } from "../../state/kinds/settings.ts";
import { oneLine } from "../../state/yaml/yaml-comment.ts";
import { codeQuality } from "../../terminal/reports/code-quality.ts";
import type { ReportedFinding } from "../../terminal/reports/finding.ts";
import { sarif } from "../../terminal/reports/sarif.ts";
import { checkOutputFile, writeText } from "../../verbs/output-file.ts";
import { type Report, readReports, reportFlag, writeReports } from "../../verbs/report-flag.ts";
import { auditForms } from "../audit/reports.ts";
import { loadDeclaration } from "../state/flags.ts";
import { loadBaseline } from "./baseline-file.ts";

const AuditedSetting = entity("AuditedSetting", {
  setting: uncut(),
  value: json("Current value; secrets are masked"),
  expected: uncut(),
  severity: oneOf(severities as readonly ["low", "medium", "high"]),
  verdict: string("pass, fail, unset (null or empty), unknown (the instance does not show it), or exempt", {
    tones: { pass: "good", fail: "bad", unset: "doubtful", unknown: "doubtful", exempt: "quiet" },
  }),
  why: nullable(uncut("The risk of what failed, or why it is exempt")),
});

export const audit = command({
  name: "audit",
  summary: "Check the settings against hardening rules",
  details:
    "With -f it checks a file offline: a merge request needs no token. A baseline file adds and changes rules, and exempts " +
    "settings with a reason and a last day. --fix-file writes a settings file for settings plan with the values that the failed rules " +
    "require; settings that can lock users out are commented out in it.",
  params: {
    file: string("Check this settings file or state file instead of the instance; - is stdin", {
      short: "f",
      placeholder: "file|-",
      completes: "file",
    }),
    baseline: string("File with your own rules and exemptions", { placeholder: "file", completes: "file" }),
    min_severity: oneOf(["low", "medium", "high"], "Only rules of this severity and above", { default: "low" }),
    fix_file: string("Write values that satisfy the failed rules to this file", {
      placeholder: "file",
      completes: "file",
      writes: "whole",
    }),
    report: reportFlag(auditForms),
    exit_code: boolean("Exit 10 if a rule fails"),
  },
  requests: [getSettings],
  returns: AuditedSetting,
  prints: "rows",
  examples: [
    { line: "settings audit" },
    { line: "settings audit --min-severity high --exit-code" },
    { line: "settings audit -f settings.yaml -o json", note: "offline" },
  ],
  related: ["settings plan", "settings explain"],
  async run(
    context,
    { file, baseline: path, min_severity: least = "low", fix_file: fixFile, report, exit_code: exitCode = false },
  ) {
    const reports = await readReports(context, report, auditForms);
    if (fixFile !== undefined) await checkOutputFile(context, fixFile, "--fix-file");
    const baseline: Baseline = path === undefined ? standard : await loadBaseline(context, path, readBaseline);
    const declared = file === undefined ? undefined : await declaredIn(context, file);
    const values = declared?.values ?? (await context.api.call(getSettings, {}));
    const today = context.now().toISOString().slice(0, 10);
    const judged = baseline.rules
      .filter(({ severity }) => isAtLeast(severity, least))
      .flatMap((rule) => judge(rule, values, baseline.exempt, today))
      .toSorted((a, b) => rankOf(a) - rankOf(b));
    const failed = judged.filter(({ verdict }) => verdict === "fail");
    const status = fixFile === undefined ? undefined : await writeText(context, fixFile, await fixes(failed, values));
    return {
      rows: judged.map(({ rule: _, ...row }) => row),
      columns: ["setting", "value", "expected", "severity", "verdict", "why"],
      finishes: true,
      until: async (printed) => {
        await printed;
        await writeFindings(context, reports, { judged, declared });
        const unknown = judged.filter(({ verdict }) => verdict === "unknown").length;
        const unjudged = unknown === 0 ? "" : `; ${unknown} unknown: what they need is not shown`;
        context.notice(`${failed.length} of ${judged.length} rules failed${unjudged}`);
        if (status === "written")
          context.notice(`review the fixes: forgectl ${commandLine(["settings", "plan", "-f", String(fixFile)])}`);
        if (status === "would be written") context.notice(`the fixes would be written to ${fixFile}`);
      },
      exitCode: whenFound(exitCode, () => failed.length > 0),
    };
  },
});

/** What failed first, and each verdict by severity. */
function rankOf({ rule, verdict }: Judged): number {
  return (verdict === "fail" ? 0 : severities.length) + severities.length - severities.indexOf(rule.severity);
}

/** The settings of a file, with their places. */
async function declaredIn(context: Context, file: string): Promise<Declared> {
  const scope = { at: "instance", name: "" } as const;
  const { sections } = await loadDeclaration(context, [file], { single: { kind: settingsKind, scope } });
  const section = sections.find(({ kind }) => kind === settingsKind);
  return section?.entries[0] ?? { values: {}, origin: { file, line: 1 } };
}

interface Findings {
  readonly judged: readonly Judged[];
  /** Undefined if the instance was asked. */
  readonly declared: Declared | undefined;
}

async function writeFindings(
  context: Context,
  reports: readonly Report<(typeof auditForms)[number]>[],
  { judged, declared }: Findings,
): Promise<void> {
  const isOpen = ({ verdict }: Judged) => verdict !== "pass" && verdict !== "unset";
  const findings = judged.filter(isOpen).map((each): ReportedFinding => {
    const { setting, rule, verdict, value, expected, why } = each;
    const origin = declared?.places?.[setting] ?? declared?.origin;
    return {
      rule: `settings.${setting}`,
      where: "instance",
      place: origin === undefined || origin.file === "-" ? undefined : { file: origin.file, line: origin.line },
      severity: rule.severity,
      state: verdict === "fail" ? "open" : verdict === "exempt" ? "accepted" : "unknown",
      text: `${setting} is ${JSON.stringify(value)}, expected ${expected}${why === null ? "" : `: ${why}`}`,
      hint: null,
      fingerprint: createHash("sha256").update(`settings.${setting}\ninstance\n${expected}`).digest("hex"),
    };
  });
  const rules = [...new Map(judged.map(({ rule }) => [rule.setting, rule])).values()].map((rule) => ({
    id: `settings.${rule.setting}`,
    severity: rule.severity,
    expect: expectedText(rule.expect),
    why: rule.why,
  }));
  const { program, redact } = context;
  const { version } = program;
  await writeReports(context, reports, {
    codequality: () => codeQuality(findings, { redact, instance: context.config.baseUrl?.value }),
    sarif: () => sarif({ version, rules, findings, complete: true, ended: context.now(), redact }),
  });
}

/** A file would be read where the value stands: a baseline's author would have it sent to the instance. */
function isReference(value: unknown): boolean {
  return isObject(value) && ["env", "file"].some((word) => Object.hasOwn(value, word));
}

/**
 * A settings file with the values that failed rules require. Those that can lock users out, or by which an instance
 * does what nothing takes back, are commented out.
 */
async function fixes(failed: readonly Judged[], values: Readonly<Record<string, unknown>>): Promise<string> {
  const { toStateYaml } = await import("../../state/yaml/yaml.ts");
  const all = Object.fromEntries(failed.map(({ rule, setting }) => [setting, fixOf(rule, values[setting])]));
  const isPlain = (entry: [string, unknown]) => entry[1] !== undefined && !isReference(entry[1]);
  const risky = new Set(lockoutsOf(Object.fromEntries(Object.entries(all).filter(isPlain)), values));
  const lasting = new Map(lastingIn(all, values).map(({ name, effect }) => [name, effect]));
  const entries = failed.map(({ setting, rule, why }) => {
    const fix = all[setting];
    const comment = `# ${oneLine(why ?? "")}\n`;
    if (fix === undefined || isReference(fix))
      return `${comment}# ${oneLine(setting)}:   # ${oneLine(expectedText(rule.expect))}\n`;
    const text = toStateYaml({ [setting]: fix });
    const effect = risky.has(setting) ? "can lock users out" : lasting.get(setting);
    return effect === undefined ? comment + text : `${comment}# ${effect}:\n${text.replace(/^(?=.)/gm, "# ")}`;
  });
  // Comments alone are not a file that settings plan reads.
  const isEmpty = entries.every((entry) => entry.split("\n").every((line) => line === "" || line.startsWith("#")));
  return isEmpty
    ? [...entries, "# No value is set; delete this line with the first one:\n{}\n"].join("\n")
    : entries.join("\n");
}
