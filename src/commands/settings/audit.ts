import { getSettings } from "../../api/endpoints/settings.ts";
import { boolean, entity, json, nullable, oneOf, string, uncut } from "../../api/field.ts";
import { UsageError, whenFound } from "../../base/errors.ts";
import { commandLine } from "../../base/line.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { type Baseline, type Exemption, readBaseline, standard } from "../../settings/baseline.ts";
import { findSetting } from "../../settings/catalogue.ts";
import { expectedText, fixOf, holds, type Rule, severities } from "../../settings/hardening.ts";
import { shownValue } from "../../settings/secrets.ts";
import { bare } from "../../state/field-value.ts";
import { settingsKind } from "../../state/kinds/settings.ts";
import { parseTree } from "../../state/parse.ts";
import { TreeError } from "../../state/tree.ts";
import { readTextSource } from "../../transfer/source.ts";
import { writeText } from "../../verbs/written.ts";
import { loadDeclaration } from "../state/flags.ts";

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
    }),
    exit_code: boolean("Exit 10 if a rule fails"),
  },
  requests: [getSettings],
  returns: AuditedSetting,
  examples: [
    { line: "settings audit" },
    { line: "settings audit --min-severity high --exit-code" },
    { line: "settings audit -f settings.yaml -o json", note: "offline" },
  ],
  related: ["settings plan", "settings explain"],
  async run(
    context,
    { file, baseline: path, min_severity: least = "low", fix_file: fixFile, exit_code: exitCode = false },
  ) {
    const baseline = path === undefined ? standard : await loadBaseline(context, path);
    const values = file === undefined ? await context.api.call(getSettings, {}) : await valuesOf(context, file);
    const today = context.now().toISOString().slice(0, 10);
    const judged = baseline.rules
      .filter(({ severity }) => severities.indexOf(severity) >= severities.indexOf(least))
      .flatMap((rule) => judge(rule, values, baseline.exempt, today))
      .toSorted((a, b) => rankOf(a) - rankOf(b));
    const failed = judged.filter(({ verdict }) => verdict === "fail");
    const status = fixFile === undefined ? undefined : await writeText(context, fixFile, await fixes(failed));
    return {
      rows: judged.map(({ rule: _, ...row }) => row),
      columns: ["setting", "value", "expected", "severity", "verdict", "why"],
      until: async (printed) => {
        await printed;
        context.notice(`${failed.length} of ${judged.length} rules failed`);
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

interface Judged {
  rule: Rule;
  setting: string;
  value: unknown;
  expected: string;
  severity: string;
  verdict: "pass" | "fail" | "unset" | "unknown" | "exempt";
  why: string | null;
}

function judge(rule: Rule, values: Values, exempt: readonly Exemption[], today: string): Judged[] {
  const { setting, expect, severity, why, when } = rule;
  if (when !== undefined && values[when.setting] !== when.is) return [];
  const row = {
    rule,
    setting,
    value: shownValue(setting, values[setting] ?? null),
    expected: expectedText(expect),
    severity,
  };
  // An expired exemption does not count.
  const exemption = exempt.find((each) => each.setting === setting && each.until >= today);
  if (exemption !== undefined)
    return [{ ...row, verdict: "exempt", why: `${exemption.reason} (until ${exemption.until})` }];
  if (!Object.hasOwn(values, setting)) return [{ ...row, verdict: "unknown", why: null }];
  const right = holds(expect, values[setting]);
  if (right === false) return [{ ...row, verdict: "fail", why }];
  return [{ ...row, verdict: right === undefined ? "unset" : "pass", why: null }];
}

type Values = Readonly<Record<string, unknown>>;

async function valuesOf(context: Context, file: string): Promise<Values> {
  const scope = { at: "instance", name: "" } as const;
  const { sections } = await loadDeclaration(context, [file], { single: { kind: settingsKind, scope } });
  return sections.find(({ kind }) => kind === settingsKind)?.entries[0]?.values ?? {};
}

async function loadBaseline(context: Context, path: string): Promise<Baseline> {
  const problems: string[] = [];
  let content: unknown;
  try {
    content = bare(await parseTree(await readTextSource(context, path)));
  } catch (error) {
    if (!(error instanceof TreeError)) throw error;
    throw new UsageError(
      `${path}:${error.line}: the file ${error.message}`,
      error.hint === undefined ? {} : { hint: error.hint },
    );
  }
  const baseline = readBaseline(content, (where, message) =>
    problems.push(`${where === "" ? "the file" : where} ${message}`),
  );
  if (problems.length === 0) return baseline;
  throw new UsageError(`${path}: ${problems.join("; ")}`, { code: "invalid_baseline" });
}

/** A settings file with the values that failed rules require; those that can lock users out are commented out. */
async function fixes(failed: readonly Judged[]): Promise<string> {
  const { toYaml } = await import("../../state/yaml.ts");
  const entries = failed.map(({ rule, setting, why }) => {
    const fix = fixOf(rule);
    const comment = `# ${why}\n`;
    if (fix === undefined) return `${comment}# ${setting}:   # ${expectedText(rule.expect)}\n`;
    const text = toYaml({ [setting]: fix });
    if (findSetting(setting)?.lockout !== true) return comment + text;
    return `${comment}# can lock users out:\n${text.replace(/^(?=.)/gm, "# ")}`;
  });
  // Comments alone are not a file that settings plan reads.
  const isEmpty = entries.every((entry) => entry.split("\n").every((line) => line === "" || line.startsWith("#")));
  return isEmpty
    ? [...entries, "# No value is set; delete this line with the first one:\n{}\n"].join("\n")
    : entries.join("\n");
}
